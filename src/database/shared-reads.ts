import type { Database } from './database.ts';
import { type ObserveStatement, observeAll } from './observe-statement.ts';

/** Reads the values of keys, one for each, in their order. The values must depend on nothing but the keys. */
export type Fetch<Key, Value> = (db: Database, keys: readonly Key[]) => Promise<readonly Value[]>;

/** The caller of a read: its API key, its abort signal, and the observer of the statement. */
export interface Waiter {
  /** The id of the API key. */
  readonly keyId: number;
  readonly abortSignal: AbortSignal;
  readonly observe?: ObserveStatement | undefined;
}

export type SharedRead = <Key, Value>(
  fetch: Fetch<Key, Value>,
  keys: readonly Key[],
  waiter: Waiter,
) => Promise<readonly Value[]>;

interface WaitingRead extends Waiter {
  readonly keys: readonly unknown[];
  readonly resolve: (values: readonly never[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The callers of one statement: all their API keys, a signal that is aborted when all of them are, and their observers.
 */
export interface Waiters extends Omit<Waiter, 'keyId'> {
  readonly keyIds: readonly [number, ...number[]];
}

interface Line {
  waiting: WaitingRead[];
  running: number;
  /** The number of running statements that each API key takes part in. */
  readonly runningOf: Map<number, number>;
}

type AnyFetch = Fetch<never, never>;

/**
 * Maximum number of concurrent statements of one kind for an API key: enough to keep the database busy while one result
 * is being read.
 */
const AT_ONCE = 3;
/** Maximum number of concurrent statements of one kind for all API keys. An API key never takes part in all of them. */
const MOST_AT_ONCE = AT_ONCE + 1;
const MOST_KEYS = 2_000;
/** The number of keys that every API key may add to a shared statement, even if another one adds fewer. */
const FEW_KEYS = 3;

/**
 * Creates the function that reads the same kind of data for several concurrent requests in one statement, or in several
 * if the database would otherwise be underused. Nothing is cached: a request receives data that was read after its
 * call. If nothing is running, a read starts without waiting.
 *
 * Sharing is fair between API keys. In a shared statement, each API key has about as many keys as the one with the
 * fewest, so that a small read never waits for the result of a large one; the remaining keys are read by the next
 * statements. An API key that takes part in `AT_ONCE` statements of a kind leaves one more to the others.
 *
 * @param open returns the database handle for one statement, which is aborted with the signal: when the signals of all
 * its callers are aborted.
 */
export function createSharedReads(open: (waiters: Waiters) => Database): SharedRead {
  /**
   * One queue for each function, as long as the function exists. Queues are not created and dropped for each statement:
   * the old tables of a map remain in memory, and V8 treats their contents as alive until it collects the old
   * generation.
   */
  const lines = new WeakMap<AnyFetch, Line>();
  /** The functions whose queue got a read in this turn of the event loop. */
  let due = new Set<AnyFetch>();
  let running = 0;

  /**
   * Starts the statements of a queue.
   * @param beside the number of queues that start together.
   */
  function start(fetch: AnyFetch, beside: number): void {
    const line = lines.get(fetch);
    if (!line) return;
    const parts = Math.max(1, Math.floor((AT_ONCE - running) / beside));
    const most = Math.ceil(line.waiting.length / parts);
    while (line.running < MOST_AT_ONCE && line.waiting.length > 0) {
      const batch = takeBatch(line, most);
      const [first, ...others] = new Set(batch.map(({ keyId }) => keyId));
      if (first === undefined) return;
      const keyIds: Waiters['keyIds'] = [first, ...others];
      count(line, keyIds, 1);
      running++;
      void run(fetch, batch, (waiters) => open({ ...waiters, keyIds })).finally(() => {
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

  return (fetch, keys, waiter) =>
    new Promise((resolve, reject) => {
      const kind = fetch as unknown as AnyFetch;
      let line = lines.get(kind);
      if (!line) {
        line = { waiting: [], running: 0, runningOf: new Map() };
        lines.set(kind, line);
      }
      line.waiting.push({ ...waiter, keys, resolve: resolve as WaitingRead['resolve'], reject });
      // Deferred, to include the other reads of this turn of the event loop.
      if (due.size === 0) setImmediate(startDue);
      due.add(kind);
    });
}

/** Updates the counters when a statement starts (1) or has ended (-1). */
function count(line: Line, keyIds: readonly number[], change: 1 | -1): void {
  line.running += change;
  for (const keyId of keyIds) {
    const ofKey = (line.runningOf.get(keyId) ?? 0) + change;
    if (ofKey > 0) line.runningOf.set(keyId, ofKey);
    else line.runningOf.delete(keyId);
  }
}

/**
 * Removes the reads of the next statement from the queue, in turns between the API keys.
 * @param most maximum number of reads; at least one for an API key, regardless of the number of its keys.
 * @returns an empty list if each API key with queued reads already has its maximum number of statements.
 */
function takeBatch(line: Line, most: number): WaitingRead[] {
  const lists = new Map<number, WaitingRead[]>();
  for (const read of line.waiting) {
    if ((line.runningOf.get(read.keyId) ?? 0) >= AT_ONCE) continue;
    const list = lists.get(read.keyId);
    if (list) list.push(read);
    else lists.set(read.keyId, [read]);
  }
  const share = Math.max(FEW_KEYS, Math.min(...[...lists.values()].map(keysOf)));
  const [oldest] = lists.values();
  // The oldest read is always next: a large one only together with others of its API key.
  const isAlone = oldest !== undefined && (lists.size === 1 || (oldest[0]?.keys.length ?? 0) > share);
  const batch = new Set(isAlone ? takeTurns([oldest], most, MOST_KEYS) : takeTurns([...lists.values()], most, share));
  line.waiting = line.waiting.filter((read) => !batch.has(read));
  return [...batch];
}

/**
 * Takes reads from lists in turns, at most `most`, and from each list until it has `share` keys, but at least the first
 * read of all.
 */
function takeTurns(lists: readonly (readonly WaitingRead[])[], most: number, share: number): WaitingRead[] {
  const turns = lists.map((list) => ({ list, keys: 0 }));
  const taken: WaitingRead[] = [];
  let keys = 0;
  for (let turn = 0; taken.length < most && turns.some(({ list }) => list.length > turn); turn++) {
    for (const each of turns) {
      const read = each.list[turn];
      if (!read || taken.length === most) continue;
      each.keys += read.keys.length;
      const fits = each.keys <= share && keys + read.keys.length <= MOST_KEYS;
      if (!fits && taken.length > 0) {
        // Later reads of the list do not overtake it.
        each.list = [];
        continue;
      }
      taken.push(read);
      keys += read.keys.length;
    }
  }
  return taken;
}

function keysOf(list: readonly WaitingRead[]): number {
  return list.reduce((sum, { keys }) => sum + keys.length, 0);
}

async function run(
  fetch: Fetch<never, never>,
  batch: readonly WaitingRead[],
  open: (waiters: Omit<Waiters, 'keyIds'>) => Database,
): Promise<void> {
  const combined = combineSignals(batch);
  const observe = observeAll(batch.map((read) => read.observe));
  try {
    const values = await fetch(
      open({ abortSignal: combined.signal, observe }),
      batch.flatMap(({ keys }) => keys) as never[],
    );
    let from = 0;
    for (const { keys, resolve } of batch) {
      resolve(values.slice(from, from + keys.length));
      from += keys.length;
    }
  } catch (error) {
    for (const { abortSignal: own, reject } of batch) reject(own.aborted ? own.reason : error);
  } finally {
    combined.forget();
  }
}

/** Rejects each read as soon as its own signal is aborted; the statement is aborted with the last of them. */
function combineSignals(batch: readonly WaitingRead[]) {
  const all = new AbortController();
  let left = batch.length;
  const listeners = batch.map(({ abortSignal, reject }) => {
    const abort = () => {
      reject(abortSignal.reason);
      if (--left === 0) all.abort(abortSignal.reason);
    };
    if (abortSignal.aborted) abort();
    else abortSignal.addEventListener('abort', abort, { once: true });
    return () => abortSignal.removeEventListener('abort', abort);
  });
  return {
    signal: all.signal,
    forget: () => {
      for (const remove of listeners) remove();
    },
  };
}
