import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict } from './connection-errors.ts';

/** How long reading is repeated after the first conflict: while data change, the next attempt may be ended like the one before. */
const PATIENCE_MS = 4_000;
/** The longest pause before an attempt; the actual one is random. */
const PAUSE_MS = 100;

/**
 * Reads again if the statement was ended in favour of others (`isConflict`), as often as the time allows, and at least once.
 * @param signal ends the pause before an attempt; its reason is then thrown.
 */
export async function readPastConflicts<Result>(read: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  for (let end = Number.POSITIVE_INFINITY; ; ) {
    try {
      return await read();
    } catch (error) {
      if (!isConflict(error) || performance.now() > end) throw error;
      end = Math.min(end, performance.now() + PATIENCE_MS);
      await sleep(PAUSE_MS * Math.random(), undefined, { signal }).catch(() => {
        throw signal?.reason;
      });
    }
  }
}
