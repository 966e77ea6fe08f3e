import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';
import { FREQUENT_ROUTES } from './request-log.ts';

const SAMPLE_MS = 500;
const RESOLUTION_MS = 10;

/**
 * Monitors the event loop and, while it is delayed, rejects requests without an API key so that requests in flight
 * finish first. Requests with a key are left to admission, which limits them by key. Health checks always get a
 * response, since a process that sheds load is alive. The plugin `@fastify/under-pressure` is not used: it treats the work
 * at startup as load, and rejects all requests for 0.9 s after 1.5 s of work, and it cannot tell the requests of admission
 * from the others.
 * @param mostDelay average delay in milliseconds that two consecutive samples of half a second must exceed; 0 disables
 * load shedding.
 * @returns a function that returns whether the event loop is delayed.
 */
export function shedLoad(app: FastifyInstance, mostDelay: number): () => boolean {
  if (mostDelay === 0) return () => false;
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let delayedSamples = 0;
  let timer: NodeJS.Timeout | undefined;

  function sample(): void {
    const delay = delays.mean / 1e6 - RESOLUTION_MS;
    // No samples at all: the event loop was blocked throughout.
    delayedSamples = delay > mostDelay || Number.isNaN(delay) ? delayedSamples + 1 : 0;
    delays.reset();
  }

  const isDelayed = () => delayedSamples >= 2;

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
    const isRejected = isDelayed() && !hasKey && !FREQUENT_ROUTES.has(request.routeOptions.url ?? '');
    if (isRejected) done(new ServiceError('OVERLOADED', 'The service is overloaded. Try again in a second.'));
    else done();
  });
  return isDelayed;
}
