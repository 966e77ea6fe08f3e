import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from './logger.ts';
import type { Store } from './store/store.ts';

/** What is closed when the process ends, as far as it is there yet. */
export interface Running {
  app?: FastifyInstance;
  store?: Store;
}

export interface Lifecycle {
  /** Aborted when the process is about to end. */
  readonly stopping: AbortSignal;
  /** Answers what is in flight, closes everything and ends the process. */
  stop(exitCode: number): Promise<void>;
}

/** A balancer needs this long to see that the service is not ready any more. */
const BALANCER_MS = 500;
const DRAIN_LIMIT_MS = 10_000;
const STORE_LIMIT_MS = 12_000;
/** npm passes a signal on that the terminal has sent to us already: a second one so soon is the same. */
const SAME_SIGNAL_MS = 100;

/**
 * Ends the process in order on SIGTERM and SIGINT (exit code 0; at once on a second signal) and on an error that
 * nobody handled (exit code 1).
 */
export function watchProcess(running: Running, log: Logger): Lifecycle {
  const stopping = new AbortController();
  let stoppedAt = 0;
  let exitCode = 0;

  async function stop(code: number): Promise<void> {
    exitCode = Math.max(exitCode, code);
    if (stopping.signal.aborted) return;
    stoppedAt = performance.now();
    stopping.abort();
    try {
      if (running.app) await drain(running.app, log);
      await within(STORE_LIMIT_MS, running.store?.close());
    } catch (error) {
      log.error({ err: error }, 'fault while stopping');
    }
    log.info('stopped');
    process.exit(exitCode);
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!stopping.signal.aborted) {
        log.info({ signal }, 'stopping');
        void stop(0);
      } else if (performance.now() - stoppedAt > SAME_SIGNAL_MS) {
        process.exit(1);
      }
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event);
      void stop(1);
    });
  }
  return { stopping: stopping.signal, stop };
}

async function drain(app: FastifyInstance, log: Logger): Promise<void> {
  if (app.server.listening) await sleep(BALANCER_MS);
  // A connection whose answer began before the stop does not know that it should close.
  const idle = setInterval(() => app.server.closeIdleConnections(), 100);
  const closed = app.close();
  if (!(await within(DRAIN_LIMIT_MS, closed))) {
    log.warn('requests were still in flight when their time was over');
    app.server.closeAllConnections();
    await within(1_000, closed);
  }
  clearInterval(idle);
}

/** Whether the work was done within the time. */
async function within(ms: number, work: PromiseLike<unknown> | undefined): Promise<boolean> {
  const limit = new AbortController();
  const timeout = sleep(ms, false, { signal: limit.signal }).catch(() => false);
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), timeout]);
  } finally {
    limit.abort();
  }
}
