import { setTimeout as sleep } from 'node:timers/promises';
import type { FailingGateway, StartOptions } from './gateway.ts';

/** Starts a gateway such that `loopDelay` can measure it. */
export const MEASURED: StartOptions = { execArgv: ['--import', `${import.meta.dirname}/event-loop-delay.ts`] };

/**
 * Returns the longest delay of the gateway's event loop since the last call in milliseconds, and its resident memory in
 * MiB.
 */
export async function loopDelay({ lines, pid }: FailingGateway): Promise<{ blockedMs: number; rss: number }> {
  const from = lines.length;
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    const line = lines.slice(from).find((each) => each.includes('blockedMs'));
    if (line) return JSON.parse(line);
    await sleep(5);
  }
}
