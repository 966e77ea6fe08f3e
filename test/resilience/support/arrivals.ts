import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestRequest } from './client.ts';

/** Requests at a constant rate, regardless of the outcome of earlier ones (an open loop). */
export interface ArrivalsRun {
  readonly url: string;
  /** Sent in rotation, with the keys in rotation. */
  readonly requests: readonly TestRequest[];
  readonly keys: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

export interface Outcome {
  /** When the request was due, in milliseconds from the beginning of the run. */
  readonly dueMs: number;
  /** How much later it was sent, in milliseconds. */
  readonly lateMs: number;
  /** Milliseconds from when it was due to the end of its response. */
  readonly ms: number;
  readonly status: number;
  readonly code: string;
  /** The id of the request in the log. */
  readonly id: string;
}

/** Runs in a separate process; returns the outcome of each request, in the order of the responses. */
export async function arrive(run: ArrivalsRun): Promise<Outcome[]> {
  const child = fork(new URL('./arrivals-process.ts', import.meta.url), { serialization: 'advanced' });
  child.send(run);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The load generator ended')));
  ended.catch(() => undefined);
  const [outcomes] = (await Promise.race([once(child, 'message'), ended])) as [Outcome[]];
  child.disconnect();
  return outcomes;
}
