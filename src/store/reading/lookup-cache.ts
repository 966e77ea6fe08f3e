import { LRUCache } from 'lru-cache';
import { readPastConflicts } from '../past-conflicts.ts';

/** Below the promised 5 seconds by the time that a lookup itself may take. */
const FRESH_MS = 4_000;
/**
 * Values older than this are refreshed in the background while they are still valid, so that a key in steady use never
 * waits for a lookup.
 */
const REFRESH_MS = 3_000;
/** How long a value remains valid while the database does not respond. */
const GRACE_MS = 60_000;
/** Interval between lookups of a cached value while the database does not respond. */
const RETRY_MS = 1_000;

export type OnLookup = (ms: number, outcome: 'found' | 'absent' | 'failed') => void;

/** Why a key is looked up. */
interface Reason {
  /** Whether the cached value is still valid, so that nothing waits for the lookup. */
  readonly isRefresh: boolean;
}

export interface LookupCacheOptions<Value> {
  readonly lookup: (key: string, reason: Reason) => Promise<Value | undefined>;
  /** Maximum number of cached values, and of cached keys without a value; the least recently used are evicted first. */
  readonly size: number;
  /** Monotonic clock in milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Called after each lookup with its duration in milliseconds and its outcome. */
  readonly onLookup?: OnLookup | undefined;
}

interface Entry<Value> {
  /** Undefined for a key without a value. */
  readonly value: Value | undefined;
  /** When the lookup started: the value is at least as new as that. */
  readonly at: number;
  readonly refreshAt: number;
}

/**
 * Creates a cache of lookups, with and without a result, that are valid for less than 5 seconds. Concurrent requests
 * for the same key share one lookup. If a lookup fails, a value found in the last 60 seconds is served instead; keys
 * that are not cached get the error.
 */
export function createLookupCache<Value extends object>(options: LookupCacheOptions<Value>) {
  const { lookup, size, now = () => performance.now(), onLookup } = options;
  const fetchMethod: LRUCache.Fetcher<string, Entry<Value>, Reason> = async (key, old, { options, context }) => {
    const at = now();
    try {
      const value = await readPastConflicts(() => lookup(key, context));
      onLookup?.(now() - at, value ? 'found' : 'absent');
      options.ttl = Math.max(1, at + FRESH_MS - now());
      return { value, at, refreshAt: at + REFRESH_MS };
    } catch (error) {
      onLookup?.(now() - at, 'failed');
      const graceMs = old?.value ? old.at + GRACE_MS - now() : 0;
      if (!old || graceMs <= 0) throw error;
      options.ttl = Math.min(RETRY_MS, graceMs);
      return { ...old, refreshAt: Number.POSITIVE_INFINITY };
    }
  };
  const settings = {
    ...{ max: size, ttl: FRESH_MS, ttlResolution: 0, perf: { now }, fetchMethod },
    ...{ ignoreFetchAbort: true, noDeleteOnStaleGet: true },
  };
  const found = new LRUCache<string, Entry<Value>, Reason>(settings);
  // Separate, so that a flood of unknown keys does not evict found values.
  const others = new LRUCache<string, Entry<Value>, Reason>(settings);

  /** Returns a value that was looked up recently without a promise. */
  return function get(key: string): Value | Promise<Value | undefined> {
    const fresh = found.get(key);
    if (fresh?.value && now() < fresh.refreshAt) return fresh.value;
    return fetch(key, fresh !== undefined);
  };

  async function fetch(key: string, isRefresh: boolean): Promise<Value | undefined> {
    if (found.peek(key, { allowStale: true })) {
      const entry = await found.fetch(key, { forceRefresh: isRefresh, allowStale: isRefresh, context: { isRefresh } });
      return entry?.value;
    }
    const entry = await others.fetch(key, { context: { isRefresh: false } });
    if (entry?.value) found.set(key, entry, { ttl: Math.max(1, entry.at + FRESH_MS - now()) });
    return entry?.value;
  }
}
