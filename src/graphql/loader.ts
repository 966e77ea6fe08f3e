import DataLoader from 'dataloader';
import type { Fetch } from '../store/shared-reads.ts';
import type { Context } from './context.ts';
import type { RowsInSql } from './in-sql.ts';

/** Returns the loader of a request; the same one each time. */
export type LoaderOf<Key, Value> = (context: Context) => DataLoader<Key, Value, unknown>;

/**
 * Defines a DataLoader that each request has one of.
 * @param batch gets distinct keys and returns one value for each, in their order.
 * @param cacheKeyFn returns what identifies a key that is no plain value, for example an id with its arguments.
 */
export function createLoader<Key, Value>(
  batch: (context: Context, keys: readonly Key[]) => Promise<readonly Value[]>,
  cacheKeyFn?: (key: Key) => unknown,
): LoaderOf<Key, Value> {
  const definition = Symbol('loader');
  return (context) =>
    loaderFor(
      context,
      definition,
      () => new DataLoader((keys) => batch(context, keys), cacheKeyFn ? { cacheKeyFn } : {}),
    );
}

/**
 * Returns the loader that a request has under a key, made on the first call. Loaders are members of the context and not
 * values of a WeakMap: V8 takes what the table of an old WeakMap holds for alive until it collects the old generation.
 */
export function loaderFor<Key, Value>(
  context: Context,
  definition: unknown,
  make: () => DataLoader<Key, Value, unknown>,
): DataLoader<Key, Value, unknown> {
  context.loaders ??= new Map();
  const found = context.loaders.get(definition) as DataLoader<Key, Value, unknown> | undefined;
  if (found) return found;
  const made = make();
  context.loaders.set(definition, made as unknown as DataLoader<never, unknown, unknown>);
  return made;
}

/**
 * Defines a DataLoader whose statements a request shares with other requests that read the same at the same time.
 * @param fetchFor returns the statement for a caller: always the same function for the same grants.
 * @param onValue gets each value that was read, for example to prime other loaders with parts of it.
 */
export function createSharedLoader<Key, Value>(
  fetchFor: (context: Context) => Fetch<Key, Value>,
  cacheKeyFn: (key: Key) => unknown = (key) => key,
  onValue?: (context: Context, value: Value) => void,
): LoaderOf<Key, Value> {
  const deduped = new WeakMap<Fetch<Key, Value>, Fetch<Key, Value>>();
  return createLoader(async (context, keys: readonly Key[]) => {
    const whole = fetchFor(context);
    const fetch = deduped.get(whole) ?? dedupeKeys(whole, cacheKeyFn);
    deduped.set(whole, fetch);
    const values = await readShared(context, fetch, keys);
    if (onValue) for (const value of values) onValue(context, value);
    return values;
  }, cacheKeyFn);
}

/** Reads in one statement with other requests, where the context has them; else by a statement of its own. */
export function readShared<Key, Value>(
  context: Context,
  fetch: Fetch<Key, Value>,
  keys: readonly Key[],
): Promise<readonly Value[]> {
  return context.readShared ? context.readShared(fetch, keys) : fetch(context.db, keys);
}

/** Returns the same fetch with each key passed once: requests of one region have their country, state and county in common. */
export function dedupeKeys<Key, Value>(
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

interface LoadableOptions<Parent, Args, Value> {
  readonly extensions: { readonly inSql?: RowsInSql };
  readonly resolve: (parent: Parent, args: Args, context: Context) => Promise<Value>;
}

/**
 * Returns the options of a field whose value a loader reads.
 * @param keyOf returns the key of an object's value; null where it has none.
 * @param inSql how SQL finds the same rows.
 */
export function loadable<Parent, Key, Value, Args = unknown>(
  loader: LoaderOf<Key, Value>,
  keyOf: (parent: Parent, args: Args, context: Context) => NoInfer<Key>,
  inSql?: RowsInSql<Args>,
): LoadableOptions<Parent, Args, Value>;
export function loadable<Parent, Key, Value, Args = unknown>(
  loader: LoaderOf<Key, Value>,
  keyOf: (parent: Parent, args: Args, context: Context) => NoInfer<Key> | null,
  inSql?: RowsInSql<Args>,
): LoadableOptions<Parent, Args, Value | null>;
export function loadable<Parent, Key, Value, Args>(
  loader: LoaderOf<Key, Value>,
  keyOf: (parent: Parent, args: Args, context: Context) => Key | null,
  inSql?: RowsInSql<Args>,
): LoadableOptions<Parent, Args, Value | null> {
  return {
    extensions: inSql ? { inSql: inSql as RowsInSql } : {},
    resolve: (parent, args, context) => {
      const key = keyOf(parent, args, context);
      return key === null ? NOTHING : loader(context).load(key);
    },
  };
}

const NOTHING = Promise.resolve(null);

/** Returns one value for each key, in their order. @throws what failed first. */
export function loadAll<Key, Value>(
  loader: DataLoader<Key, Value, unknown>,
  keys: readonly Key[],
): Promise<readonly Value[]> {
  return Promise.all(keys.map((key) => loader.load(key)));
}

/** Returns the rows of each key, in the order of the keys and, within a key, in the order of the rows. */
export function groupByKey<Row, Key>(keys: readonly Key[], rows: readonly Row[], keyOf: (row: Row) => Key): Row[][] {
  const groups = new Map<Key, Row[]>(keys.map((key) => [key, []]));
  for (const row of rows) groups.get(keyOf(row))?.push(row);
  return keys.map((key) => groups.get(key) ?? []);
}

/** Returns the row of each key, or null where there is none. */
export function matchByKey<Row, Key>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): (Row | null)[] {
  const found = new Map<Key, Row>(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => found.get(key) ?? null);
}
