import { Redis } from 'ioredis';
import { type RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Logger } from '../logger.ts';
import { refusedAsResult } from './rate-limiter.ts';

/** Longer than this no request waits for Redis. */
const PATIENCE_MS = 50;
/** After Redis did not answer, it is left alone for so long. */
const REST_MS = 1_000;
const LONGEST_PAUSE_MS = 2_000;

export interface SharedCounts {
  /** Counts in Redis as the local counter would, and in the local counter while Redis does not answer. */
  count(local: RateLimiterMemory, key: string): Promise<RateLimiterRes>;
  close(): void;
}

/** Counters that all gateways with the same Redis share. It may be away, also now. */
export function openSharedCounts(url: string, log?: Logger): SharedCounts {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: PATIENCE_MS,
    connectTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_PAUSE_MS),
  });
  const counters = new Map<RateLimiterMemory, RateLimiterRedis>();
  let restUntil = 0;
  let isAway = false;
  // The errors themselves name the host, and come with every attempt.
  redis.on('error', () => undefined);

  function counterLike({ points, duration, keyPrefix }: RateLimiterMemory): RateLimiterRedis {
    const options = { storeClient: redis, points, duration, keyPrefix: `ballotgraph:${keyPrefix}` };
    return new RateLimiterRedis({ ...options, rejectIfRedisNotReady: true });
  }

  function tell(away: boolean): void {
    if (away === isAway) return;
    isAway = away;
    if (away) log?.warn('Redis does not answer: this gateway counts requests by itself');
    else log?.info('Redis answers again: requests are counted for all gateways together');
  }

  return {
    async count(local, key) {
      if (performance.now() < restUntil) return refusedAsResult(local.consume(key));
      const counter = counters.get(local) ?? counterLike(local);
      counters.set(local, counter);
      try {
        const counted = await refusedAsResult(counter.consume(key));
        tell(false);
        return counted;
      } catch {
        restUntil = performance.now() + REST_MS;
        tell(true);
        return refusedAsResult(local.consume(key));
      }
    },
    close: () => redis.disconnect(),
  };
}
