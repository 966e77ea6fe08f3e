import { ServiceError } from './errors.ts';

// Not p-queue, bottleneck or async-sema: none of them shares one set of permits between keys. They process tasks in
// order of arrival, by priority, or each key independently of all others.

export interface FairQueueOptions {
  /** Number of permits, which is the maximum number of concurrent tasks. */
  readonly size: number;
  /** Maximum number of permits for one key; a function is called whenever a task may start. */
  readonly perKey: number | (() => number);
  /** Milliseconds after which a queued task is rejected; 0 for no limit. */
  readonly timeoutMs?: number;
}

/**
 * Limits the number of concurrent tasks, and shares the permits fairly between the keys (of callers, or their addresses)
 * that the tasks belong to.
 */
export interface FairQueue<Key = number> {
  /** Number of queued tasks. */
  readonly waiting: number;
  /**
   * Runs a task when it is the turn of its key. The permit is returned when the promise of the task settles.
   * @param signal removes the task from the queue when it is aborted; it does not end a running task.
   * @throws ServiceError OVERLOADED if the task waited longer than `timeoutMs`; the reason of the signal if it was
   * aborted.
   */
  run<T>(key: Key, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Returns the estimated waiting time in milliseconds for another task of a key; 0 if it would start immediately. */
  waitMs(key: Key): number;
  /** Returns whether a key has no running and no queued task. */
  isIdle(key: Key): boolean;
}

interface Waiting {
  readonly since: number;
  readonly start: () => void;
}

/** The state of a key while it has running or queued tasks. */
interface KeyState {
  running: number;
  readonly waiting: Set<Waiting>;
  /** The number of its last turn, counted over all keys. */
  lastTurn: number;
  /** When its last task received a permit. */
  lastStart: number;
  /** The mean time in milliseconds for which successful tasks of the key hold a permit. */
  holdMs: number;
}

/** The weight of the latest task in the moving average. */
const WEIGHT = 0.2;
/** A task counts at most this many times the mean: one that had to connect again after an outage is an exception. */
const OUTLIER = 10;

/** Returns the moving average with the time of another task. */
function updated(mean: number, ms: number): number {
  return mean === 0 ? ms : mean + WEIGHT * (Math.min(ms, OUTLIER * mean) - mean);
}

/**
 * Creates a queue in which keys with queued tasks take turns: a key that queues a hundred tasks delays the next task of
 * any other key by one task, not by a hundred. Tasks of the same key run in order of arrival.
 */
export function createFairQueue<Key = number>({ size, perKey, timeoutMs = 0 }: FairQueueOptions): FairQueue<Key> {
  const mostPerKey = typeof perKey === 'number' ? () => perKey : perKey;
  const keys = new Map<Key, KeyState>();
  let running = 0;
  let waiting = 0;
  let turns = 0;
  /** The same mean as `holdMs`, over the tasks of all keys. */
  let meanHoldMs = 0;

  function stateOf(key: Key): KeyState {
    let state = keys.get(key);
    if (!state) {
      state = { running: 0, waiting: new Set(), lastTurn: 0, lastStart: 0, holdMs: 0 };
      keys.set(key, state);
    }
    return state;
  }

  function enter(state: KeyState): void {
    state.running++;
    running++;
    state.lastTurn = ++turns;
    state.lastStart = performance.now();
  }

  /**
   * Returns the state of the key whose turn is next: among the keys that may have another permit, the one with the
   * fewest, then the one that was served longest ago.
   */
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

  function forgetIdle(key: Key, state: KeyState): void {
    if (state.running === 0 && state.waiting.size === 0) keys.delete(key);
  }

  function turnOf(key: Key, state: KeyState, signal: AbortSignal | undefined): Promise<void> {
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
        const result = await work();
        const heldMs = performance.now() - began;
        state.holdMs = updated(state.holdMs, heldMs);
        meanHoldMs = updated(meanHoldMs, heldMs);
        return result;
      } finally {
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
      // Before the new task, each other key has as many turns as the task's own key.
      let turnsMs = 0;
      // The waiting time of a key without any permit is a lower bound for that of a new key.
      let shownMs = 0;
      for (const state of keys.values()) {
        turnsMs += Math.min(state.waiting.size, ahead + 1) * (state.holdMs || meanHoldMs);
        if (state === own || state.running === 0) shownMs = Math.max(shownMs, longestWaitMs(state));
      }
      return Math.max(shownMs, turnsMs / size, own ? (ahead * (own.holdMs || meanHoldMs)) / most : 0);
    },
    isIdle: (key) => !keys.has(key),
  };
}

/**
 * Returns for how long the first queued task of a key has waited since the queue last moved. Tasks that queued up during
 * an outage do not make the next one wait as long.
 */
function longestWaitMs({ waiting, lastStart }: KeyState): number {
  const [first] = waiting;
  return first ? performance.now() - Math.max(first.since, lastStart) : 0;
}

function waitedTooLong(ms: number): ServiceError {
  return new ServiceError(
    'OVERLOADED',
    `The request waited longer than ${ms} ms for a database connection, behind others of the same key or of all. Try again in a second.`,
  );
}
