import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../graph/builder/caller.ts';

/** Writes that secrets of keys were used in the hour that began at a time. */
export type RecordUse = (secretIds: readonly number[], hour: Date) => Promise<void>;

export interface KeyUse {
  /** Notes that a key was used, in memory alone: it neither waits nor fails. */
  note(caller: Caller): void;
  /** Writes what has been noted since the last call. What cannot be written is written by a later call. */
  write(): Promise<void>;
  /** Stops writing at intervals, and writes what has been noted, for up to a second. */
  close(): Promise<void>;
}

const HOUR_MS = 60 * 60 * 1_000;
const WRITE_EVERY_MS = 10 * 60 * 1_000;
const CLOSE_LIMIT_MS = 1_000;

/**
 * Notes in which hour each key was last used and writes it every ten minutes, so that a key in steady use is written once
 * an hour and no request waits for it.
 */
export function createKeyUse(
  record: RecordUse,
  { onError, now = Date.now }: { readonly onError?: (error: unknown) => void; readonly now?: () => number } = {},
): KeyUse {
  const lastHours = new Map<number, number>();
  const pending = new Map<number, number>();
  let writing: Promise<void> = Promise.resolve();

  async function writePending(): Promise<void> {
    for (const hour of new Set(pending.values())) {
      const ids = [...pending].filter(([, each]) => each === hour).map(([id]) => id);
      try {
        await record(ids, new Date(hour));
      } catch (error) {
        onError?.(error);
        return;
      }
      for (const id of ids) if (pending.get(id) === hour) pending.delete(id);
    }
  }

  function write(): Promise<void> {
    writing = writing.then(writePending);
    return writing;
  }

  const interval = setInterval(write, WRITE_EVERY_MS).unref();
  return {
    note({ secret }) {
      if (secret === undefined) return;
      const time = now();
      const hour = time - (time % HOUR_MS);
      if (lastHours.get(secret.id) === hour) return;
      lastHours.set(secret.id, hour);
      pending.set(secret.id, hour);
    },
    write,
    close() {
      clearInterval(interval);
      return Promise.race([write(), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}
