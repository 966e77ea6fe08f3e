import { Redis } from 'ioredis';
import type { Logger } from '../logger.ts';

/** Maximum time in milliseconds that a request waits for Redis. */
const PATIENCE_MS = 50;
/** Milliseconds for which Redis is not used after a command failed or timed out. */
const REST_MS = 1_000;
const LONGEST_PAUSE_MS = 2_000;

/** A fail-fast connection to Redis. No request depends on it: Redis may be unavailable at any time, also at startup. */
export interface ImpatientRedis {
  readonly client: Redis;
  /** Returns the result of `work`, or that of `otherwise` if Redis does not respond in time. */
  ask<Value>(work: (client: Redis) => Promise<Value>, otherwise: () => Value | Promise<Value>): Promise<Value>;
  close(): void;
}

export interface ImpatientRedisOptions {
  readonly log?: Logger | undefined;
  /** What a gateway does without Redis and with it, for the log. */
  readonly without: string;
  readonly with: string;
}

export function openImpatientRedis(url: string, options: ImpatientRedisOptions): ImpatientRedis {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: PATIENCE_MS,
    connectTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_PAUSE_MS),
  });
  // The errors contain the host name and occur with every attempt.
  client.on('error', () => undefined);
  let restUntil = 0;
  let isAway = false;

  function tell(away: boolean): void {
    if (away === isAway) return;
    isAway = away;
    if (away) options.log?.warn(`Redis does not answer: ${options.without}`);
    else options.log?.info(`Redis answers again: ${options.with}`);
  }

  return {
    client,
    async ask(work, otherwise) {
      if (performance.now() < restUntil) return otherwise();
      try {
        const found = await work(client);
        tell(false);
        return found;
      } catch {
        restUntil = performance.now() + REST_MS;
        tell(true);
        return otherwise();
      }
    },
    close: () => client.disconnect(),
  };
}
