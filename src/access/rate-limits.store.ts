import { sql } from 'kysely';
import { ServiceError } from '../errors.ts';
import type { Database } from '../store/database.ts';
import { unknownPackage } from './access.store.ts';

/** How many requests one key of a package may send; null for no limit. */
export interface RateLimits {
  /** On average. */
  readonly perSecond: number | null;
  /** At once; as many as `perSecond` when null. */
  readonly burst: number | null;
  /** In 24 hours. */
  readonly perDay: number | null;
}

/** The limits of a package `p`, as the members of `RateLimits`. */
export const rateLimitColumns = sql`
  p.rate_per_second as "perSecond", p.rate_burst as "burst", p.rate_per_day as "perDay"`;

export async function rateLimitsByPackage(db: Database): Promise<ReadonlyMap<string, RateLimits>> {
  const found = await sql<RateLimits & { name: string }>`
    /* rateLimits.rateLimitsByPackage */ select p.name, ${rateLimitColumns} from packages p`.execute(db);
  return new Map(found.rows.map(({ name, ...limits }) => [name, limits]));
}

/**
 * Changes the limits that are given and keeps the others. Gateways follow within 5 seconds.
 * @throws ServiceError NOT_FOUND for an unknown package; INVALID_PARAMETER for a burst that is not at least the rate.
 */
export async function setRateLimits(db: Database, name: string, change: Partial<RateLimits>): Promise<RateLimits> {
  const before = (await rateLimitsByPackage(db)).get(name);
  if (!before) throw await unknownPackage(db, name);
  const { perSecond, burst, perDay } = { ...before, ...change };
  if (burst !== null && (perSecond === null || burst < perSecond)) {
    throw new ServiceError('INVALID_PARAMETER', 'A burst needs a rate per second, and is not less than that.');
  }
  await sql`
    /* rateLimits.setRateLimits */
    update packages set rate_per_second = ${perSecond}, rate_burst = ${burst}, rate_per_day = ${perDay}
    where name = ${name}`.execute(db);
  return { perSecond, burst, perDay };
}
