import { LRUCache } from 'lru-cache';

/**
 * The caches between requests: responses, the boundaries that cover points, parsed documents, rewritten documents, persisted
 * queries, vector tiles.
 */
export type CacheName = 'responses' | 'point_boundaries' | 'documents' | 'plans' | 'persisted' | 'tiles';

type Options<Key extends object | string, Value extends object | string> = ConstructorParameters<
  typeof LRUCache<Key, Value>
>[0];

/**
 * An LRU cache that counts its hits, misses and evictions for the metrics. The `status` option of lru-cache reports the
 * outcome of one call in an object that the caller creates, and counts nothing.
 */
class CountedCache<Key extends object | string, Value extends object | string> {
  readonly #entries: LRUCache<Key, Value>;
  hits = 0;
  misses = 0;
  /** Entries removed to make room. */
  evictions = 0;

  constructor(options: Options<Key, Value>) {
    this.#entries = new LRUCache({
      ...options,
      dispose: (_value, _key, reason) => {
        if (reason === 'evict') this.evictions++;
      },
    });
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) this.misses++;
    else this.hits++;
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value);
  }

  get entries(): number {
    return this.#entries.size;
  }

  /** The total size of the entries in the unit of `maxSize`; 0 if only their number is limited. */
  get amount(): number {
    return this.#entries.calculatedSize;
  }
}

type AnyCache = Pick<CountedCache<string, string>, 'hits' | 'misses' | 'evictions' | 'entries' | 'amount'>;

/** The caches of a gateway by name, for its metrics. */
export class Caches {
  readonly #opened = new Map<CacheName, AnyCache>();

  open<Key extends object | string, Value extends object | string>(
    name: CacheName,
    options: Options<Key, Value>,
  ): CountedCache<Key, Value> {
    const cache = new CountedCache(options);
    this.#opened.set(name, cache);
    return cache;
  }

  [Symbol.iterator](): IterableIterator<[CacheName, AnyCache]> {
    return this.#opened[Symbol.iterator]();
  }
}
