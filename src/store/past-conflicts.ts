import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict } from './sql/connection-errors.ts';

/** How long reading is repeated after the first conflict: while data change, the next attempt may be ended like the one before. */
const PATIENCE_MS = 4_000;
/** The longest pause before an attempt; the actual one is random. */
const PAUSE_MS = 100;

/**
 * Returns a function for the errors of repeated reads: it returns the milliseconds to pause before reading again if the
 * statement was ended in favour of others (`isConflict`), as often as the time allows, and at least once; else undefined.
 */
export function pausesAfterConflicts(): (error: unknown) => number | undefined {
  let end = Number.POSITIVE_INFINITY;
  return (error) => {
    if (!isConflict(error) || performance.now() > end) return undefined;
    end = Math.min(end, performance.now() + PATIENCE_MS);
    return PAUSE_MS * Math.random();
  };
}

/**
 * Reads, and reads again after errors for which `pausesAfterConflicts` returns a pause.
 * @param signal ends the pause before an attempt; its reason is then thrown.
 */
export async function readPastConflicts<Result>(read: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  for (const pauseAfter = pausesAfterConflicts(); ; ) {
    try {
      return await read();
    } catch (error) {
      const pause = pauseAfter(error);
      if (pause === undefined) throw error;
      await sleep(pause, undefined, { signal }).catch(() => {
        throw signal?.reason;
      });
    }
  }
}
