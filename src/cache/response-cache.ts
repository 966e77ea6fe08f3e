import { grantsKey } from '../access/grants.ts';
import { createBatches } from '../batches.ts';
import type { DataState } from '../database/data-version.ts';
import type { Point } from '../districts/districts.store.ts';
import type { Context } from '../graphql/context.ts';
import { Caches } from '../lru-caches.ts';
import { untilAborted } from '../until-aborted.ts';
import { type Footing, type Ground, type Look, squareOf } from './footprint.store.ts';
import type { SharedAnswers } from './redis-cache.ts';

/**
 * Milliseconds for which a data version is valid after it was read: a response is never older than this and one
 * statement.
 */
const FRESH_MS = 500;
/**
 * Milliseconds after a change of the data version during which nothing from a standby is cached: of several standbys
 * behind one address, one may have the new version while another still has the old data.
 */
const SETTLING_MS = 2_000;
const POINTS_AT_ONCE = 128;
const LOOKUPS_AT_ONCE = 2;
/** The size of a cache entry in addition to its body and key, in bytes. */
const OVERHEAD = 300;
/** The share of the cache that is used for tiles. */
const SQUARES_SHARE = 1 / 8;
/** Stored for a tile that a boundary crosses: each point in it requires a lookup. */
const CROSSED = '';

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
export interface Answers {
  /**
   * Returns the cached response about the data, or the one that `make` creates.
   * @param key identifies what is requested of the data.
   * @returns undefined if `make` does.
   */
  ofData(key: string, scope: CacheScope, make: () => Promise<Buffer | undefined>): Promise<Buffer | undefined>;
  /** Returns the response that is in memory and known to be valid without a statement; undefined if there is none. */
  peekData(key: string, scope: CacheScope): Buffer | undefined;
  /** Returns such responses for points, one for each; undefined unless all are in memory. */
  peekPoints(key: string, points: readonly Point[], scope: CacheScope): readonly Buffer[] | undefined;
  /** Returns the cached responses for points, or those that `make` creates: one for each, in their order. */
  ofPoints(
    key: string,
    points: readonly Point[],
    scope: CacheScope,
    make: Make,
  ): Promise<readonly Buffer[] | undefined>;
}

export interface AnswersOptions {
  readonly bytes: number;
  readonly now?: () => number;
  readonly settlingMs?: number;
  /** The cache that gateways share over Redis. */
  readonly shared?: SharedAnswers | undefined;
  readonly caches?: Caches;
}

export function createAnswers(ground: Ground, options: AnswersOptions): Answers {
  const { bytes, now = () => performance.now(), settlingMs = SETTLING_MS, shared, caches = new Caches() } = options;
  const kept = caches.open<string, Buffer>('answers', {
    maxSize: Math.ceil(bytes * (1 - SQUARES_SHARE)),
    sizeCalculation: (body, key) => body.length + key.length + OVERHEAD,
  });
  /** The boundaries by data version and tile. */
  const squares = caches.open<string, string>('squares', {
    maxSize: Math.ceil(bytes * SQUARES_SHARE),
    sizeCalculation: (boundaries, key) => boundaries.length + key.length + OVERHEAD,
  });
  let known: (CurrentState & { readonly askedAt: number; readonly since: number }) | undefined;
  const readState = createBatches<undefined, CurrentState>(
    async (waiters) => {
      const askedAt = now();
      const current = await ground.state();
      note(current, askedAt);
      return waiters.map(() => current);
    },
    { atOnce: 1, largest: Number.POSITIVE_INFINITY },
  );

  /** Records the current data version. Two statements may overtake each other: the one that started later counts. */
  function note({ state, isStandby }: CurrentState, askedAt: number): void {
    if (known && askedAt < known.askedAt) return;
    const since = known?.state === state ? known.since : now();
    known = { state, isStandby, askedAt, since };
  }

  function freshState(): CurrentState | undefined {
    return known && now() - known.askedAt < FRESH_MS ? known : undefined;
  }

  /**
   * Caches responses that were created after the data version was read. Those from a standby are cached only if it
   * still has that version: the connection may meanwhile lead to another standby that is further behind.
   */
  async function keep({ state, isStandby }: CurrentState, entries: readonly (readonly [string, Buffer])[]) {
    if (isStandby && (known?.state !== state || now() - known.since < settlingMs)) return;
    if (isStandby && (await readState(undefined)).state !== state) return;
    for (const [key, body] of entries) kept.set(key, alone(body));
    shared?.set(entries);
  }

  /** Returns the cached bodies for keys, in their order, from memory or from the shared cache. */
  async function find(keys: readonly string[], abortSignal: AbortSignal | undefined): Promise<(Buffer | undefined)[]> {
    const found = keys.map((key) => kept.get(key));
    const missing = keys.filter((_, index) => found[index] === undefined);
    if (missing.length === 0 || !shared) return found;
    const ofOthers = await untilAborted(shared.get(missing), abortSignal);
    for (const [index, body] of ofOthers.entries()) if (body) kept.set(missing[index] as string, alone(body));
    return keys.map((key, index) => found[index] ?? ofOthers[missing.indexOf(key)]);
  }

  const look = createBatches<Look, Footing | undefined>(
    async (looks) => {
      const askedAt = now();
      const footings = await ground.footings(looks);
      if (footings[0]) note(footings[0], askedAt);
      for (const [index, asked] of looks.entries()) {
        const footing = footings[index];
        if (footing && asked.withSquare) {
          squares.set(squareKey(footing, asked), footing.holdsInSquare ? footing.boundaries : CROSSED);
        }
      }
      return footings;
    },
    { atOnce: LOOKUPS_AT_ONCE, largest: POINTS_AT_ONCE },
  );

  /** Returns the dependencies of a point: synchronously if its tile is cached and the data version is fresh. */
  function standingOf(point: Point): Standing | Promise<Standing | undefined> {
    const boundaries = known && squares.get(squareKey(known, point));
    const current = boundaries ? freshState() : undefined;
    if (boundaries && current) return { ...current, boundaries };
    return look({ ...point, withSquare: boundaries === undefined });
  }

  async function standingsOf(points: readonly Point[], abortSignal: AbortSignal | undefined) {
    const found = points.map(standingOf);
    const isKnown = (each: (typeof found)[number]): each is Standing => !(each instanceof Promise);
    return found.every(isKnown) ? found : untilAborted(Promise.all(found), abortSignal);
  }

  return {
    peekData(key, scope) {
      const current = freshState();
      return current && kept.peek(`${current.state} ${scopeKey(scope)} ${key}`);
    },
    peekPoints(key, points, scope) {
      const current = freshState();
      if (!current) return undefined;
      const scopeText = scopeKey(scope);
      const found: Buffer[] = [];
      for (const point of points) {
        const boundaries = Math.abs(point.longitude) === 180 ? undefined : squares.peek(squareKey(current, point));
        const body = boundaries && kept.peek(`${current.state} ${scopeText} ${boundaries} ${key}`);
        if (!body) return undefined;
        found.push(body);
      }
      return found;
    },
    async ofData(key, scope, make) {
      const current = freshState() ?? (await untilAborted(readState(undefined), scope.abortSignal));
      const full = `${current.state} ${scopeKey(scope)} ${key}`;
      const [found] = await find([full], scope.abortSignal);
      if (found) return found;
      const made = await make();
      if (made) keep(current, [[full, made]]).catch(() => undefined);
      return made;
    },
    async ofPoints(key, points, scope, make) {
      // The 180th meridian has two longitudes, which is too rare to handle here.
      if (points.some(({ longitude }) => Math.abs(longitude) === 180)) return make([...points.keys()]);
      const standings = await standingsOf(points, scope.abortSignal);
      const [standing] = standings;
      // Points that were looked up at different times may have different data versions.
      if (!standing || standings.some((other) => other?.state !== standing.state)) return make([...points.keys()]);
      const scopeText = scopeKey(scope);
      const keys = standings.map((each) => `${standing.state} ${scopeText} ${each?.boundaries} ${key}`);
      const found = await find(keys, scope.abortSignal);
      const missing = [...found.keys()].filter((index) => found[index] === undefined);
      if (missing.length > 0) {
        const made = await make(missing);
        if (!made) return undefined;
        const isMixed = missing.length < points.length;
        if (isMixed && (await readState(undefined)).state !== standing.state) return make([...points.keys()]);
        for (const [place, index] of missing.entries()) found[index] = made[place];
        const entries = missing.map((index, place) => [keys[index] as string, made[place] as Buffer] as const);
        keep(standing, entries).catch(() => undefined);
      }
      return found as Buffer[];
    },
  };
}

type CurrentState = Pick<DataState, 'state' | 'isStandby'>;
/** The data that a response about a point depends on. */
type Standing = Omit<Footing, 'holdsInSquare'>;

function squareKey({ state }: CurrentState, point: Point): string {
  const { south, west } = squareOf(point);
  return `${state} ${south} ${west}`;
}

/**
 * Returns a body that does not retain other memory: a small buffer is a slice of a larger pool, which would stay
 * allocated.
 */
function alone(body: Buffer): Buffer {
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
