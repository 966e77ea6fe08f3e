import { setTimeout as sleep } from 'node:timers/promises';
import type { FailingGateway, StartOptions } from './gateway.ts';

/** Starts a gateway such that `loopDelay` can measure it. */
export const MEASURED: StartOptions = { execArgv: ['--import', `${import.meta.dirname}/event-loop-delay.ts`] };

export interface LoopFigures {
  /** The longest delay of the event loop since the last call, in milliseconds by the clock, and by the processor time of its thread. */
  readonly blockedMs: number;
  readonly workedMs: number;
  /** Resident memory in MiB, and the most that it was since the last call. */
  readonly rss: number;
  readonly peak: number;
}

/** Returns what was measured in the gateway since the last call. */
export async function loopDelay({ lines, pid }: FailingGateway): Promise<LoopFigures> {
  const from = lines.length;
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    const line = lines.slice(from).find((each) => each.includes('blockedMs'));
    if (line) return JSON.parse(line);
    await sleep(5);
  }
}
