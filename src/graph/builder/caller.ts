import { ServiceError } from '../../base/errors.ts';
import type { AccessGrant } from '../../store/sql/tables.ts';

/** Limits for the requests of one key of a package; null for no limit. */
export interface RateLimits {
  /** Average requests per second. */
  readonly perSecond: number | null;
  /** Size of a burst; equal to `perSecond` when null. */
  readonly burst: number | null;
  /** Requests in 24 hours. */
  readonly perDay: number | null;
}

/** The caller of a request: the API package of its key and the grants of that package. */
export interface Caller {
  readonly packageName: string;
  readonly grants: ReadonlySet<AccessGrant>;
  /** The key, whichever of its secrets the request has: while a rotation overlaps, there are two. */
  readonly keyId: number;
  /** The secret that the request has: its id in the database, and its public prefix. */
  readonly secret?: { readonly id: number; readonly prefix: string };
  /** The rate limits of the key; unlimited if undefined. */
  readonly rateLimits?: RateLimits;
  /** Whether the key is that of the map page: its limits are for each address, and it is for what the page requests. */
  readonly isPage?: boolean;
}

/** The grants that give access to an endpoint; all others give access to data fields. */
export type EndpointGrant = Extract<
  AccessGrant,
  'districts' | 'officeholders' | 'election_dates' | 'elections' | 'bulk' | 'voting'
>;

/**
 * Checks that the package of the caller has a grant (contract, Packages).
 * @param endpoint the name of the endpoint in the error message, for example `officeholders`.
 * @throws ServiceError FORBIDDEN.
 */
export function requireGrant(caller: Caller, grant: EndpointGrant, endpoint: string): void {
  if (caller.grants.has(grant)) return;
  throw new ServiceError('FORBIDDEN', `The ${endpoint} endpoint is not available in your package.`);
}
