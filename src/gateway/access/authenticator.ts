import DataLoader from 'dataloader';
import { ServiceError, toServiceError } from '../../base/errors.ts';
import type { Caller } from '../../graph/builder/caller.ts';
import { createOwnLoader } from '../../store/reading/batch-loader.ts';
import { createLookupCache, type OnLookup } from '../../store/reading/lookup-cache.ts';
import type { Database } from '../../store/sql/database.ts';
import { findCallers, findPackage } from './access.store.ts';
import { digestOf, isApiKey } from './api-key.ts';
import { PAGE_KEY, PAGE_KEY_ID } from './page-key.ts';

/**
 * Returns the caller for an `x-api-key` header, without a promise if the key was looked up recently.
 * @throws ServiceError UNAUTHENTICATED, the same for a missing, malformed, unknown, expired or revoked key;
 * STORE_UNAVAILABLE when the database is unavailable and the key was not used in the last 60 seconds.
 */
export type Authenticate = (header: string | string[] | undefined) => Caller | Promise<Caller>;

const CACHED_KEYS = 10_000;
const LOOKUPS_AT_ONCE = 2;
const KEYS_AT_ONCE = 100;
/** Refreshes of cached keys wait this long for others, so that many keys in steady use need few statements. */
const GATHER_MS = 300;

export function createAuthenticator(
  db: Database,
  options: {
    /** The package of the map page, whose key is in no table. */
    readonly pagePackage?: string | undefined;
    readonly now?: () => number;
    readonly onLookup?: OnLookup;
    /** Called for each request with an accepted key. */
    readonly onUse?: (caller: Caller) => void;
  } = {},
): Authenticate {
  const find = (digests: readonly string[]) =>
    findCallers(
      db,
      digests.map((digest) => Buffer.from(digest, 'base64')),
    );
  const lookups = createOwnLoader(find, { atOnce: LOOKUPS_AT_ONCE, maxBatchSize: KEYS_AT_ONCE });
  const refreshes = new DataLoader(find, {
    cache: false,
    maxBatchSize: KEYS_AT_ONCE,
    batchScheduleFn: (dispatch) => void setTimeout(dispatch, GATHER_MS).unref(),
  });
  const callers = createLookupCache<Caller>({
    lookup: (digest, { isRefresh }) => (isRefresh ? refreshes : lookups).load(digest),
    size: CACHED_KEYS,
    now: options.now,
    onLookup: options.onLookup,
  });

  const pages = createLookupCache<Caller>({
    async lookup(packageName) {
      const found = await findPackage(db, packageName);
      return found && { keyId: PAGE_KEY_ID, packageName, ...found, isPage: true };
    },
    size: 1,
    now: options.now,
  });

  return (header) => {
    if (header === PAGE_KEY && options.pagePackage !== undefined) {
      const page = pages(options.pagePackage);
      return page instanceof Promise ? callerFrom(page) : page;
    }
    // Node joins repeated headers with commas, which does not form a valid key either.
    if (typeof header !== 'string' || !isApiKey(header)) return Promise.reject(rejection());
    const found = callers(digestOf(header, 'base64'));
    if (found instanceof Promise) return callerFrom(found).then(used);
    return used(found);
  };

  function used(caller: Caller): Caller {
    options.onUse?.(caller);
    return caller;
  }
}

/**
 * Creates the function that returns the key of the pages: their own if their package exists, otherwise that of the sample. While
 * the database is unavailable it is their own, whose requests then say so.
 */
export function createPageKey(authenticate: Authenticate, demoKey: string | undefined) {
  return async (): Promise<string | undefined> => {
    try {
      await authenticate(PAGE_KEY);
      return PAGE_KEY;
    } catch (error) {
      return toServiceError(error).code === 'UNAUTHENTICATED' ? demoKey : PAGE_KEY;
    }
  };
}

async function callerFrom(lookup: Promise<Caller | undefined>): Promise<Caller> {
  const caller = await lookup.catch((error) => {
    throw keysUnavailable(error);
  });
  if (!caller) throw rejection();
  return caller;
}

/** The same text for all of them, so that it does not reveal which keys exist. */
export const NO_ACTIVE_KEY =
  'An active API key must be sent in the x-api-key header: none was sent, or it is unknown, expired or revoked. The operator of this server creates keys with `npm run keys -- create`.';

function rejection(): ServiceError {
  return new ServiceError('UNAUTHENTICATED', NO_ACTIVE_KEY);
}

/** The table of the keys is missing, or a column of it. */
const OLD_SCHEMA = ['42P01', '42703'];

/** Maps a missing schema to STORE_UNAVAILABLE: the database is not ready yet, which is not an internal error. */
function keysUnavailable(thrown: unknown): unknown {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (!OLD_SCHEMA.includes(String(code))) return thrown;
  return new ServiceError('STORE_UNAVAILABLE', 'The database is being prepared. Try again in a few seconds.');
}
