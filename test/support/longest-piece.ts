import { setImmediate as nextTurn } from 'node:timers/promises';

/** What JavaScript did while a test waited. */
export interface Pieces<Result> {
  readonly result: Result;
  /** The most processor time that this thread used between two turns of its event loop, in milliseconds. */
  readonly longestMs: number;
}

/**
 * Measures how long work occupies the event loop in one piece. Processor time, unlike the delay of a timer, is hardly longer on
 * a machine that is busy otherwise.
 */
export async function longestPiece<Result>(work: () => Promise<Result>): Promise<Pieces<Result>> {
  let isRunning = true;
  let longest = 0;
  const watching = (async () => {
    let before = process.threadCpuUsage().user;
    while (isRunning) {
      await nextTurn();
      const now = process.threadCpuUsage().user;
      longest = Math.max(longest, now - before);
      before = now;
    }
  })();
  try {
    const result = await work();
    return { result, longestMs: longest / 1_000 };
  } finally {
    isRunning = false;
    await watching;
  }
}
