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
 * Limits the number of concurrent tasks, and shares the permits fairly between the keys (of callers, or their addresses)
 * that the tasks belong to. Keys with queued tasks take turns: a key that queues a hundred tasks delays the next task of
 * any other key by one task, not by a hundred. Tasks of the same key run in order of arrival.
 */
export class FairQueue<Key = number> {
  readonly #options: FairQueueOptions;
  readonly #keys = new Map<Key, KeyState>();
  #running = 0;
  #waiting = 0;
  #turns = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Number of tasks that have a permit. */
  get running(): number {
    return this.#running;
  }

  /** Number of queued tasks. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Returns whether a key has no running and no queued task. */
  isIdle(key: Key): boolean {
    return !this.#keys.has(key);
  }

  /**
   * Takes a permit when it is the turn of a key, without a promise if it may have one at once.
   * @param signal removes the task from the queue when it is aborted; the promise is rejected with its reason.
   */
  enter(key: Key, signal?: AbortSignal): Leave | Promise<Leave> {
    signal?.throwIfAborted();
    let state = this.#keys.get(key);
    if (!state) {
      state = { running: 0, waiting: new Set(), lastTurn: 0 };
      this.#keys.set(key, state);
    }
    if (this.#isFull || state.running >= this.#mostPerKey) return this.#enterInTurn(key, state, signal);
    return this.#start(key, state);
  }

  /** Runs a task with a permit, which is returned when the promise of the task settles. */
  async run<T>(key: Key, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const entered = this.enter(key, signal);
    const leave = entered instanceof Promise ? await entered : entered;
    try {
      return await work();
    } finally {
      leave();
    }
  }

  get #isFull(): boolean {
    return this.#running >= this.#options.size;
  }

  get #mostPerKey(): number {
    const { perKey } = this.#options;
    return typeof perKey === 'number' ? perKey : perKey();
  }

  /** Gives a permit to a key. */
  #start(key: Key, state: KeyState): Leave {
    state.running++;
    this.#running++;
    state.lastTurn = ++this.#turns;
    return () => {
      state.running--;
      this.#running--;
      this.#startNext();
      this.#forgetIdle(key, state);
    };
  }

  /**
   * Returns the state of the key whose turn is next: among the keys that may have another permit, the one with the
   * fewest, then the one that was served longest ago.
   */
  #nextState(): KeyState | undefined {
    const most = this.#mostPerKey;
    let next: KeyState | undefined;
    for (const state of this.#keys.values()) {
      if (state.waiting.size === 0 || state.running >= most) continue;
      const isEarlier =
        !next || state.running < next.running || (state.running === next.running && state.lastTurn < next.lastTurn);
      if (isEarlier) next = state;
    }
    return next;
  }

  #startNext(): void {
    while (!this.#isFull && this.#waiting > 0) {
      const state = this.#nextState();
      const [first] = state?.waiting ?? [];
      if (!state || !first) return;
      this.#remove(state, first);
      first.start();
    }
  }

  #remove(state: KeyState, item: Waiting): void {
    if (state.waiting.delete(item)) this.#waiting--;
  }

  #forgetIdle(key: Key, state: KeyState): void {
    if (state.running === 0 && state.waiting.size === 0) this.#keys.delete(key);
  }

  async #enterInTurn(key: Key, state: KeyState, signal: AbortSignal | undefined): Promise<Leave> {
    const { waiting: limits } = this.#options;
    if (limits?.perKey !== undefined && state.waiting.size >= limits.perKey) {
      this.#forgetIdle(key, state);
      throw limits.error(this.#isFull);
    }
    const leave = await this.#turnOf(key, state, signal);
    if (!signal?.aborted) return leave;
    leave();
    throw signal.reason;
  }

  #turnOf(key: Key, state: KeyState, signal: AbortSignal | undefined): Promise<Leave> {
    const { waiting: limits } = this.#options;
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const refuse = (error: unknown) => {
        settle();
        this.#remove(state, item);
        this.#forgetIdle(key, state);
        reject(error);
      };
      const onAbort = () => refuse(signal?.reason);
      const onLate = () => refuse(limits?.error(this.#isFull));
      const timer = limits && limits.ms > 0 ? setTimeout(onLate, limits.ms) : undefined;
      const item: Waiting = {
        start: () => {
          settle();
          resolve(this.#start(key, state));
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      state.waiting.add(item);
      this.#waiting++;
    });
  }
}
