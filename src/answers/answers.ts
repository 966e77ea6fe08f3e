import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/caller.ts';
import type { Point } from '../districts/districts.store.ts';
import type { Context } from '../graphql/context.ts';
import { dataVersion } from '../store/data-version.ts';
import type { Database } from '../store/database.ts';
import { type Footing, footingsOf } from './answers.store.ts';
import { createBatches, untilAborted } from './batches.ts';

/** How long a version counts after it was asked for: an answer is never older than this and one statement. */
const FRESH_MS = 500;
/**
 * Nothing is kept for so long after the version has changed: of several replicas behind one address, one may tell the
 * new version while another still has the old data.
 */
const SETTLING_MS = 2_000;
const POINTS_AT_ONCE = 128;
const LOOKUPS_AT_ONCE = 2;
/** What an entry takes besides its bytes. */
const OVERHEAD = 300;

/** Who asks, and until when anybody waits. */
export interface Asking extends Pick<Context, 'caller' | 'today'> {
  readonly ending?: AbortSignal | undefined;
}

/** Makes the answers to the points with these places in the list; undefined when they may not be kept. */
type Make = (missing: readonly number[]) => Promise<readonly Buffer[] | undefined>;

/**
 * Answers that are kept between requests, only as long as they are true: under the version of the data, what the caller
 * may see, and the day. Those about a point are kept under the boundaries that cover it, so that neighbours share them;
 * where somebody lives is not kept.
 */
export interface Answers {
  /**
   * @param key tells apart what is asked about the data.
   * @returns undefined when `make` does.
   */
  ofData(key: string, asking: Asking, make: () => Promise<Buffer | undefined>): Promise<Buffer | undefined>;
  /** The same for points, one answer for each, in their order. */
  ofPoints(key: string, points: readonly Point[], asking: Asking, make: Make): Promise<readonly Buffer[] | undefined>;
}

export interface AnswersOptions {
  readonly bytes: number;
  readonly now?: () => number;
  readonly settlingMs?: number;
}

export function createAnswers(db: Database, options: AnswersOptions): Answers {
  const { bytes, now = () => performance.now(), settlingMs = SETTLING_MS } = options;
  const kept = new LRUCache<string, Buffer>({
    maxSize: bytes,
    sizeCalculation: (body, key) => body.length + key.length + OVERHEAD,
  });
  let known: { readonly version: number; readonly askedAt: number; readonly since: number } | undefined;
  let reading: Promise<number> | undefined;

  /** Two statements may overtake one another: only a newer version counts. */
  function note(version: number, askedAt: number): void {
    if (known && version < known.version) return;
    const since = known?.version === version ? known.since : now();
    known = { version, askedAt: Math.max(askedAt, known?.askedAt ?? 0), since };
  }

  function mayKeep(version: number): boolean {
    return known?.version === version && now() - known.since >= settlingMs;
  }

  async function read(): Promise<number> {
    const askedAt = now();
    const version = await dataVersion(db);
    note(version, askedAt);
    return version;
  }

  async function currentVersion(): Promise<number> {
    if (known && now() - known.askedAt < FRESH_MS) return known.version;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  const footingOf = createBatches<Point, Footing | undefined>(
    async (points) => {
      const askedAt = now();
      const footings = await footingsOf(db, points);
      const version = footings[0]?.version;
      if (version !== undefined) note(version, askedAt);
      return footings;
    },
    { atOnce: LOOKUPS_AT_ONCE, largest: POINTS_AT_ONCE },
  );

  return {
    async ofData(key, asking, make) {
      const version = await untilAborted(currentVersion(), asking.ending);
      const full = `${version} ${audienceOf(asking)} ${key}`;
      const known = kept.get(full);
      if (known) return known;
      const made = await make();
      if (made && mayKeep(version)) kept.set(full, made);
      return made;
    },
    async ofPoints(key, points, asking, make) {
      // The 180th meridian has two names, which is not worth a rule here.
      if (points.some(({ longitude }) => Math.abs(longitude) === 180)) return make([...points.keys()]);
      const footings = await untilAborted(Promise.all(points.map(footingOf)), asking.ending);
      const audience = audienceOf(asking);
      const keys = footings.map((footing) => footing && `${footing.version} ${audience} ${footing.boundaries} ${key}`);
      const found = keys.map((each) => (each === undefined ? undefined : kept.get(each)));
      const missing = [...found.keys()].filter((index) => found[index] === undefined);
      if (missing.length > 0) {
        const made = await make(missing);
        if (!made) return undefined;
        for (const [place, index] of missing.entries()) {
          const [body, full, version] = [made[place], keys[index], footings[index]?.version];
          found[index] = body;
          if (body && full !== undefined && version !== undefined && mayKeep(version)) kept.set(full, body);
        }
      }
      return found as Buffer[];
    },
  };
}

const audiences = new WeakMap<Caller['grants'], string>();

/** Who sees the same: callers with the same grants, on the same day. What a package is called does not matter. */
function audienceOf({ caller: { grants }, today }: Asking): string {
  const audience = audiences.get(grants) ?? [...grants].sort().join();
  audiences.set(grants, audience);
  return `${today} ${audience}`;
}
