import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';
import { FREQUENT_ROUTES } from './request-log.ts';

const SAMPLE_MS = 500;

/**
 * Refuses work while the event loop is late: what is in flight is finished first. Supervisors are answered all the
 * same, since a process that sheds load is alive.
 * @param mostDelay milliseconds on average over the last half second; 0 never refuses.
 */
export async function shedLoad(app: FastifyInstance, mostDelay: number): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: mostDelay,
    sampleInterval: SAMPLE_MS,
    pressureHandler: async (request) => {
      if (FREQUENT_ROUTES.has(request.routeOptions.url ?? '')) return;
      throw new ServiceError('OVERLOADED', 'The service has more to do than it can. Try again in a second.');
    },
  });
}
