import { ServiceError } from '../../base/errors.ts';
import type { RateLimits } from '../../graph/builder/caller.ts';
import type { Database } from '../../store/sql/database.ts';
import { changedRows, rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import { RATE_LIMITS, unknownPackage } from './access.store.ts';

export async function rateLimitsByPackage(db: Database): Promise<ReadonlyMap<string, RateLimits>> {
  const found = query.selectFrom('packages as p').select(['p.name', ...RATE_LIMITS]);
  const rows = await rowsOf(db, 'rateLimits.rateLimitsByPackage', found);
  return new Map(rows.map(({ name, ...limits }) => [name, limits]));
}

/**
 * Changes the given limits and leaves the others unchanged. Gateways apply the change within 5 seconds.
 * @throws ServiceError NOT_FOUND for an unknown package; INVALID_PARAMETER for a burst that is lower than the rate.
 */
export async function setRateLimits(db: Database, name: string, change: Partial<RateLimits>): Promise<RateLimits> {
  const before = (await rateLimitsByPackage(db)).get(name);
  if (!before) throw await unknownPackage(db, name);
  const { perSecond, burst, perDay } = { ...before, ...change };
  if (burst !== null && (perSecond === null || burst < perSecond)) {
    throw new ServiceError('INVALID_PARAMETER', 'A burst needs a rate per second, and is not less than that.');
  }
  const statement = query
    .updateTable('packages as p')
    .set({ rate_per_second: perSecond, rate_burst: burst, rate_per_day: perDay })
    .where('p.name', '=', name);
  await changedRows(db, 'rateLimits.setRateLimits', statement);
  return { perSecond, burst, perDay };
}
