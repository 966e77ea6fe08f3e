import type { Fetch } from '../store/shared-reads.ts';
import type { Context } from './context.ts';
import type { RowsInSql } from './in-sql.ts';

/** Reads values by key, those that are asked for at one level of a query together, and each once. */
export interface Loader<Key, Value> {
  load(key: Key): Promise<Value>;
  /** One value for each key, in their order: at once where all are there, else one promise for all of them. */
  loadAll(keys: readonly Key[]): readonly Value[] | Promise<readonly Value[]>;
  /** Takes over a value that was read by the way. */
  prime(key: Key, value: Value): void;
}

/** Keys that are fetched in one call, and when their values are there. */
class Batch<Key> {
  readonly keys: Key[] = [];
  readonly identities: unknown[] = [];
  readonly done: Promise<void>;

  constructor(run: (batch: Batch<Key>) => Promise<void>) {
    this.done = endOfLevel().then(() => run(this));
    // Whoever waits for it is told.
    this.done.catch(() => undefined);
  }
}

/**
 * A loader per request. Works as the `dataloader` of GraphQL does, but by lists: a promise for each of some hundred
 * objects costs more than reading them.
 *
 * @param batch gets distinct keys and answers one value for each, in their order.
 * @param identity tells keys apart that are not plain values, for example an id with its arguments.
 */
export function createLoader<Key, Value>(
  batch: (context: Context, keys: readonly Key[]) => Promise<readonly Value[]>,
  identity: (key: Key) => unknown = (key) => key,
): (context: Context) => Loader<Key, Value> {
  const id = Symbol('loader');
  return (context) => {
    const loaders = loadersOf(context);
    let loader = loaders.get(id) as Loader<Key, Value> | undefined;
    if (!loader) {
      loader = loaderOf((keys) => batch(context, keys), identity);
      loaders.set(id, loader as Loader<never, unknown>);
    }
    return loader;
  };
}

/**
 * Where a context has its loaders. Not in a WeakMap: as long as its table is old, V8 takes what it holds for alive, however
 * young, and with the loaders all that a request has read.
 */
const LOADERS = Symbol('loaders');
type Loaders = Map<symbol, Loader<never, unknown>>;

function loadersOf(context: Context & { [LOADERS]?: Loaders }): Loaders {
  context[LOADERS] ??= new Map();
  return context[LOADERS];
}

function loaderOf<Key, Value>(
  fetch: (keys: readonly Key[]) => Promise<readonly Value[]>,
  identity: (key: Key) => unknown,
): Loader<Key, Value> {
  /** Values by the identities of their keys; of what is on its way or failed, its batch. */
  const known = new Map<unknown, Value | Batch<Key>>();
  let open: Batch<Key> | undefined;

  function openBatch(): Batch<Key> {
    open ??= new Batch(run);
    return open;
  }

  async function run({ keys, identities }: Batch<Key>): Promise<void> {
    open = undefined;
    if (keys.length === 0) return;
    const found = await fetch(keys);
    identities.forEach((id, index) => {
      known.set(id, found[index] as Value);
    });
  }

  function ask(key: Key, id: unknown): Batch<Key> {
    const batch = openBatch();
    batch.keys.push(key);
    batch.identities.push(id);
    known.set(id, batch);
    return batch;
  }

  function loadAll(keys: readonly Key[]): readonly Value[] | Promise<readonly Value[]> {
    const identities = keys.map(identity);
    const awaited = new Set<Promise<void>>();
    const values = identities.map((id, index) => {
      const found = known.has(id) ? known.get(id) : ask(keys[index] as Key, id);
      if (found instanceof Batch) awaited.add(found.done);
      return found as Value;
    });
    if (awaited.size === 0) return values;
    return Promise.all(awaited).then(() => identities.map((id) => known.get(id) as Value));
  }

  return {
    loadAll,
    async load(key) {
      // What is there already waits with what is asked for beside it, so that both go on together.
      const [found] = await Promise.all([loadAll([key]), openBatch().done.catch(() => undefined)]);
      return found[0] as Value;
    },
    prime(key, value) {
      const id = identity(key);
      if (!known.has(id)) known.set(id, value);
    },
  };
}

/** When all that goes on in this turn has asked for what it needs: behind the promises that are settled already. */
function endOfLevel(): Promise<void> {
  return Promise.resolve().then(() => new Promise((resolve) => process.nextTick(resolve)));
}

/**
 * A loader per request whose statements are shared with other requests that ask for the same at the same time.
 * @param fetchFor which statement it is for a caller: one function for each, always the same.
 * @param onValue gets each value that was read, for example to prime other loaders with parts of it.
 */
export function createSharedLoader<Key, Value>(
  fetchFor: (context: Context) => Fetch<Key, Value>,
  identity: (key: Key) => unknown = (key) => key,
  onValue?: (context: Context, value: Value) => void,
): (context: Context) => Loader<Key, Value> {
  const known = new WeakMap<Fetch<Key, Value>, Fetch<Key, Value>>();
  return createLoader(async (context, keys: readonly Key[]) => {
    const whole = fetchFor(context);
    const fetch = known.get(whole) ?? eachOnce(whole, identity);
    known.set(whole, fetch);
    const values = await readTogether(context, fetch, keys);
    if (onValue) for (const value of values) onValue(context, value);
    return values;
  }, identity);
}

/** Reads in one statement with other requests, where there are any. */
export function readTogether<Key, Value>(
  context: Context,
  fetch: Fetch<Key, Value>,
  keys: readonly Key[],
): Promise<readonly Value[]> {
  return context.readShared ? context.readShared(fetch, keys) : fetch(context.db, keys);
}

/** The same, asked for each key once: requests of one region have their country, state and county in common. */
export function eachOnce<Key, Value>(
  fetch: Fetch<Key, Value>,
  identity: (key: Key) => unknown = (key) => key,
): Fetch<Key, Value> {
  return async (db, keys) => {
    const distinct = new Map(keys.map((key) => [identity(key), key]));
    if (distinct.size === keys.length) return fetch(db, keys);
    const values = await fetch(db, [...distinct.values()]);
    const found = new Map([...distinct.keys()].map((id, index) => [id, values[index] as Value]));
    return keys.map((key) => found.get(identity(key)) as Value);
  };
}

/** How the values of a field are loaded: for many objects at once where the operation is run level by level. */
export interface Loads<Parent, Args, Key, Value> {
  readonly loader: (context: Context) => Loader<Key, Value>;
  readonly keyOf: (parent: Parent, args: Args, context: Context) => Key | null;
}

type LoaderOf<Key, Value> = (context: Context) => Loader<Key, Value>;

interface LoadOptions<Parent, Args, Value> {
  readonly extensions: { readonly loads: Loads<unknown, unknown, unknown, unknown>; readonly inSql?: RowsInSql };
  readonly resolve: (parent: Parent, args: Args, context: Context) => Promise<Value>;
}

/**
 * Options of a field whose value a loader has.
 * @param keyOf the key of an object's value; null where it has none.
 * @param inSql how the store finds the same.
 */
export function loads<Parent, Key, Value, Args = unknown>(
  loader: LoaderOf<Key, Value>,
  keyOf: (parent: Parent, args: Args, context: Context) => NoInfer<Key>,
  inSql?: RowsInSql<Args>,
): LoadOptions<Parent, Args, Value>;
export function loads<Parent, Key, Value, Args = unknown>(
  loader: LoaderOf<Key, Value>,
  keyOf: (parent: Parent, args: Args, context: Context) => NoInfer<Key> | null,
  inSql?: RowsInSql<Args>,
): LoadOptions<Parent, Args, Value | null>;
export function loads<Parent, Key, Value, Args>(
  loader: LoaderOf<Key, Value>,
  keyOf: (parent: Parent, args: Args, context: Context) => Key | null,
  inSql?: RowsInSql<Args>,
): LoadOptions<Parent, Args, Value | null> {
  return {
    extensions: {
      loads: { loader, keyOf } as unknown as Loads<unknown, unknown, unknown, unknown>,
      ...(inSql && { inSql: inSql as RowsInSql }),
    },
    resolve: async (parent, args, context) => {
      const key = keyOf(parent, args, context);
      return key === null ? null : loader(context).load(key);
    },
  };
}

/** The values of keys that are not null, in their places, beside null for those that are. */
export function besideNulls<Value>(keys: readonly unknown[], values: readonly Value[]): readonly (Value | null)[] {
  let next = 0;
  return keys.map((key) => (key === null ? null : (values[next++] as Value)));
}

/** The rows of each key, in the order of the keys and, within a key, in the order of the rows. */
export function groupByKey<Row, Key>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): Row[][] {
  const groups = new Map<Key, Row[]>(keys.map((key) => [key, []]));
  for (const row of rows) groups.get(keyOf(row))?.push(row);
  return keys.map((key) => groups.get(key) ?? []);
}

/** The row of each key, or null where there is none. */
export function matchByKey<Row, Key>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): (Row | null)[] {
  const found = new Map<Key, Row>(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => found.get(key) ?? null);
}
