import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { FREQUENT_ROUTES } from './request-log.ts';

const SAMPLE_MS = 500;
const RESOLUTION_MS = 10;

/** Knows whether the event loop is delayed, and keeps requests away meanwhile. */
export interface LoadShedding {
  isDelayed(): boolean;
  /**
   * Checks a request without an API key, so that requests in flight finish first.
   * @throws ServiceError OVERLOADED while the event loop is delayed. Health checks always get a response, since a process
   * that sheds load is alive.
   */
  checkKeyless(request: FastifyRequest): void;
}

/**
 * Creates the shedding of load, and monitors the event loop. The plugin `@fastify/under-pressure` is not used: it treats the
 * work at startup as load, rejects all requests for 0.9 s after 1.5 s of work, and does not know API keys.
 * @param most a delay is the average in milliseconds that two consecutive samples of half a second exceed; 0 for none.
 */
export function createLoadShedding(app: FastifyInstance, most: number): LoadShedding {
  const isDelayed = most > 0 ? watchDelay(app, most) : () => false;
  return {
    isDelayed,
    checkKeyless({ headers, routeOptions: { url = '' } }) {
      if (headers['x-api-key'] !== undefined || FREQUENT_ROUTES.has(url) || !isDelayed()) return;
      throw new ServiceError('OVERLOADED', 'The service is overloaded. Try again in a second.');
    },
  };
}

/** Samples the delay of the event loop while the app runs; returns a function that returns whether it is too long. */
function watchDelay(app: FastifyInstance, most: number): () => boolean {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let delayedSamples = 0;
  let timer: NodeJS.Timeout | undefined;

  function sample(): void {
    const delay = delays.mean / 1e6 - RESOLUTION_MS;
    // No samples at all: the event loop was blocked throughout.
    delayedSamples = delay > most || Number.isNaN(delay) ? delayedSamples + 1 : 0;
    delays.reset();
  }

  app.addHook('onReady', async () => {
    delays.enable();
    timer = setInterval(sample, SAMPLE_MS).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  return () => delayedSamples >= 2;
}
