import { setTimeout as sleep } from 'node:timers/promises';
import type { FailingGateway, StartOptions } from './gateway.ts';
import { meanOf, riseOf } from './report.ts';

const SETTLE_MS = 500;
const COLLECTED = 'collected ';
const MIB = 1024 * 1024;

/** Start options of a gateway that collects its garbage when it receives SIGUSR2. */
export const COLLECTING: StartOptions = {
  execArgv: ['--expose-gc', '--import', new URL('collect-garbage.ts', import.meta.url).href],
};

/**
 * Measures the memory of a gateway that was started `COLLECTING`, while it is idle and right after a garbage
 * collection: the result is the memory that it retains.
 */
export function watchMemory(gateway: FailingGateway) {
  const samples: NodeJS.MemoryUsage[] = [];
  const inMiB = (part: keyof NodeJS.MemoryUsage) => samples.map((sample) => Math.round(sample[part] / MIB));
  return {
    async sample(): Promise<void> {
      const since = gateway.lines.length;
      gateway.child.kill('SIGUSR2');
      for (let line: string | undefined; line === undefined; await sleep(SETTLE_MS)) {
        line = gateway.lines.slice(since).find((text) => text.startsWith(COLLECTED));
        if (line) samples.push(JSON.parse(line.slice(COLLECTED.length)));
      }
    },
    /**
     * Returns the figures. `rise` is that of the least-squares line through the samples of resident memory, from its
     * first point to its last, relative to their mean; `retainedRise` is the same for objects and buffers, without the
     * reserves of the allocators.
     */
    figures() {
      const rise = riseOf(samples.map(({ rss }) => rss));
      const retainedRise = riseOf(samples.map(({ heapUsed, external }) => heapUsed + external));
      const residentMiB = inMiB('rss');
      return {
        rise,
        retainedRise,
        figures: {
          residentMiB,
          heapUsedMiB: inMiB('heapUsed'),
          heapMiB: inMiB('heapTotal'),
          externalMiB: inMiB('external'),
          meanMiB: Math.round(meanOf(residentMiB)),
          risePercent: percent(rise),
          retainedRisePercent: percent(retainedRise),
        },
      };
    },
  };
}

function percent(part: number): number {
  return Math.round(part * 10_000) / 100;
}
