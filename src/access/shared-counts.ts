import { type RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Logger } from '../logger.ts';
import { openImpatientRedis } from '../redis/impatient-redis.ts';
import { refusedAsResult } from './rate-limiter.ts';

export interface SharedCounts {
  /** Counts in Redis as the local counter would, and in the local counter while Redis does not answer. */
  count(local: RateLimiterMemory, key: string): Promise<RateLimiterRes>;
  close(): void;
}

/** Counters that all gateways with the same Redis share. It may be away, also now. */
export function openSharedCounts(url: string, log?: Logger): SharedCounts {
  const redis = openImpatientRedis(url, {
    log,
    without: 'this gateway counts requests by itself',
    with: 'requests are counted for all gateways together',
  });
  const counters = new Map<RateLimiterMemory, RateLimiterRedis>();

  function counterLike({ points, duration, keyPrefix }: RateLimiterMemory): RateLimiterRedis {
    const options = { storeClient: redis.client, points, duration, keyPrefix: `ballotgraph:${keyPrefix}` };
    return new RateLimiterRedis({ ...options, rejectIfRedisNotReady: true });
  }

  return {
    async count(local, key) {
      const counter = counters.get(local) ?? counterLike(local);
      counters.set(local, counter);
      return redis.ask(
        () => refusedAsResult(counter.consume(key)),
        () => refusedAsResult(local.consume(key)),
      );
    },
    close: () => redis.close(),
  };
}
