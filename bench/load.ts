import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BenchRequest } from './workloads.ts';

export interface LoadResult {
  readonly perSecond: number;
  /** Median latency in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** The longest latency in milliseconds. */
  readonly most: number;
  /** Successful requests: status 200, without GraphQL errors. */
  readonly requests: number;
  /** Failed requests by HTTP status, `GraphQL errors`, `timeout` or the code of the network error. */
  readonly failures: Readonly<Record<string, number>>;
  readonly bytes: number;
}

export interface LoadRun {
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly BenchRequest[];
  /** Seconds; if undefined, the run sends `amount` requests. */
  readonly duration?: number;
  readonly amount?: number;
}

/** Starts the load generator: a separate process, one run at a time. */
export function startLoad() {
  const child = fork(fileURLToPath(new URL('peers/load.js', import.meta.url)));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The load generator ended')));
  ended.catch(() => undefined);
  return {
    async run(run: LoadRun): Promise<LoadResult> {
      child.send(run);
      const [reply] = (await Promise.race([once(child, 'message'), ended])) as [LoadResult | { error: string }];
      if ('error' in reply) throw new Error(reply.error);
      return reply;
    },
    stop: () => child.disconnect(),
  };
}

export type Load = ReturnType<typeof startLoad>;
