import type { ServiceError } from './errors.ts';

// Not p-queue, bottleneck or async-sema: none of them shares one set of permits between keys. They process tasks in
// order of arrival, by priority, or each key independently of all others.

export interface FairQueueOptions {
  /** Number of permits, which is the maximum number of concurrent tasks. */
  readonly size: number;
  /** Maximum number of permits for one key; a function is called whenever a task may start. */
  readonly perKey: number | (() => number);
  /** How long and how many tasks may wait; no limit if omitted. */
  readonly waiting?: WaitingLimits;
}

export interface WaitingLimits {
  /** Milliseconds after which a queued task is rejected; 0 for no limit. */
  readonly ms: number;
  /** Maximum number of queued tasks of one key; no limit if omitted. */
  readonly perKey?: number;
  /**
   * Returns the error of a task that waited too long, or that is one too many of its key.
   * @param isFull whether all permits are taken; otherwise the key has all that it may have.
   */
  readonly error: (isFull: boolean) => ServiceError;
}

/** Ends the permit of a task; to be called once. */
export type Leave = () => void;

/**
 * Limits the number of concurrent tasks, and shares the permits fairly between the keys (of callers, or their addresses)
 * that the tasks belong to.
 */
export interface FairQueue<Key = number> {
  /** Number of tasks that have a permit. */
  readonly running: number;
  /** Number of queued tasks. */
  readonly waiting: number;
  /**
   * Takes a permit when it is the turn of a key, without a promise if it may have one at once.
   * @param signal removes the task from the queue when it is aborted; the promise is rejected with its reason.
   */
  enter(key: Key, signal?: AbortSignal): Leave | Promise<Leave>;
  /** Runs a task with a permit, which is returned when the promise of the task settles. */
  run<T>(key: Key, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Returns whether a key has no running and no queued task. */
  isIdle(key: Key): boolean;
}

interface Waiting {
  readonly start: () => void;
}

/** The state of a key while it has running or queued tasks. */
interface KeyState {
  running: number;
  readonly waiting: Set<Waiting>;
  /** The number of its last turn, counted over all keys. */
  lastTurn: number;
}

/**
 * Creates a queue in which keys with queued tasks take turns: a key that queues a hundred tasks delays the next task of
 * any other key by one task, not by a hundred. Tasks of the same key run in order of arrival.
 */
export function createFairQueue<Key = number>({ size, perKey, waiting: limits }: FairQueueOptions): FairQueue<Key> {
  const mostPerKey = typeof perKey === 'number' ? () => perKey : perKey;
  const keys = new Map<Key, KeyState>();
  let running = 0;
  let waiting = 0;
  let turns = 0;

  function stateOf(key: Key): KeyState {
    let state = keys.get(key);
    if (!state) {
      state = { running: 0, waiting: new Set(), lastTurn: 0 };
      keys.set(key, state);
    }
    return state;
  }

  function start(state: KeyState): void {
    state.running++;
    running++;
    state.lastTurn = ++turns;
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
      start(state);
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
      const refuse = () => leave(limits?.error(running >= size));
      const timer = limits && limits.ms > 0 ? setTimeout(refuse, limits.ms) : undefined;
      const item: Waiting = {
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

  async function enterInTurn(key: Key, state: KeyState, signal: AbortSignal | undefined): Promise<Leave> {
    if (limits?.perKey !== undefined && state.waiting.size >= limits.perKey) {
      forgetIdle(key, state);
      throw limits.error(running >= size);
    }
    await turnOf(key, state, signal);
    const leave = leaverOf(key, state);
    if (!signal?.aborted) return leave;
    leave();
    throw signal.reason;
  }

  function leaverOf(key: Key, state: KeyState): Leave {
    return () => {
      state.running--;
      running--;
      startNext();
      forgetIdle(key, state);
    };
  }

  function enter(key: Key, signal?: AbortSignal): Leave | Promise<Leave> {
    signal?.throwIfAborted();
    const state = stateOf(key);
    if (running >= size || state.running >= mostPerKey()) return enterInTurn(key, state, signal);
    start(state);
    return leaverOf(key, state);
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
    enter,
    async run(key, work, signal) {
      const entered = enter(key, signal);
      const leave = entered instanceof Promise ? await entered : entered;
      try {
        return await work();
      } finally {
        leave();
      }
    },
    isIdle: (key) => !keys.has(key),
  };
}
