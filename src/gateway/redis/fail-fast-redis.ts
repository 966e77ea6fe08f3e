import { Redis } from 'ioredis';
import type { Logger } from '../../base/logger.ts';

/** Maximum time in milliseconds that a request waits for Redis. */
const TIMEOUT_MS = 50;
/** Milliseconds for which Redis is not used after a command failed or timed out. */
const PAUSE_MS = 1_000;
const MAX_RECONNECT_MS = 2_000;

/**
 * A fail-fast connection to Redis. No request depends on it: Redis may be unavailable at any time, also at startup. The
 * timeouts are those of ioredis. A circuit breaker of a library (cockatiel, opossum) would replace a dozen lines, the
 * pause after a failure, but not the fallback or the two log lines.
 */
export interface FailFastRedis {
  readonly client: Redis;
  /** Returns the result of `work`, or that of `fallback` if Redis does not respond in time. */
  run<Value>(work: (client: Redis) => Promise<Value>, fallback: () => Value | Promise<Value>): Promise<Value>;
  close(): void;
}

export interface FailFastRedisOptions {
  readonly log?: Logger | undefined;
  /** What a gateway does without Redis and with it, for the log. */
  readonly without: string;
  readonly with: string;
}

export function openFailFastRedis(url: string, options: FailFastRedisOptions): FailFastRedis {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: TIMEOUT_MS,
    connectTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_MS),
  });
  // The errors contain the host name and occur with every attempt.
  client.on('error', () => undefined);
  let pausedUntil = 0;
  let isUnavailable = false;

  function report(unavailable: boolean): void {
    if (unavailable === isUnavailable) return;
    isUnavailable = unavailable;
    if (unavailable) options.log?.warn(`Redis does not respond: ${options.without}`);
    else options.log?.info(`Redis responds again: ${options.with}`);
  }

  return {
    client,
    async run(work, fallback) {
      if (performance.now() < pausedUntil) return fallback();
      try {
        const result = await work(client);
        report(false);
        return result;
      } catch {
        pausedUntil = performance.now() + PAUSE_MS;
        report(true);
        return fallback();
      }
    },
    close: () => client.disconnect(),
  };
}
