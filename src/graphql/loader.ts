import DataLoader from 'dataloader';
import type { Fetch } from '../store/shared-reads.ts';
import type { Context } from './context.ts';

/**
 * A loader per request: keys asked for while one level of the query resolves are fetched in one call of `batch`.
 *
 * @param batch gets distinct keys and answers one value for each, in their order.
 * @param identity tells keys apart that are not plain values, for example an id with its arguments.
 */
export function createLoader<Key, Value>(
  batch: (context: Context, keys: readonly Key[]) => Promise<readonly Value[]>,
  identity: (key: Key) => unknown = (key) => key,
): (context: Context) => DataLoader<Key, Value, unknown> {
  const loaders = new WeakMap<Context, DataLoader<Key, Value, unknown>>();
  return (context) => {
    let loader = loaders.get(context);
    if (!loader) {
      loader = new DataLoader<Key, Value, unknown>((keys) => batch(context, keys), { cacheKeyFn: identity });
      loaders.set(context, loader);
    }
    return loader;
  };
}

/**
 * A loader per request whose statements are shared with other requests that ask for the same at the same time.
 * @param fetchFor which statement it is for a caller: one function for each, always the same.
 * @param onValue gets each value that was read, for example to prime other loaders with parts of it.
 */
export function createSharedLoader<Key, Value>(
  fetchFor: (context: Context) => Fetch<Key, Value>,
  identity?: (key: Key) => unknown,
  onValue?: (context: Context, value: Value) => void,
): (context: Context) => DataLoader<Key, Value, unknown> {
  return createLoader(async (context, keys: readonly Key[]) => {
    const fetch = fetchFor(context);
    const values = await (context.readShared ? context.readShared(fetch, keys) : fetch(context.db, keys));
    if (onValue) for (const value of values) onValue(context, value);
    return values;
  }, identity);
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
