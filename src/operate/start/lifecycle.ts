import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../base/logger.ts';
import type { DatabaseBackend } from '../../store/backend.ts';

/** The resources to close when the process exits, as far as they exist yet. */
export interface Running {
  app?: FastifyInstance;
  backend?: DatabaseBackend;
}

export interface Lifecycle {
  /** Aborted when the process is about to exit. */
  readonly stopping: AbortSignal;
  /** Completes requests in flight, closes everything and exits. */
  stop(exitCode: number): Promise<void>;
}

/** Milliseconds that a load balancer needs to see that the gateway is no longer ready. */
const BALANCER_MS = 500;
const DRAIN_LIMIT_MS = 10_000;
const CLOSE_LIMIT_MS = 12_000;
/**
 * npm forwards a signal that the terminal has already sent to this process: a second signal within this time is a
 * duplicate.
 */
const SAME_SIGNAL_MS = 100;

/**
 * Shuts the process down gracefully on SIGTERM and SIGINT (exit code 0; immediately on a second signal) and on an
 * unhandled error (exit code 1).
 */
export function handleSignals(running: Running, log: Logger): Lifecycle {
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
      await within(CLOSE_LIMIT_MS, running.backend?.close());
    } catch (error) {
      log.error({ err: error }, 'error while stopping');
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
  // A connection whose response started before the shutdown has no `Connection: close` header.
  const idle = setInterval(() => app.server.closeIdleConnections(), 100);
  const closed = app.close();
  if (!(await within(DRAIN_LIMIT_MS, closed))) {
    log.warn('requests were still in flight at the shutdown deadline');
    app.server.closeAllConnections();
    await within(1_000, closed);
  }
  clearInterval(idle);
}

/** Returns whether the work was completed within the time limit. */
async function within(ms: number, work: PromiseLike<unknown> | undefined): Promise<boolean> {
  const limit = new AbortController();
  const timeout = sleep(ms, false, { signal: limit.signal }).catch(() => false);
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), timeout]);
  } finally {
    limit.abort();
  }
}
