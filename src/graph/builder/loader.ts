import DataLoader from 'dataloader';
import type { Fetch, ReadKind } from '../../store/reading/shared-reads.ts';
import type { Context } from './context.ts';

/** Keys of one statement: the rows of a result are parsed and grouped in one turn of the event loop. */
export const MAX_BATCH_SIZE = 250;

/** Returns the loader of a request: the same instance on each call. */
export type LoaderOf<Key, Value> = (context: Context) => DataLoader<Key, Value, unknown>;

/**
 * Defines a DataLoader of which each request has its own instance.
 * @param batch receives distinct keys and returns one value for each, in their order.
 * @param cacheKeyFn returns a primitive that identifies a key that is not primitive itself, for example an id with
 * arguments.
 */
export function createLoader<Key, Value>(
  batch: (context: Context, keys: readonly Key[]) => Promise<readonly Value[]>,
  cacheKeyFn?: (key: Key) => unknown,
): LoaderOf<Key, Value> {
  const options = { maxBatchSize: MAX_BATCH_SIZE, ...(cacheKeyFn && { cacheKeyFn }) };
  return (context) => loaderFor(context, options, () => new DataLoader((keys) => batch(context, keys), options));
}

/**
 * Returns the loader of an execution for a definition, and creates it on the first call.
 * @param definition identifies the loader: an object or the id of a `ReadKind`.
 */
export function loaderFor<Key, Value>(
  context: Context,
  definition: object | string,
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
 * Returns the kind of read of an execution for a definition and its variant, and creates it on the first call: the
 * objects of a list have the same one.
 */
export function readKindFor<Key, Value>(
  context: Context,
  definition: object,
  variant: object | string,
  make: () => ReadKind<Key, Value>,
): ReadKind<Key, Value> {
  context.readKinds ??= new Map();
  const variants = context.readKinds.get(definition) ?? new Map<object | string, ReadKind<never, unknown>>();
  context.readKinds.set(definition, variants);
  const kind = (variants.get(variant) as ReadKind<Key, Value> | undefined) ?? make();
  variants.set(variant, kind as unknown as ReadKind<never, unknown>);
  return kind;
}

/** Reads keys in one statement with other requests if the context supports it; otherwise in a separate statement. */
export function readShared<Key, Value>(
  context: Context,
  kind: ReadKind<Key, Value>,
  keys: readonly Key[],
): Promise<readonly Value[]> {
  return context.readShared ? context.readShared(kind, keys) : kind.fetch(context.db, keys);
}

/**
 * Wraps a fetch function so that each key is passed once: requests of one region share their country, state and county.
 */
export function dedupeKeys<Key, Value>(
  fetch: Fetch<Key, Value>,
  identity: (key: Key) => unknown = (key) => key,
): Fetch<Key, Value> {
  return (db, keys) => {
    const distinct = new Map(keys.map((key) => [identity(key), key]));
    if (distinct.size === keys.length) return fetch(db, keys);
    return fetch(db, [...distinct.values()]).then((values) => {
      const found = new Map([...distinct.keys()].map((id, index) => [id, values[index] as Value]));
      return keys.map((key) => found.get(identity(key)) as Value);
    });
  };
}
