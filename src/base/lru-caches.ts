import { LRUCache } from 'lru-cache';

/**
 * The caches between requests: responses, the boundaries that cover points, parsed documents, rewritten documents, persisted
 * queries, vector tiles.
 */
export type CacheName = 'responses' | 'point_boundaries' | 'documents' | 'plans' | 'persisted' | 'tiles';

/** The limit of a cache: a number of entries, or a sum of their sizes. */
type Options<Key, Value> =
  | { readonly max: number; readonly maxSize?: never; readonly sizeCalculation?: never }
  | { readonly max?: never; readonly maxSize: number; readonly sizeCalculation: (value: Value, key: Key) => number };

/** The largest part of a cache that the entries of one API key may have. */
const SHARE_OF_KEY = 0.5;

interface Entry<Value> {
  readonly value: Value;
  /** The API key whose request it was made for; undefined if that does not matter. */
  readonly keyId: number | undefined;
  readonly size: number;
}

/**
 * An LRU cache that counts its hits, misses and evictions for the metrics. The `status` option of lru-cache reports the
 * outcome of one call in an object that the caller creates, and counts nothing.
 */
class CountedCache<Key extends object | string, Value extends object | string> {
  readonly #entries: LRUCache<Key, Entry<Value>>;
  readonly #sizeOf: (value: Value, key: Key) => number;
  readonly #share: number;
  /** The sizes of the entries of each API key together. */
  readonly #amounts = new Map<number, number>();
  hits = 0;
  misses = 0;
  /** Entries removed to make room. */
  evictions = 0;

  constructor({ max, maxSize, sizeCalculation = () => 1 }: Options<Key, Value>) {
    this.#sizeOf = sizeCalculation;
    this.#share = (maxSize ?? max ?? 0) * SHARE_OF_KEY;
    this.#entries = new LRUCache<Key, Entry<Value>>({
      ...(maxSize === undefined ? { max: max ?? 0 } : { maxSize, sizeCalculation: ({ size }) => size }),
      dispose: (entry, _key, reason) => {
        if (reason === 'evict') this.evictions++;
        this.#add(entry, -entry.size);
      },
    });
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) this.misses++;
    else this.hits++;
    return entry?.value;
  }

  /**
   * Caches a value.
   * @param keyId the API key that it was made for. Above its share of the cache, it replaces its own least recently used entries,
   * so that one key with many texts does not remove those of all others.
   */
  set(key: Key, value: Value, keyId?: number): void {
    const entry = { value, keyId, size: this.#sizeOf(value, key) };
    this.#entries.set(key, entry);
    // What is larger than the whole cache is not stored.
    if (keyId === undefined || this.#entries.peek(key) !== entry) return;
    this.#add(entry, entry.size);
    for (const old of this.#entries.rkeys()) {
      if ((this.#amounts.get(keyId) ?? 0) <= this.#share) break;
      if (this.#entries.peek(old)?.keyId !== keyId) continue;
      this.#entries.delete(old);
      this.evictions++;
    }
  }

  #add({ keyId }: Entry<Value>, size: number): void {
    if (keyId === undefined) return;
    const amount = (this.#amounts.get(keyId) ?? 0) + size;
    if (amount > 0) this.#amounts.set(keyId, amount);
    else this.#amounts.delete(keyId);
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
