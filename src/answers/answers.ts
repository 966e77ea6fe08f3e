import { grantsKey } from '../access/grants.ts';
import { createBatches } from '../batches.ts';
import type { Point } from '../districts/districts.store.ts';
import type { Context } from '../graphql/context.ts';
import { Caches } from '../observe/caches.ts';
import type { DataState } from '../store/data-state.ts';
import { untilAborted } from '../until-aborted.ts';
import { type Footing, type Ground, type Look, squareOf } from './answers.store.ts';
import type { SharedAnswers } from './shared-answers.ts';

/** How long a state counts after it was asked for: an answer is never older than this and one statement. */
const FRESH_MS = 500;
/**
 * Of a standby, nothing is kept for so long after the state has changed: of several behind one address, one may have the
 * new state while another still has the old data.
 */
const SETTLING_MS = 2_000;
const POINTS_AT_ONCE = 128;
const LOOKUPS_AT_ONCE = 2;
/** What an entry takes besides its bytes. */
const OVERHEAD = 300;
/** The part of the bytes that is for squares. */
const SQUARES_SHARE = 1 / 8;
/** Kept of a square that a boundary crosses: each of its points is looked up. */
const CROSSED = '';

/** Who asks, and until when anybody waits. */
export interface Asking extends Pick<Context, 'caller' | 'today'> {
  readonly ending?: AbortSignal | undefined;
}

/** Makes the answers to the points with these places in the list; undefined when they may not be kept. */
type Make = (missing: readonly number[]) => Promise<readonly Buffer[] | undefined>;

/**
 * Answers that are kept between requests, only as long as they are true: under the state of the data, what the caller
 * may see, and the day. Those about a point are kept under the boundaries that cover it, so that neighbours share them.
 * Which these are is kept for squares of the map that no boundary crosses, so that most points need no statement; where
 * somebody lives is not kept.
 */
export interface Answers {
  /**
   * @param key tells apart what is asked about the data.
   * @returns undefined when `make` does.
   */
  ofData(key: string, asking: Asking, make: () => Promise<Buffer | undefined>): Promise<Buffer | undefined>;
  /** Returns what is cached here and valid without a statement; undefined where that is not known. */
  peekData(key: string, asking: Asking): Buffer | undefined;
  /** The same for points: one response for each, or undefined. */
  peekPoints(key: string, points: readonly Point[], asking: Asking): readonly Buffer[] | undefined;
  /** The same for points, one answer for each, in their order. */
  ofPoints(key: string, points: readonly Point[], asking: Asking, make: Make): Promise<readonly Buffer[] | undefined>;
}

export interface AnswersOptions {
  readonly bytes: number;
  readonly now?: () => number;
  readonly settlingMs?: number;
  /** Those of other gateways. */
  readonly shared?: SharedAnswers | undefined;
  readonly caches?: Caches;
}

export function createAnswers(ground: Ground, options: AnswersOptions): Answers {
  const { bytes, now = () => performance.now(), settlingMs = SETTLING_MS, shared, caches = new Caches() } = options;
  const kept = caches.open<string, Buffer>('answers', {
    maxSize: Math.ceil(bytes * (1 - SQUARES_SHARE)),
    sizeCalculation: (body, key) => body.length + key.length + OVERHEAD,
  });
  /** Boundaries by state and square. */
  const squares = caches.open<string, string>('squares', {
    maxSize: Math.ceil(bytes * SQUARES_SHARE),
    sizeCalculation: (boundaries, key) => boundaries.length + key.length + OVERHEAD,
  });
  let known: (CurrentState & { readonly askedAt: number; readonly since: number }) | undefined;
  const readState = createBatches<undefined, CurrentState>(
    async (askers) => {
      const askedAt = now();
      const current = await ground.state();
      note(current, askedAt);
      return askers.map(() => current);
    },
    { atOnce: 1, largest: Number.POSITIVE_INFINITY },
  );

  /** Two statements may overtake one another: what was asked for later counts. */
  function note({ state, isStandby }: CurrentState, askedAt: number): void {
    if (known && askedAt < known.askedAt) return;
    const since = known?.state === state ? known.since : now();
    known = { state, isStandby, askedAt, since };
  }

  function freshState(): CurrentState | undefined {
    return known && now() - known.askedAt < FRESH_MS ? known : undefined;
  }

  /**
   * Keeps what was made after the state was seen. Of a standby only where it still has that state: by now, another one
   * that is further behind may have taken its place.
   */
  async function keep({ state, isStandby }: CurrentState, entries: readonly (readonly [string, Buffer])[]) {
    if (isStandby && (known?.state !== state || now() - known.since < settlingMs)) return;
    if (isStandby && (await readState(undefined)).state !== state) return;
    for (const [key, body] of entries) kept.set(key, alone(body));
    shared?.set(entries);
  }

  /** What is kept under keys, in their order, here or by another gateway. */
  async function find(keys: readonly string[], ending: AbortSignal | undefined): Promise<(Buffer | undefined)[]> {
    const found = keys.map((key) => kept.get(key));
    const missing = keys.filter((_, index) => found[index] === undefined);
    if (missing.length === 0 || !shared) return found;
    const ofOthers = await untilAborted(shared.get(missing), ending);
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

  /** What a point stands on: at once where its square tells. */
  function standingOf(point: Point): Standing | Promise<Standing | undefined> {
    const boundaries = known && squares.get(squareKey(known, point));
    const current = boundaries ? freshState() : undefined;
    if (boundaries && current) return { ...current, boundaries };
    return look({ ...point, withSquare: boundaries === undefined });
  }

  async function standingsOf(points: readonly Point[], ending: AbortSignal | undefined) {
    const found = points.map(standingOf);
    const isKnown = (each: (typeof found)[number]): each is Standing => !(each instanceof Promise);
    return found.every(isKnown) ? found : untilAborted(Promise.all(found), ending);
  }

  return {
    peekData(key, asking) {
      const current = freshState();
      return current && kept.peek(`${current.state} ${audienceOf(asking)} ${key}`);
    },
    peekPoints(key, points, asking) {
      const current = freshState();
      if (!current) return undefined;
      const audience = audienceOf(asking);
      const found: Buffer[] = [];
      for (const point of points) {
        const boundaries = Math.abs(point.longitude) === 180 ? undefined : squares.peek(squareKey(current, point));
        const body = boundaries && kept.peek(`${current.state} ${audience} ${boundaries} ${key}`);
        if (!body) return undefined;
        found.push(body);
      }
      return found;
    },
    async ofData(key, asking, make) {
      const current = freshState() ?? (await untilAborted(readState(undefined), asking.ending));
      const full = `${current.state} ${audienceOf(asking)} ${key}`;
      const [found] = await find([full], asking.ending);
      if (found) return found;
      const made = await make();
      if (made) keep(current, [[full, made]]).catch(() => undefined);
      return made;
    },
    async ofPoints(key, points, asking, make) {
      // The 180th meridian has two names, which is not worth a rule here.
      if (points.some(({ longitude }) => Math.abs(longitude) === 180)) return make([...points.keys()]);
      const standings = await standingsOf(points, asking.ending);
      const [standing] = standings;
      // Points that were looked up at several times may stand on several states.
      if (!standing || standings.some((other) => other?.state !== standing.state)) return make([...points.keys()]);
      const audience = audienceOf(asking);
      const keys = standings.map((each) => `${standing.state} ${audience} ${each?.boundaries} ${key}`);
      const found = await find(keys, asking.ending);
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
/** What the answers about a point hang on. */
type Standing = Omit<Footing, 'holdsInSquare'>;

function squareKey({ state }: CurrentState, point: Point): string {
  const { south, west } = squareOf(point);
  return `${state} ${south} ${west}`;
}

/** A body that keeps nothing but itself in memory: a small one is a part of a larger block, with what nobody needs. */
function alone(body: Buffer): Buffer {
  if (body.buffer.byteLength < 2 * body.length) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}

/** Who sees the same: callers with the same grants, on the same day. What a package is called does not matter. */
function audienceOf({ caller: { grants }, today }: Asking): string {
  return `${today} ${grantsKey(grants)}`;
}
