import pg from 'pg';

type Callback = Parameters<pg.Pool['connect']>[0];

/** How much the time since the last turn counts in the mean of all. */
const WEIGHT = 0.1;

/** A pool of connections that knows how long one waits for one while all that it may have are at work. */
export class Pool extends pg.Pool {
  /** When each began to wait, the first first. */
  readonly #line = new Set<{ readonly since: number }>();
  /** Milliseconds from one turn to the next, on average, since somebody has been waiting. */
  #turnMs = 0;
  #lastTurn = 0;

  /** For how many milliseconds a newcomer will wait: as long as those before it at the least, and by their number. */
  get queueMs(): number {
    const [first] = this.#line;
    return first ? Math.max(performance.now() - first.since, this.#line.size * this.#turnMs) : 0;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (callback) {
      super.connect(callback);
      return undefined;
    }
    const isFull = this.idleCount === 0 && this.totalCount >= this.options.max;
    return isFull ? this.#connectInLine() : super.connect();
  }

  async #connectInLine(): Promise<pg.PoolClient> {
    const place = { since: performance.now() };
    if (this.#line.size === 0) {
      this.#turnMs = 0;
      this.#lastTurn = place.since;
    }
    this.#line.add(place);
    try {
      const client = await super.connect();
      const now = performance.now();
      this.#turnMs += WEIGHT * (now - this.#lastTurn - this.#turnMs);
      this.#lastTurn = now;
      return client;
    } finally {
      this.#line.delete(place);
    }
  }
}
