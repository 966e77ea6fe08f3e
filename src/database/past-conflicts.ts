import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict } from './connection-errors.ts';

const ATTEMPTS = 5;
const PAUSE_MS = 100;

/**
 * Reads again if the statement was ended in favour of others (`isConflict`). For what is not read for a request, and so not
 * over `requestDatabase`, which repeats its statements itself.
 */
export async function readPastConflicts<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflict(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
