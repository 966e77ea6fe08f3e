import { type RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Logger } from '../../base/logger.ts';
import { openFailFastRedis } from '../redis/fail-fast-redis.ts';
import { RejectedValues } from '../redis/rejected-values.ts';
import { rejectedAsResult, type SharedCounts } from './rate-limiter.ts';

/** Errors that Redis returns when the value is not a number or not a string. */
const NOT_A_COUNT = /not an integer|out of range|overflow|WRONGTYPE/;
/** An upper bound for the requests of one key that all gateways together can count in a second. */
const MOST_PER_SECOND = 10_000;

/** Returns whether gateways can have produced this count: counts only rise, and expire at the end of their window. */
function isPlausible(
  { consumedPoints, msBeforeNext }: RateLimiterRes,
  { points, duration }: RateLimiterMemory,
): boolean {
  const most = points + duration * MOST_PER_SECOND;
  const isCount = Number.isSafeInteger(consumedPoints) && consumedPoints >= 1 && consumedPoints <= most;
  return isCount && msBeforeNext > 0 && msBeforeNext <= duration * 1_000;
}

/** Opens the counters shared by all gateways with the same Redis, which may be unavailable at any time. */
export function openSharedCounts(url: string, log?: Logger, rejected = new RejectedValues(log)): SharedCounts {
  const redis = openFailFastRedis(url, {
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
      const countLocally = () => rejectedAsResult(local.consume(key));
      return redis.run<RateLimiterRes>(async (client) => {
        const counted = await rejectedAsResult(counter.consume(key)).catch((error: unknown) => {
          if (error instanceof Error && NOT_A_COUNT.test(error.message)) return undefined;
          throw error;
        });
        if (counted && isPlausible(counted, local)) return counted;
        rejected.add('count');
        await client.del(counter.getKey(key));
        return countLocally();
      }, countLocally);
    },
    close: () => redis.close(),
  };
}
