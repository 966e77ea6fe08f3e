import type { Logger } from '../../base/logger.ts';

/** What gateways store in Redis: cached responses and counts of requests. */
export type SharedValue = 'response' | 'count';

const LOG_EVERY_MS = 60_000;

/** Counts the values in Redis that no gateway can have written, for the metrics and, once a minute, for the log. */
export class RejectedValues {
  readonly counts: Record<SharedValue, number> = { response: 0, count: 0 };
  readonly #log: Logger | undefined;
  #mutedUntil = 0;

  constructor(log?: Logger) {
    this.#log = log;
  }

  add(kind: SharedValue): void {
    this.counts[kind]++;
    if (performance.now() < this.#mutedUntil) return;
    this.#mutedUntil = performance.now() + LOG_EVERY_MS;
    this.#log?.warn({ kind }, 'ignored a value in Redis that no gateway has written');
  }
}
