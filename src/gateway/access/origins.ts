import { createLookupCache } from '../../store/reading/lookup-cache.ts';
import type { Database } from '../../store/sql/database.ts';
import { listOrigins } from './access.store.ts';

/**
 * Returns whether pages of an origin may call the service: an exact match with the allow-list, which is at most 5
 * seconds old.
 * @throws when the list was not read in the last 60 seconds and the database is unavailable.
 */
export type IsAllowedOrigin = (origin: string) => Promise<boolean>;

export function createOriginList(db: Database, options: { readonly now?: () => number } = {}): IsAllowedOrigin {
  const list = createLookupCache<ReadonlySet<string>>({
    lookup: async () => new Set(await listOrigins(db)),
    size: 1,
    now: options.now,
  });
  return async (origin) => (await list('all'))?.has(origin) ?? false;
}

const LOOPBACK = String.raw`(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?`;
/** Matches the `Host` of a request that was made on the machine itself. */
const LOOPBACK_HOST = new RegExp(`^${LOOPBACK}$`);
const LOOPBACK_ORIGIN = new RegExp(`^https?://${LOOPBACK}$`);

/** Returns whether the page was served by this service. A reverse proxy must pass on the `Host` header. */
export function isSameOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/**
 * Returns whether page and service are on the same machine: such requests need no allow-listing (specification,
 * Authentication 3).
 */
export function isLocal(origin: string, host: string | undefined): boolean {
  return host !== undefined && LOOPBACK_HOST.test(host) && LOOPBACK_ORIGIN.test(origin);
}
