import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Question } from './client.ts';

/** Requests of one key (or of none), at its limits all the time. */
export interface GreedyRun {
  readonly url: string;
  readonly key: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly questions: readonly Question[];
  /** Requests under way at once. */
  readonly connections: number;
  /** Milliseconds after which a client leaves without waiting for its response; never when not set. */
  readonly leaveAfterMs?: number;
}

/** Requests that were sent, and how often each status was seen; 0 for a connection that broke or that the client left. */
export type GreedyCounts = Readonly<Record<string, number>>;

/** Starts the requests in a process of its own, so that reading their responses does not delay other measurements. */
export function startGreedy(run: GreedyRun): { stop(): Promise<GreedyCounts> } {
  const child = fork(new URL('./greedy-process.ts', import.meta.url));
  child.send(run);
  return {
    stop: async () => {
      child.send('stop');
      const [counts] = (await once(child, 'message')) as [GreedyCounts];
      child.disconnect();
      await once(child, 'exit');
      return counts;
    },
  };
}
