import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultGateway, residentBytes, type StartOptions, statusOf } from './gateway.ts';
import { meanOf, riseOf } from './report.ts';

const SETTLE_MS = 500;
const MIB = 1024 * 1024;

/** How a gateway is started that collects its garbage when it is sent SIGUSR2. */
export const COLLECTING: StartOptions = {
  execArgv: ['--expose-gc', '--import', new URL('collect-garbage.ts', import.meta.url).href],
};

/**
 * Looks at the resident memory of a gateway that was started `COLLECTING`, while it has nothing to do and right after it
 * has collected its garbage: so what is seen is what it keeps.
 */
export function watchMemory(gateway: FaultGateway) {
  const samples: number[] = [];
  return {
    async sample(): Promise<void> {
      gateway.child.kill('SIGUSR2');
      await sleep(SETTLE_MS);
      // Its answer tells that it has finished.
      await statusOf(`${gateway.url}/health`);
      await sleep(SETTLE_MS);
      samples.push(await residentBytes(gateway.pid));
    },
    /**
     * `rise` is the line of least squares through the samples: from its first point to its last, as a part of their mean.
     */
    figures() {
      const rise = riseOf(samples);
      const inMiB = samples.map((bytes) => Math.round(bytes / MIB));
      return { rise, figures: { residentMiB: inMiB, meanMiB: Math.round(meanOf(inMiB)), risePercent: percent(rise) } };
    },
  };
}

function percent(part: number): number {
  return Math.round(part * 10_000) / 100;
}
