import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Question } from './client.ts';

/** Requests at a constant rate, whatever becomes of those before them (an open loop). */
export interface ArrivalsRun {
  readonly url: string;
  /** Asked in turn, with the keys in turn. */
  readonly questions: readonly Question[];
  readonly keys: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

export interface Outcome {
  /** When it was due, from the beginning of the run. */
  readonly dueMs: number;
  /** How much later than that it was sent. */
  readonly lateMs: number;
  /** From when it was due to the end of its answer. */
  readonly ms: number;
  readonly status: number;
  readonly code: string;
  /** The id of the request, as in the log. */
  readonly id: string;
}

/** Runs in a process of its own; what became of each request, in the order in which they were answered. */
export async function arrive(run: ArrivalsRun): Promise<Outcome[]> {
  const child = fork(new URL('./arrivals-process.ts', import.meta.url), { serialization: 'advanced' });
  child.send(run);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The load generator ended')));
  ended.catch(() => undefined);
  const [outcomes] = (await Promise.race([once(child, 'message'), ended])) as [Outcome[]];
  child.disconnect();
  return outcomes;
}
