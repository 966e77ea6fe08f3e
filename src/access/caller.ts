import { ServiceError } from '../errors.ts';
import type { AccessGrant } from '../store/tables.ts';
import type { RateLimits } from './rate-limits.store.ts';

/** Who asks: the API package of the key, and what that package may do. */
export interface Caller {
  readonly packageName: string;
  readonly grants: ReadonlySet<AccessGrant>;
  readonly keyId: number;
  /** How many requests the key may send; as many as it likes where it is not said. */
  readonly rateLimits?: RateLimits;
}

/** The grants that open an endpoint; the others open data points. */
export type EndpointGrant = Extract<
  AccessGrant,
  'districts' | 'officeholders' | 'election_dates' | 'elections' | 'bulk'
>;

/**
 * Lets a caller pass whose package has the grant (contract, Packages).
 * @param endpoint how the answer names the endpoint, for example `officeholders`.
 * @throws ServiceError FORBIDDEN.
 */
export function requireGrant(caller: Caller, grant: EndpointGrant, endpoint: string): void {
  if (caller.grants.has(grant)) return;
  throw new ServiceError('FORBIDDEN', `The ${endpoint} endpoint is not available in your package.`);
}
