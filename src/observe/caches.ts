import { LRUCache } from 'lru-cache';

/**
 * What is kept between requests: answers, the squares of the map in which points have the same, documents that were read,
 * operations that come again, statements that the query planner compiled, persisted queries.
 */
export type CacheName = 'answers' | 'squares' | 'documents' | 'operations' | 'statements' | 'persisted';

type Options<Key extends object | string, Value extends object | string> = ConstructorParameters<
  typeof LRUCache<Key, Value>
>[0];

/** A cache that drops what was not used for the longest time, and counts how it is used. */
export class CountedCache<Key extends object | string, Value extends object | string> {
  readonly #kept: LRUCache<Key, Value>;
  hits = 0;
  misses = 0;
  /** What was dropped to make room. */
  evictions = 0;

  constructor(options: Options<Key, Value>) {
    this.#kept = new LRUCache({
      ...options,
      dispose: (_value, _key, reason) => {
        if (reason === 'evict') this.evictions++;
      },
    });
  }

  get(key: Key): Value | undefined {
    const value = this.#kept.get(key);
    if (value === undefined) this.misses++;
    else this.hits++;
    return value;
  }

  set(key: Key, value: Value): void {
    this.#kept.set(key, value);
  }

  get entries(): number {
    return this.#kept.size;
  }

  /** What the entries take together, in the unit of the cache's `maxSize`; 0 where only their number is limited. */
  get amount(): number {
    return this.#kept.calculatedSize;
  }
}

type AnyCache = Pick<CountedCache<string, string>, 'hits' | 'misses' | 'evictions' | 'entries' | 'amount'>;

/** The caches of a service by name, for its metrics. */
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
