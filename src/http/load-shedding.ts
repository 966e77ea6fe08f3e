import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';
import { FREQUENT_ROUTES } from './request-log.ts';

const SAMPLE_MS = 500;
const RESOLUTION_MS = 10;

/**
 * Watches the event loop, and while it is late refuses requests without a key: what is in flight is finished first.
 * Those with a key are left to admission, which refuses them by key. Supervisors are answered all the same, since a
 * process that sheds load is alive. Our own and not @fastify/under-pressure, which takes the work of a
 * start for pressure and refuses the first half second.
 * @param mostDelay milliseconds on average, throughout two samples of half a second; 0 never refuses.
 * @returns a function that tells whether the event loop is late.
 */
export function shedLoad(app: FastifyInstance, mostDelay: number): () => boolean {
  if (mostDelay === 0) return () => false;
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let lateSamples = 0;
  let timer: NodeJS.Timeout | undefined;

  function sample(): void {
    const delay = delays.mean / 1e6 - RESOLUTION_MS;
    // Without a single value the loop stood still throughout.
    lateSamples = delay > mostDelay || Number.isNaN(delay) ? lateSamples + 1 : 0;
    delays.reset();
  }

  const isLate = () => lateSamples >= 2;

  app.addHook('onReady', async () => {
    delays.enable();
    timer = setInterval(sample, SAMPLE_MS).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const hasKey = request.headers['x-api-key'] !== undefined;
    const isRefused = isLate() && !hasKey && !FREQUENT_ROUTES.has(request.routeOptions.url ?? '');
    if (isRefused)
      done(new ServiceError('OVERLOADED', 'The service has more to do than it can. Try again in a second.'));
    else done();
  });
  return isLate;
}
