/** A DataLoader batch of one API key that waits for its statement. */
export interface WaitingBatch {
  /** The id of the API key. */
  readonly keyId: number;
  /** Whether its reads have many keys. */
  readonly isLarge: boolean;
  /** Calls the batch function of the DataLoader. */
  readonly dispatch: () => void;
}

/**
 * Maximum number of concurrent statements of one kind for an API key: enough to keep the database busy while one result
 * is being read.
 */
export const STATEMENTS_PER_KEY = 3;
/** Maximum number of concurrent statements of one kind for all API keys. An API key never takes part in all of them. */
const STATEMENTS = STATEMENTS_PER_KEY + 1;

/**
 * Decides which waiting batches form the next statement of a kind, fairly between API keys. DataLoader has no limit for
 * running batches and does not know API keys.
 *
 * A large batch has a statement of its own, so that a small read never waits for its result. Small batches are
 * combined: one of each API key, or all if only one API key has any.
 */
export class StatementSlots {
  #waiting: WaitingBatch[] = [];
  #running = 0;
  /** The number of running statements that each API key takes part in. */
  readonly #runningOf = new Map<number, number>();

  get running(): number {
    return this.#running;
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0;
  }

  add(batch: WaitingBatch): void {
    this.#waiting.push(batch);
  }

  /**
   * Removes the batches of the next statement from the queue and counts the statement as running.
   * @param parts the number of statements into which the waiting batches should be divided.
   * @returns an empty list if no batch may start; otherwise, `release` must be called when the statement has ended.
   */
  take(parts: number): readonly WaitingBatch[] {
    if (this.#running >= STATEMENTS) return [];
    const allowed = this.#waiting.filter(({ keyId }) => (this.#runningOf.get(keyId) ?? 0) < STATEMENTS_PER_KEY);
    const [oldest] = allowed;
    if (!oldest) return [];
    const taken = new Set(
      oldest.isLarge ? [oldest] : combinable(allowed).slice(0, Math.ceil(this.#waiting.length / parts)),
    );
    this.#waiting = this.#waiting.filter((batch) => !taken.has(batch));
    this.#count([...taken], 1);
    return [...taken];
  }

  release(taken: readonly WaitingBatch[]): void {
    this.#count(taken, -1);
  }

  #count(taken: readonly WaitingBatch[], change: 1 | -1): void {
    this.#running += change;
    for (const keyId of new Set(taken.map((batch) => batch.keyId))) {
      const ofKey = (this.#runningOf.get(keyId) ?? 0) + change;
      if (ofKey > 0) this.#runningOf.set(keyId, ofKey);
      else this.#runningOf.delete(keyId);
    }
  }
}

/** Returns the oldest small batch of each API key, or all small batches if they have the same API key. */
function combinable(batches: readonly WaitingBatch[]): readonly WaitingBatch[] {
  const small = batches.filter(({ isLarge }) => !isLarge);
  const oldest = new Map<number, WaitingBatch>();
  for (const batch of small) if (!oldest.has(batch.keyId)) oldest.set(batch.keyId, batch);
  return oldest.size === 1 ? small : [...oldest.values()];
}
