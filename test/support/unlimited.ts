import { rateLimitsByPackage, setRateLimits } from '../../src/gateway/access/rate-limits.store.ts';
import type { Database } from '../../src/store/sql/database.ts';

/** Lifts the rate limits of all packages, for tests and measurements that send more requests than a key may. */
export async function liftRateLimits(db: Database): Promise<void> {
  for (const name of (await rateLimitsByPackage(db)).keys())
    await setRateLimits(db, name, { perSecond: null, burst: null, perDay: null });
}
