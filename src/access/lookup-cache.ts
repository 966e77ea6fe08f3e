import { LRUCache } from 'lru-cache';

/** Below the promised 5 seconds by the time that a lookup itself may take. */
const FRESH_MS = 4_000;
/**
 * Values older than this are refreshed in the background while they are still valid, so that a key in steady use never
 * waits for a lookup.
 */
const REFRESH_MS = 3_000;
/** Refreshes are batched, so that many keys in steady use need few statements. */
const GATHER_MS = 300;
/** How long a value remains valid while the database does not respond. */
const GRACE_MS = 60_000;
/** Interval between lookups of a cached value while the database does not respond. */
const RETRY_MS = 1_000;

export interface LookupCacheOptions<Value> {
  readonly look: (key: string) => Promise<Value | undefined>;
  /** Maximum number of cached values, and of cached keys without a value; the least recently used are evicted first. */
  readonly size: number;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Called after each lookup with its duration in milliseconds and its outcome. */
  readonly onLook?: OnLook | undefined;
}

export type OnLook = (ms: number, outcome: 'found' | 'absent' | 'failed') => void;

interface Entry<Value> {
  readonly value: Value;
  /** When the lookup started: the value is at least as new as that. */
  readonly at: number;
  retryAt: number;
}

/**
 * Creates a cache of lookups, with and without a result, that are valid for less than 5 seconds. Concurrent requests
 * for the same key share one lookup. If a lookup fails, a value found in the last 60 seconds is served instead; keys
 * that are not cached get the error.
 */
export function createLookupCache<Value extends object>(options: LookupCacheOptions<Value>) {
  const now = options.now ?? (() => performance.now());
  const found = new LRUCache<string, Entry<Value>>({ max: options.size });
  // Stored separately, so that a flood of unknown keys does not evict found values.
  const absent = new LRUCache<string, number>({ max: options.size });
  const running = new Map<string, Promise<Value | undefined>>();

  async function look(key: string): Promise<Value | undefined> {
    const at = now();
    const value = await options.look(key).catch((error) => {
      options.onLook?.(now() - at, 'failed');
      throw error;
    });
    options.onLook?.(now() - at, value ? 'found' : 'absent');
    if (value) {
      found.set(key, { value, at, retryAt: 0 });
      absent.delete(key);
    } else {
      found.delete(key);
      absent.set(key, at);
    }
    return value;
  }

  function lookOnce(key: string): Promise<Value | undefined> {
    const shared = running.get(key) ?? look(key).finally(() => running.delete(key));
    running.set(key, shared);
    return shared;
  }

  let due = new Map<string, Entry<Value>>();

  /**
   * Refreshes cached values in the background. If that fails, the next request that needs a fresh value looks it up.
   */
  function refreshDue(): void {
    const entries = due;
    due = new Map();
    for (const [key, known] of entries) {
      lookOnce(key).catch(() => {
        known.retryAt = Math.max(known.retryAt, known.at + FRESH_MS);
      });
    }
  }

  function refreshSoon(key: string, known: Entry<Value>): void {
    if (due.size === 0) setTimeout(refreshDue, GATHER_MS).unref();
    due.set(key, known);
  }

  return async function get(key: string): Promise<Value | undefined> {
    const time = now();
    const known = found.get(key);
    if (known && time < known.retryAt) return known.value;
    if (known && time - known.at < FRESH_MS) {
      if (time - known.at >= REFRESH_MS) refreshSoon(key, known);
      return known.value;
    }
    const absentSince = absent.get(key);
    if (!known && absentSince !== undefined && time - absentSince < FRESH_MS) return undefined;
    try {
      return await lookOnce(key);
    } catch (error) {
      if (!known || now() - known.at > GRACE_MS) throw error;
      known.retryAt = Math.min(now() + RETRY_MS, known.at + GRACE_MS);
      return known.value;
    }
  };
}
