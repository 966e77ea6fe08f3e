import { sql } from 'kysely';
import { ServiceError } from '../errors.ts';
import type { Database } from '../store/database.ts';
import { unknownPackage } from './access.store.ts';

/** Limits for the requests of one key of a package; null for no limit. */
export interface RateLimits {
  /** Average requests per second. */
  readonly perSecond: number | null;
  /** Size of a burst; equal to `perSecond` when null. */
  readonly burst: number | null;
  /** Requests in 24 hours. */
  readonly perDay: number | null;
}

/** SQL columns with the limits of package `p`, named like the members of `RateLimits`. */
export const rateLimitColumns = sql`
  p.rate_per_second as "perSecond", p.rate_burst as "burst", p.rate_per_day as "perDay"`;

export async function rateLimitsByPackage(db: Database): Promise<ReadonlyMap<string, RateLimits>> {
  const found = await sql<RateLimits & { name: string }>`
    /* rateLimits.rateLimitsByPackage */ select p.name, ${rateLimitColumns} from packages p`.execute(db);
  return new Map(found.rows.map(({ name, ...limits }) => [name, limits]));
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
  await sql`
    /* rateLimits.setRateLimits */
    update packages set rate_per_second = ${perSecond}, rate_burst = ${burst}, rate_per_day = ${perDay}
    where name = ${name}`.execute(db);
  return { perSecond, burst, perDay };
}
