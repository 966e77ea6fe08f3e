import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LoadLimits } from '../config/limits.ts';
import { ServiceError } from '../errors.ts';
import { FREQUENT_ROUTES } from './request-log.ts';

const SAMPLE_MS = 500;
const RESOLUTION_MS = 10;

/** Rejects requests that would wait too long, while the event loop is delayed or the database is slow. */
export interface LoadShedding {
  /**
   * Checks a request of an API key.
   * @param active the number of its requests of the same kind in flight.
   * @throws ServiceError OVERLOADED when the queue of the key for the database is too long; while the event loop is
   * delayed, when the key has another request.
   */
  checkKey(keyId: number, active: number): void;
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
 * @param limits a delay is the average in milliseconds that two consecutive samples of half a second exceed; 0 disables a
 * limit.
 * @param queueMs returns the estimated time in milliseconds that the next statement of a key would wait for a connection.
 */
export function createLoadShedding(
  app: FastifyInstance,
  limits: Pick<LoadLimits, 'eventLoopDelay' | 'queue'>,
  queueMs: (keyId: number) => number,
): LoadShedding {
  const isDelayed = limits.eventLoopDelay > 0 ? watchDelay(app, limits.eventLoopDelay) : () => false;
  return {
    checkKey(keyId, active) {
      if (active > 0 && isDelayed()) {
        throw new ServiceError(
          'OVERLOADED',
          'The service is busy, and admits one request of a key at a time. Try again in a second.',
        );
      }
      if (limits.queue > 0 && queueMs(keyId) > limits.queue) {
        throw new ServiceError(
          'OVERLOADED',
          'The requests of this key wait too long for the database. Try again in a second.',
        );
      }
    },
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
