import type { Database } from './database.ts';
import { type ObserveStatement, observeAll } from './observe-statement.ts';

/** Reads the values of keys, one for each, in their order. What it reads must hang on nothing but the keys. */
export type Fetch<Key, Value> = (db: Database, keys: readonly Key[]) => Promise<readonly Value[]>;

/** The caller of a read: its API key, until when it waits, and the observer of the statement. */
export interface Asker {
  /** The id of the API key. */
  readonly keyId: number;
  readonly ending: AbortSignal;
  readonly observe?: ObserveStatement | undefined;
}

export type SharedRead = <Key, Value>(
  fetch: Fetch<Key, Value>,
  keys: readonly Key[],
  asker: Asker,
) => Promise<readonly Value[]>;

interface Asked extends Asker {
  readonly keys: readonly unknown[];
  readonly resolve: (values: readonly never[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The callers of one statement, for which it is opened: all their API keys, the end of the last one, their observers. */
export interface Askers extends Omit<Asker, 'keyId'> {
  readonly keyIds: readonly [number, ...number[]];
}

interface Line {
  waiting: Asked[];
  running: number;
  /** Running statements by the API keys that take part in them. */
  readonly runningOf: Map<number, number>;
}

type AnyFetch = Fetch<never, never>;

/** Statements of one kind that run at once for an API key: as many as keep the database busy while one answer is read. */
const AT_ONCE = 3;
/** Statements of one kind that run at once for all API keys. An API key never takes part in all of them. */
const MOST_AT_ONCE = AT_ONCE + 1;
const MOST_KEYS = 2_000;
/** Keys that every API key may bring into a statement of several, even if another one brings fewer. */
const FEW_KEYS = 3;

/**
 * Lets requests that read the same kind of thing at the same time read it in one statement; in several, where the
 * database would have too little to do. Nothing is kept: what a request gets was read after it asked. Nobody waits when
 * nothing runs.
 *
 * Sharing is fair between API keys. In a statement of several, each brings about as many keys as the one that brings
 * the fewest, so that a small read never waits for the result of a large one; what is left goes into the next statements.
 * An API key that takes part in `AT_ONCE` statements of a kind leaves one more to the others.
 *
 * @param open the store for one statement, which ends with the signal: when all who asked for it are gone.
 */
export function createSharedReads(open: (askers: Askers) => Database): SharedRead {
  /**
   * One for each function, as long as there is that. Not made and forgotten with each statement: an old map leaves tables
   * behind by this, and what stood in them is taken for alive until the old generation is collected.
   */
  const lines = new WeakMap<AnyFetch, Line>();
  /** In which somebody has come to wait in this turn of the event loop. */
  let due = new Set<AnyFetch>();
  let running = 0;

  /** @param beside how many lines start together. */
  function start(fetch: AnyFetch, beside: number): void {
    const line = lines.get(fetch);
    if (!line) return;
    const parts = Math.max(1, Math.floor((AT_ONCE - running) / beside));
    const most = Math.ceil(line.waiting.length / parts);
    while (line.running < MOST_AT_ONCE && line.waiting.length > 0) {
      const batch = takeBatch(line, most);
      const [first, ...others] = new Set(batch.map(({ keyId }) => keyId));
      if (first === undefined) return;
      const keyIds: Askers['keyIds'] = [first, ...others];
      count(line, keyIds, 1);
      running++;
      void run(fetch, batch, (askers) => open({ ...askers, keyIds })).finally(() => {
        count(line, keyIds, -1);
        running--;
        start(fetch, 1);
      });
    }
  }

  function startDue(): void {
    const fetches = due;
    due = new Set();
    for (const fetch of fetches) start(fetch, fetches.size);
  }

  return (fetch, keys, asker) =>
    new Promise((resolve, reject) => {
      const kind = fetch as unknown as AnyFetch;
      let line = lines.get(kind);
      if (!line) {
        line = { waiting: [], running: 0, runningOf: new Map() };
        lines.set(kind, line);
      }
      line.waiting.push({ ...asker, keys, resolve: resolve as Asked['resolve'], reject });
      // What else this turn of the event loop brings goes along.
      if (due.size === 0) setImmediate(startDue);
      due.add(kind);
    });
}

/** Counts a statement that begins (1) or has ended (-1). */
function count(line: Line, keyIds: readonly number[], change: 1 | -1): void {
  line.running += change;
  for (const keyId of keyIds) {
    const ofKey = (line.runningOf.get(keyId) ?? 0) + change;
    if (ofKey > 0) line.runningOf.set(keyId, ofKey);
    else line.runningOf.delete(keyId);
  }
}

/**
 * Takes the reads of the next statement out of the line, from the API keys by turns.
 * @param most reads that it takes; of an API key at least one, however many keys that has.
 * @returns an empty list when each API key that waits has as many statements as it may have.
 */
function takeBatch(line: Line, most: number): Asked[] {
  const lists = new Map<number, Asked[]>();
  for (const asked of line.waiting) {
    if ((line.runningOf.get(asked.keyId) ?? 0) >= AT_ONCE) continue;
    const list = lists.get(asked.keyId);
    if (list) list.push(asked);
    else lists.set(asked.keyId, [asked]);
  }
  const share = Math.max(FEW_KEYS, Math.min(...[...lists.values()].map(keysOf)));
  const [oldest] = lists.values();
  // The read that has waited longest is next in any case: a large one together with others of its API key only.
  const isAlone = oldest !== undefined && (lists.size === 1 || (oldest[0]?.keys.length ?? 0) > share);
  const batch = new Set(isAlone ? takeTurns([oldest], most, MOST_KEYS) : takeTurns([...lists.values()], most, share));
  line.waiting = line.waiting.filter((asked) => !batch.has(asked));
  return [...batch];
}

/** Takes reads from lists by turns, at most `most`, and of each list as many as have `share` keys or the first. */
function takeTurns(lists: readonly (readonly Asked[])[], most: number, share: number): Asked[] {
  const turns = lists.map((list) => ({ list, keys: 0 }));
  const taken: Asked[] = [];
  let keys = 0;
  for (let turn = 0; taken.length < most && turns.some(({ list }) => list.length > turn); turn++) {
    for (const each of turns) {
      const asked = each.list[turn];
      if (!asked || taken.length === most) continue;
      each.keys += asked.keys.length;
      const fits = each.keys <= share && keys + asked.keys.length <= MOST_KEYS;
      if (!fits && taken.length > 0) {
        // What comes later in the list does not overtake it.
        each.list = [];
        continue;
      }
      taken.push(asked);
      keys += asked.keys.length;
    }
  }
  return taken;
}

function keysOf(list: readonly Asked[]): number {
  return list.reduce((sum, { keys }) => sum + keys.length, 0);
}

async function run(
  fetch: Fetch<never, never>,
  batch: readonly Asked[],
  open: (askers: Omit<Askers, 'keyIds'>) => Database,
): Promise<void> {
  const ending = endingOfAll(batch);
  const observe = observeAll(batch.map((asked) => asked.observe));
  try {
    const values = await fetch(open({ ending: ending.signal, observe }), batch.flatMap(({ keys }) => keys) as never[]);
    let from = 0;
    for (const { keys, resolve } of batch) {
      resolve(values.slice(from, from + keys.length));
      from += keys.length;
    }
  } catch (error) {
    for (const { ending: own, reject } of batch) reject(own.aborted ? own.reason : error);
  } finally {
    ending.forget();
  }
}

/** Whoever's time is over gives up at once; the statement ends with the last of them. */
function endingOfAll(batch: readonly Asked[]) {
  const all = new AbortController();
  let left = batch.length;
  const listeners = batch.map(({ ending, reject }) => {
    const giveUp = () => {
      reject(ending.reason);
      if (--left === 0) all.abort(ending.reason);
    };
    if (ending.aborted) giveUp();
    else ending.addEventListener('abort', giveUp, { once: true });
    return () => ending.removeEventListener('abort', giveUp);
  });
  return {
    signal: all.signal,
    forget: () => {
      for (const remove of listeners) remove();
    },
  };
}
