import { LRUCache } from 'lru-cache';

/** Below the promised 5 seconds by the time that a look-up itself may take. */
const FRESH_MS = 4_000;
/** From this age on a value is looked up again while it still counts, so that a key in steady use never waits for it. */
const REFRESH_MS = 3_000;
/** Values are looked up again together, so that many keys in steady use take few statements. */
const GATHER_MS = 300;
/** How long a value still counts while the store does not answer. */
const GRACE_MS = 60_000;
/** While the store does not answer, it is asked for a known value this seldom. */
const RETRY_MS = 1_000;

export interface LookupCacheOptions<Value> {
  readonly look: (key: string) => Promise<Value | undefined>;
  /** Found values kept, and as many keys that are known to have none; the least recently used go first. */
  readonly size: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Told of each look-up: how many milliseconds it took, and how it ended. */
  readonly onLook?: OnLook | undefined;
}

export type OnLook = (ms: number, outcome: 'found' | 'absent' | 'failed') => void;

interface Entry<Value> {
  readonly value: Value;
  /** When the look-up began: what it found is at least as new as that. */
  readonly at: number;
  retryAt: number;
}

/**
 * Remembers what look-ups found and that they found nothing, both for less than 5 seconds. Requests that ask for the
 * same key at once share one look-up. When a look-up fails, a value found in the last 60 seconds is served instead;
 * what was not known is refused with the error.
 */
export function createLookupCache<Value extends object>(options: LookupCacheOptions<Value>) {
  const now = options.now ?? (() => performance.now());
  const found = new LRUCache<string, Entry<Value>>({ max: options.size });
  // Apart from the found ones, so that a flood of unknown keys does not push those out.
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

  /** Looks known values up again in the background. When that fails, the next request that needs a fresh value looks it up. */
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
