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
  isDue: boolean;
}

/** Statements of one kind that run at once: as many as keep the database busy while one answer is read. */
const AT_ONCE = 2;
const MOST_KEYS = 2_000;

/**
 * Lets requests that read the same kind of thing at the same time read it in one statement. Nothing is kept: what a
 * request gets was read after it asked. Nobody waits when nothing runs.
 *
 * @param open the store for one statement, which ends with the asker's signal: when all who asked for it are gone.
 */
export function createSharedReads(open: (asker: Asker) => Database): SharedRead {
  const lines = new Map<Fetch<never, never>, Line>();

  function lineOf(fetch: Fetch<never, never>): Line {
    const line = lines.get(fetch) ?? { waiting: [], running: 0, isDue: false };
    lines.set(fetch, line);
    return line;
  }

  function start(fetch: Fetch<never, never>, line: Line): void {
    while (line.running < AT_ONCE && line.waiting.length > 0) {
      const batch = takeBatch(line);
      line.running++;
      void run(fetch, batch, open).finally(() => {
        line.running--;
        start(fetch, line);
      });
    }
  }

  return (fetch, keys, asker) =>
    new Promise((resolve, reject) => {
      const line = lineOf(fetch as unknown as Fetch<never, never>);
      line.waiting.push({ ...asker, keys, resolve: resolve as Asked['resolve'], reject });
      if (line.isDue) return;
      line.isDue = true;
      // What else this turn of the event loop brings goes along.
      setImmediate(() => {
        line.isDue = false;
        start(fetch as unknown as Fetch<never, never>, line);
      });
    });
}

function takeBatch(line: Line): Asked[] {
  let keys = 0;
  let count = 0;
  for (const asked of line.waiting) {
    keys += asked.keys.length;
    if (count > 0 && keys > MOST_KEYS) break;
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
