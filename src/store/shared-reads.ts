import type { Database } from './database.ts';
import { type ObserveStatement, observeAll } from './observe-statement.ts';

/** Reads the values of keys, one for each, in their order. What it reads must hang on nothing but the keys. */
export type Fetch<Key, Value> = (db: Database, keys: readonly Key[]) => Promise<readonly Value[]>;

/** Who asks: until when anybody waits, and who is told of the statement. */
export interface Asker {
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

interface Line {
  waiting: Asked[];
  running: number;
}

type AnyFetch = Fetch<never, never>;

/** Statements of one kind that run at once: as many as keep the database busy while one answer is read. */
const AT_ONCE = 3;
const MOST_KEYS = 2_000;

/**
 * Lets requests that read the same kind of thing at the same time read it in one statement; in several, where the
 * database would have too little to do. Nothing is kept: what a request gets was read after it asked. Nobody waits when
 * nothing runs.
 *
 * @param open the store for one statement, which ends with the asker's signal: when all who asked for it are gone.
 */
export function createSharedReads(open: (asker: Asker) => Database): SharedRead {
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
    while (line.running < AT_ONCE && line.waiting.length > 0) {
      const batch = takeBatch(line, most);
      line.running++;
      running++;
      void run(fetch, batch, open).finally(() => {
        line.running--;
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
        line = { waiting: [], running: 0 };
        lines.set(kind, line);
      }
      line.waiting.push({ ...asker, keys, resolve: resolve as Asked['resolve'], reject });
      // What else this turn of the event loop brings goes along.
      if (due.size === 0) setImmediate(startDue);
      due.add(kind);
    });
}

/** @param most how many who ask, at least one. */
function takeBatch(line: Line, most: number): Asked[] {
  let keys = 0;
  let count = 0;
  for (const asked of line.waiting) {
    keys += asked.keys.length;
    if (count === most || (count > 0 && keys > MOST_KEYS)) break;
    count++;
  }
  return line.waiting.splice(0, count);
}

async function run(
  fetch: Fetch<never, never>,
  batch: readonly Asked[],
  open: (asker: Asker) => Database,
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
