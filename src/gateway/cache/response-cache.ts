import { hash } from 'node:crypto';
import { Caches } from '../../base/lru-caches.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { Context } from '../../graph/builder/context.ts';
import { grantsKey } from '../../graph/builder/grants.ts';
import type { Point } from '../../graph/districts/districts.store.ts';
import { createOwnLoader } from '../../store/reading/batch-loader.ts';
import type { CurrentVersion, DataVersionWatch, ProvedVersion } from '../../store/reading/data-version.ts';
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
 * The scope of a cached response: the caller and which day it is in each state; with the signal that is aborted when no client waits any
 * more.
 */
export interface CacheScope extends Pick<Context, 'caller' | 'today' | 'elsewhere'> {
  readonly abortSignal?: AbortSignal | undefined;
}

/** The responses that the cache has for a request, in the order of its points. */
export interface Found {
  /** Their bodies; undefined for each that is not cached. */
  readonly bodies: readonly (Buffer | undefined)[];
  /**
   * Adds those that were made for the missing ones, in their order, and caches them in the background, under the keys of the
   * lookup.
   * @returns all bodies; undefined if the data have changed since the lookup, so that all have to be made.
   */
  complete(made: readonly Buffer[]): readonly Buffer[] | Promise<readonly Buffer[] | undefined>;
}

/**
 * Responses that are cached between requests only while they are valid: the key contains the data version, the caller's
 * grants and the days of the states. Responses about a point are cached by the boundaries that cover it, so that neighbouring points
 * share them. These boundaries are cached for map tiles that no boundary crosses, so that most points need no
 * statement; a requested location is never cached.
 */
export interface ResponseCache {
  /**
   * Finds the cached responses about points, or the one about all data: without a promise if all that it takes is in memory.
   * @param key identifies what is requested of the data.
   * @param points undefined for a response about all data.
   */
  find(key: string, points: readonly Point[] | undefined, scope: CacheScope): Found | Promise<Found>;
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

  /**
   * Caches responses that were created since a version was seen, unless it has changed. The request does not wait for it.
   * @param entries the rest of each key is that of its lookup.
   */
  function storeIfProved(before: CurrentVersion, entries: readonly (readonly [string, Buffer])[]): void {
    const store = (proved: ProvedVersion | undefined) => {
      if (!proved) return;
      const full = entries.map(([key, body]) => [`${proved.state} ${key}`, withoutPool(body)] as const);
      for (const [key, body] of full) responses.set(key, body);
      shared?.set(full);
    };
    versions.prove(before).then(store, () => undefined);
  }

  const footprints = createOwnLoader<FootprintRequest, Footprint | undefined>(
    async (requests) => {
      const readAt = now();
      const found = (await findFootprints(requests)).map((each) => {
        // Their digest, because they are part of each key: a point may have hundreds.
        return each && { ...each, boundaries: hash('sha256', each.boundaries, 'base64url') };
      });
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

  /** Returns what the responses depend on. Those about all data depend on no boundaries. */
  function dependenciesOfAll(points: readonly Point[] | undefined) {
    if (!points) {
      const { fresh } = versions;
      return fresh ? [{ ...fresh, boundaries: '' }] : versions.read().then((read) => [{ ...read, boundaries: '' }]);
    }
    const found = points.map(dependenciesOf);
    const isCached = (each: (typeof found)[number]): each is Dependencies => !(each instanceof Promise);
    return found.every(isCached) ? found : Promise.all(found);
  }

  /** Finds responses by what they depend on, in memory or in the shared cache. */
  function findBy(key: string, all: readonly (Dependencies | undefined)[], scope: CacheScope): Found | Promise<Found> {
    const [first] = all;
    // Points that were looked up at different times may have different data versions.
    if (!first || all.some((other) => other?.state !== first.state)) return nothingOf(all.length);
    const scopeText = scopeKey(scope);
    const keys = all.map((each) => `${scopeText} ${each?.boundaries} ${key}`);
    const bodies = keys.map((each) => responses.get(`${first.state} ${each}`));
    if (!shared || !bodies.includes(undefined)) return foundOf(first, keys, bodies);
    const missing = indicesOf(bodies).map((index) => `${first.state} ${keys[index]}`);
    return untilAborted(shared.get(missing), scope.abortSignal).then((ofOthers) => {
      for (const [index, body] of ofOthers.entries())
        if (body) responses.set(missing[index] as string, withoutPool(body));
      return foundOf(first, keys, filled(bodies, ofOthers));
    });
  }

  function foundOf(before: CurrentVersion, keys: readonly string[], bodies: readonly (Buffer | undefined)[]): Found {
    return {
      bodies,
      complete(made) {
        const missing = indicesOf(bodies);
        const entries = missing.map((index, position) => [keys[index] as string, made[position] as Buffer] as const);
        storeIfProved(before, entries);
        const all = filled(bodies, made) as readonly Buffer[];
        if (missing.length === bodies.length) return all;
        return versions.read().then(({ state }) => (state === before.state ? all : undefined));
      },
    };
  }

  return {
    find(key, points, scope) {
      // The 180th meridian has two longitudes, which is too rare to handle here.
      if (points?.some(({ longitude }) => Math.abs(longitude) === 180)) return nothingOf(points.length);
      const found = dependenciesOfAll(points);
      if (!(found instanceof Promise)) return findBy(key, found, scope);
      return untilAborted(found, scope.abortSignal).then((all) => findBy(key, all, scope));
    },
  };
}

/** Returns that no response is cached, and none of those that are made may be. */
function nothingOf(length: number): Found {
  return { bodies: Array.from({ length }, () => undefined), complete: (made) => made };
}

/** Returns the indices of the bodies that are missing. */
function indicesOf(bodies: readonly (Buffer | undefined)[]): number[] {
  return [...bodies.keys()].filter((index) => bodies[index] === undefined);
}

/** Returns bodies with others for the missing ones, in their order. */
function filled(bodies: readonly (Buffer | undefined)[], others: readonly (Buffer | undefined)[]) {
  let at = 0;
  return bodies.map((body) => body ?? others[at++]);
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
 * Returns the cache scope: callers with the same grants on the same days receive the same responses. The name of a
 * package is irrelevant.
 */
function scopeKey({ caller: { grants }, today, elsewhere = '' }: CacheScope): string {
  return `${today}${elsewhere} ${grantsKey(grants)}`;
}
