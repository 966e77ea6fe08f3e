import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import type { Caller } from '../../graph/builder/caller.ts';
import type { AccessGrant } from '../../store/sql/tables.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Makes the route answer requests without a key too. Its response depends on its address, the data and the grants of
     * the caller alone: not on the date, the key, or where a person lives.
     */
    withoutKey?: {
      /** What the package `public` has to grant. */
      readonly grants: readonly AccessGrant[];
      /** The parameters of the query. Others are rejected: they would be one more address of the same response. */
      readonly parameters: readonly string[];
    };
  }
}

/** The package whose grants responses without a key have. It does not exist until an operator creates it. */
export const PUBLIC_PACKAGE = 'public';
/** The id that counts the work of requests without a key; those of keys begin at 1. */
const NO_KEY_ID = 0;
/** For so many seconds, a shared cache may serve what needs no key before it validates the response again. */
const SHARED_S = 10;

/** `Cache-Control` of a response that needs no key: the same for everyone. */
export const PUBLIC = `public, max-age=0, s-maxage=${SHARED_S}, must-revalidate`;
/** `Cache-Control` of a response for a key: shared caches do not know whose keys may read it. */
const PRIVATE = 'private, no-cache';
/** `Cache-Control` of a response that stays true: the cache of the client keeps it for a day. */
const LASTING = 'private, max-age=86400';

/**
 * Returns `Cache-Control` of a successful response to a request.
 * @param isLasting whether later changes of the data leave the response as it is.
 */
export function cacheControlOf({ caller }: Pick<FastifyRequest, 'caller'>, isLasting = false): string {
  const isPublic = caller?.keyId === NO_KEY_ID;
  if (isPublic) return PUBLIC;
  return isLasting ? LASTING : PRIVATE;
}

/**
 * Returns the caller of a request without a key, with the grants of the package `public`; undefined if they do not suffice
 * for the route, which then needs a key.
 * @throws ServiceError INVALID_PARAMETER if the query has an unknown parameter.
 */
export function publicCaller(
  { query, routeOptions: { config } }: FastifyRequest,
  grants: ReadonlySet<AccessGrant> | undefined,
): Caller | undefined {
  const { withoutKey } = config;
  if (!grants || !withoutKey?.grants.every((each) => grants.has(each))) return undefined;
  const problems = Object.keys(query as object)
    .filter((name) => !withoutKey.parameters.includes(name))
    .map((name) => ({ name: name.slice(0, 100), reason: 'is unknown, which needs a key' }));
  if (problems[0]) throw new ServiceError('INVALID_PARAMETER', `${problems[0].name} ${problems[0].reason}.`, problems);
  return { keyId: NO_KEY_ID, packageName: PUBLIC_PACKAGE, grants };
}
