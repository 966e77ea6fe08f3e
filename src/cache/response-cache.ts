import { grantsKey } from '../access/grants.ts';
import { createOwnLoader } from '../database/batch-loader.ts';
import type { CurrentVersion, DataVersionWatch, ProvedVersion } from '../database/data-version.ts';
import type { Point } from '../districts/districts.store.ts';
import type { Context } from '../graphql/execution/context.ts';
import { Caches } from '../lru-caches.ts';
import { untilAborted } from '../until-aborted.ts';
import { type Footprint, type FootprintRequest, tileOf } from './footprint.store.ts';
import type { SharedCache } from './redis-cache.ts';

const POINTS_AT_ONCE = 128;
const LOOKUPS_AT_ONCE = 2;
/** The size of a cache entry in addition to its body and key, in bytes. */
const OVERHEAD = 300;
/** The share of the cache that is used for tiles. */
const TILES_SHARE = 1 / 8;
/** Stored for a tile that a boundary crosses: each point in it requires a lookup. */
const MIXED_TILE = '';

/**
 * The scope of a cached response: the caller and today's date; with the signal that is aborted when no client waits any
 * more.
 */
export interface CacheScope extends Pick<Context, 'caller' | 'today'> {
  readonly abortSignal?: AbortSignal | undefined;
}

/** Creates the responses for the points with these indices; undefined if they must not be cached. */
type Make = (missing: readonly number[]) => Promise<readonly Buffer[] | undefined>;

/**
 * Responses that are cached between requests only while they are valid: the key contains the data version, the caller's
 * grants and the date. Responses about a point are cached by the boundaries that cover it, so that neighbouring points
 * share them. These boundaries are cached for map tiles that no boundary crosses, so that most points need no
 * statement; a requested location is never cached.
 */
export interface ResponseCache {
  /**
   * Returns the cached response about the data, or the one that `make` creates.
   * @param key identifies what is requested of the data.
   * @returns undefined if `make` does.
   */
  ofData(key: string, scope: CacheScope, make: () => Promise<Buffer | undefined>): Promise<Buffer | undefined>;
  /** Returns the cached responses for points, or those that `make` creates: one for each, in their order. */
  ofPoints(
    key: string,
    points: readonly Point[],
    scope: CacheScope,
    make: Make,
  ): Promise<readonly Buffer[] | undefined>;
}

/** What cached responses depend on. */
export interface CacheSource {
  readonly versions: DataVersionWatch;
  /** Finds the boundaries of points (see `findFootprints`). */
  footprints(requests: readonly FootprintRequest[]): Promise<readonly (Footprint | undefined)[]>;
}

export interface ResponseCacheOptions {
  readonly bytes: number;
  readonly now?: () => number;
  /** The cache that gateways share over Redis. */
  readonly shared?: SharedCache | undefined;
  readonly caches?: Caches;
}

export function createResponseCache(
  { versions, footprints: findFootprints }: CacheSource,
  options: ResponseCacheOptions,
): ResponseCache {
  const { bytes, now = () => performance.now(), shared, caches = new Caches() } = options;
  const responses = caches.open<string, Buffer>('responses', {
    maxSize: Math.ceil(bytes * (1 - TILES_SHARE)),
    sizeCalculation: (body, key) => body.length + key.length + OVERHEAD,
  });
  /** The boundaries by data version and tile. */
  const tiles = caches.open<string, string>('point_boundaries', {
    maxSize: Math.ceil(bytes * TILES_SHARE),
    sizeCalculation: (boundaries, key) => boundaries.length + key.length + OVERHEAD,
  });

  /** Caches responses under the version that they are proved to be of; the rest of each key is that of its lookup. */
  function store({ state }: ProvedVersion, entries: readonly (readonly [string, Buffer])[]): void {
    const full = entries.map(([key, body]) => [`${state} ${key}`, body] as const);
    for (const [key, body] of full) responses.set(key, withoutPool(body));
    shared?.set(full);
  }

  /** Caches responses that were created since a version was seen, unless it has changed. The request does not wait for it. */
  function storeIfProved(before: CurrentVersion, entries: readonly (readonly [string, Buffer])[]): void {
    versions.prove(before).then(
      (proved) => proved && store(proved, entries),
      () => undefined,
    );
  }

  /** Returns the cached bodies for keys, in their order, from memory or from the shared cache. */
  async function find(keys: readonly string[], abortSignal: AbortSignal | undefined): Promise<(Buffer | undefined)[]> {
    const found = keys.map((key) => responses.get(key));
    const missing = keys.filter((_, index) => found[index] === undefined);
    if (missing.length === 0 || !shared) return found;
    const ofOthers = await untilAborted(shared.get(missing), abortSignal);
    for (const [index, body] of ofOthers.entries())
      if (body) responses.set(missing[index] as string, withoutPool(body));
    return keys.map((key, index) => found[index] ?? ofOthers[missing.indexOf(key)]);
  }

  const footprints = createOwnLoader<FootprintRequest, Footprint | undefined>(
    async (requests) => {
      const readAt = now();
      const found = await findFootprints(requests);
      if (found[0]) versions.see(found[0], readAt);
      for (const [index, request] of requests.entries()) {
        const footprint = found[index];
        if (footprint && request.withTile) {
          tiles.set(tileKey(footprint, request), footprint.coversTile ? footprint.boundaries : MIXED_TILE);
        }
      }
      return found;
    },
    { atOnce: LOOKUPS_AT_ONCE, maxBatchSize: POINTS_AT_ONCE },
  );

  /** Returns the dependencies of a point: synchronously if its tile is cached and the data version is fresh. */
  function dependenciesOf(point: Point): Dependencies | Promise<Dependencies | undefined> {
    const { latest } = versions;
    const boundaries = latest && tiles.get(tileKey(latest, point));
    const current = boundaries ? versions.fresh : undefined;
    if (boundaries && current) return { ...current, boundaries };
    return footprints.load({ ...point, withTile: boundaries === undefined });
  }

  async function dependenciesOfAll(points: readonly Point[], abortSignal: AbortSignal | undefined) {
    const found = points.map(dependenciesOf);
    const isCached = (each: (typeof found)[number]): each is Dependencies => !(each instanceof Promise);
    return found.every(isCached) ? found : untilAborted(Promise.all(found), abortSignal);
  }

  return {
    async ofData(key, scope, make) {
      const current = versions.fresh ?? (await untilAborted(versions.read(), scope.abortSignal));
      const scoped = `${scopeKey(scope)} ${key}`;
      const [found] = await find([`${current.state} ${scoped}`], scope.abortSignal);
      if (found) return found;
      const made = await make();
      if (made) storeIfProved(current, [[scoped, made]]);
      return made;
    },
    async ofPoints(key, points, scope, make) {
      // The 180th meridian has two longitudes, which is too rare to handle here.
      if (points.some(({ longitude }) => Math.abs(longitude) === 180)) return make([...points.keys()]);
      const allDependencies = await dependenciesOfAll(points, scope.abortSignal);
      const [dependencies] = allDependencies;
      // Points that were looked up at different times may have different data versions.
      if (!dependencies || allDependencies.some((other) => other?.state !== dependencies.state))
        return make([...points.keys()]);
      const scopeText = scopeKey(scope);
      const keys = allDependencies.map((each) => `${scopeText} ${each?.boundaries} ${key}`);
      const found = await find(
        keys.map((each) => `${dependencies.state} ${each}`),
        scope.abortSignal,
      );
      const missing = [...found.keys()].filter((index) => found[index] === undefined);
      if (missing.length > 0) {
        const made = await make(missing);
        if (!made) return undefined;
        const isMixed = missing.length < points.length;
        if (isMixed && (await versions.read()).state !== dependencies.state) return make([...points.keys()]);
        for (const [position, index] of missing.entries()) found[index] = made[position];
        const entries = missing.map((index, position) => [keys[index] as string, made[position] as Buffer] as const);
        storeIfProved(dependencies, entries);
      }
      return found as Buffer[];
    },
  };
}

/** The data that a response about a point depends on. */
type Dependencies = Omit<Footprint, 'coversTile'>;

function tileKey({ state }: CurrentVersion, point: Point): string {
  const { south, west } = tileOf(point);
  return `${state} ${south} ${west}`;
}

/**
 * Returns a body that does not retain other memory: a small buffer is a slice of a larger pool, which would stay
 * allocated.
 */
function withoutPool(body: Buffer): Buffer {
  if (body.buffer.byteLength < 2 * body.length) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}

/**
 * Returns the cache scope: callers with the same grants on the same date receive the same responses. The name of a
 * package is irrelevant.
 */
function scopeKey({ caller: { grants }, today }: CacheScope): string {
  return `${today} ${grantsKey(grants)}`;
}
