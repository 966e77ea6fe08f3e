import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultGateway, StartOptions } from './gateway.ts';
import { meanOf, riseOf } from './report.ts';

const SETTLE_MS = 500;
const COLLECTED = 'collected ';
const MIB = 1024 * 1024;

/** How a gateway is started that collects its garbage when it is sent SIGUSR2. */
export const COLLECTING: StartOptions = {
  execArgv: ['--expose-gc', '--import', new URL('collect-garbage.ts', import.meta.url).href],
};

/**
 * Looks at the memory of a gateway that was started `COLLECTING`, while it has nothing to do and right after it has
 * collected its garbage: so what is seen is what it keeps.
 */
export function watchMemory(gateway: FaultGateway) {
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
     * `rise` is the line of least squares through the samples of resident memory: from its first point to its last, as a
     * part of their mean; `keptRise` the same of what objects and buffers take, without what the allocators have in reserve.
     */
    figures() {
      const rise = riseOf(samples.map(({ rss }) => rss));
      const keptRise = riseOf(samples.map(({ heapUsed, external }) => heapUsed + external));
      const residentMiB = inMiB('rss');
      return {
        rise,
        keptRise,
        figures: {
          residentMiB,
          heapUsedMiB: inMiB('heapUsed'),
          heapMiB: inMiB('heapTotal'),
          externalMiB: inMiB('external'),
          meanMiB: Math.round(meanOf(residentMiB)),
          risePercent: percent(rise),
          keptRisePercent: percent(keptRise),
        },
      };
    },
  };
}

function percent(part: number): number {
  return Math.round(part * 10_000) / 100;
}
