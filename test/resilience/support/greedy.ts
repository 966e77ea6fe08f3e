import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestRequest } from './client.ts';

/** Requests of one key (or without a key), constantly at its limits. */
export interface GreedyRun {
  readonly url: string;
  readonly key: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requests: readonly TestRequest[];
  /** Concurrent requests. */
  readonly connections: number;
  /** Milliseconds after which a client disconnects without waiting for its response; never if not set. */
  readonly leaveAfterMs?: number;
  /** How many requests each connection writes at once, before it reads their responses; one by one if not set. */
  readonly pipelined?: number;
  /** The local address that connections come from, for clients without a key, which are limited by address. */
  readonly from?: string;
  /** Whether connections stay open without another request after one response. */
  readonly idle?: boolean;
  /** Whether the gateway may refuse all of the requests, for example by their cost. */
  readonly mayBeRefused?: boolean;
}

/** The number of requests, and of responses by status; 0 for a connection that broke or that the client closed. */
export type GreedyCounts = Readonly<Record<string, number>>;

/** Starts the requests in a separate process, so that reading their responses does not delay other measurements. */
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
