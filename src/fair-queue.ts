import { ServiceError } from './errors.ts';

// Not p-queue, bottleneck or async-sema: none of them shares one set of permits between keys. They serve in the order of
// arrival, by priority, or each key apart from all others.

export interface FairQueueOptions {
  /** Permits in total: pieces of work that run at once. */
  readonly size: number;
  /** Permits that one key holds at most; a function is asked whenever work may begin. */
  readonly perKey: number | (() => number);
  /** Milliseconds after which a waiting piece of work is rejected; 0 for no limit. */
  readonly timeoutMs?: number;
}

/** Bounds how much work runs at once, and shares it fairly between the keys (of callers) that the work is done for. */
export interface FairQueue {
  /** Pieces of work that wait. */
  readonly waiting: number;
  /**
   * Runs a piece of work when it is the turn of its key. The permit is returned when the promise of the work settles.
   * @param signal removes the work from the queue when it is aborted; it does not end work that has begun.
   * @throws ServiceError OVERLOADED when the work waited longer than `timeoutMs`; the reason of the signal.
   */
  run<T>(key: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Estimates for how many milliseconds another piece of work of a key would wait; 0 when it would begin at once. */
  waitMs(key: number): number;
  /** Returns that one of several keys whose next piece of work would begin first. */
  leastBusy(keys: readonly [number, ...number[]]): number;
}

interface Waiting {
  readonly since: number;
  readonly start: () => void;
}

/** What is known of a key while it has work that runs or waits. */
interface KeyState {
  running: number;
  readonly waiting: Set<Waiting>;
  /** The number of its last turn, counted over all keys. */
  lastTurn: number;
  /** Milliseconds for which work of the key holds a permit, on average. */
  holdMs: number;
}

/** The weight of the latest piece of work in the mean. */
const WEIGHT = 0.2;

/**
 * Creates a queue in which keys with waiting work take turns: a key that queues a hundred pieces of work delays the next
 * piece of any other key by one piece, not by a hundred. Within a key, the order is that of arrival.
 */
export function createFairQueue({ size, perKey, timeoutMs = 0 }: FairQueueOptions): FairQueue {
  const mostPerKey = typeof perKey === 'number' ? () => perKey : perKey;
  const keys = new Map<number, KeyState>();
  let running = 0;
  let waiting = 0;
  let turns = 0;
  /** The same as `holdMs` of a key, for work of all keys. */
  let meanHoldMs = 0;

  function stateOf(key: number): KeyState {
    let state = keys.get(key);
    if (!state) {
      state = { running: 0, waiting: new Set(), lastTurn: 0, holdMs: 0 };
      keys.set(key, state);
    }
    return state;
  }

  function enter(state: KeyState): void {
    state.running++;
    running++;
    state.lastTurn = ++turns;
  }

  /** Returns the state of the key that is next: with the fewest permits of those that may have one more, then served longest ago. */
  function nextState(): KeyState | undefined {
    const most = mostPerKey();
    let next: KeyState | undefined;
    for (const state of keys.values()) {
      if (state.waiting.size === 0 || state.running >= most) continue;
      const isEarlier =
        !next || state.running < next.running || (state.running === next.running && state.lastTurn < next.lastTurn);
      if (isEarlier) next = state;
    }
    return next;
  }

  function startNext(): void {
    while (running < size && waiting > 0) {
      const state = nextState();
      const [first] = state?.waiting ?? [];
      if (!state || !first) return;
      remove(state, first);
      enter(state);
      first.start();
    }
  }

  function remove(state: KeyState, item: Waiting): void {
    if (state.waiting.delete(item)) waiting--;
  }

  function forgetIdle(key: number, state: KeyState): void {
    if (state.running === 0 && state.waiting.size === 0) keys.delete(key);
  }

  function turnOf(key: number, state: KeyState, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (error: unknown) => {
        settle();
        remove(state, item);
        forgetIdle(key, state);
        reject(error);
      };
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = () => leave(signal?.reason);
      const timer = timeoutMs > 0 ? setTimeout(() => leave(waitedTooLong(timeoutMs)), timeoutMs) : undefined;
      const item: Waiting = {
        since: performance.now(),
        start: () => {
          settle();
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      state.waiting.add(item);
      waiting++;
    });
  }

  return {
    get waiting() {
      return waiting;
    },
    async run(key, work, signal) {
      signal?.throwIfAborted();
      const state = stateOf(key);
      if (running < size && state.running < mostPerKey()) enter(state);
      else await turnOf(key, state, signal);
      const began = performance.now();
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        const heldMs = performance.now() - began;
        state.holdMs += (state.holdMs === 0 ? 1 : WEIGHT) * (heldMs - state.holdMs);
        meanHoldMs += (meanHoldMs === 0 ? 1 : WEIGHT) * (heldMs - meanHoldMs);
        state.running--;
        running--;
        startNext();
        forgetIdle(key, state);
      }
    },
    waitMs(key) {
      const own = keys.get(key);
      const most = mostPerKey();
      const isFree = running < size && (own?.running ?? 0) < most;
      if (isFree) return 0;
      const ahead = own?.waiting.size ?? 0;
      // Before the new piece of work, each other key has as many turns as there are turns of its own key.
      let turnsMs = 0;
      // A key that has waited without a single permit shows how long the turn of a new one takes at least.
      let shownMs = 0;
      for (const state of keys.values()) {
        turnsMs += Math.min(state.waiting.size, ahead + 1) * (state.holdMs || meanHoldMs);
        if (state === own || state.running === 0) shownMs = Math.max(shownMs, longestWaitMs(state));
      }
      return Math.max(shownMs, turnsMs / size, own ? (ahead * (own.holdMs || meanHoldMs)) / most : 0);
    },
    leastBusy([first, ...others]) {
      const load = (key: number) => {
        const state = keys.get(key);
        return state ? state.running + state.waiting.size : 0;
      };
      return others.reduce((least, key) => (load(key) < load(least) ? key : least), first);
    },
  };
}

function longestWaitMs({ waiting }: KeyState): number {
  const [first] = waiting;
  return first ? performance.now() - first.since : 0;
}

function waitedTooLong(ms: number): ServiceError {
  return new ServiceError(
    'OVERLOADED',
    `The request waited longer than ${ms} ms for a database connection, behind others of the same key or of all. Try again in a second.`,
  );
}
