import { setTimeout as sleep } from 'node:timers/promises';
import { LocalFiles } from '../../src/gateway/exports/local-files.ts';

/** A process that writes a file without end, to be killed. */
const files = new LocalFiles(process.argv[2] ?? '', async () => [{ id: 'KEY1', secret: 's'.repeat(32) }]);

async function* blocks() {
  for (let count = 0; ; count++) {
    yield Buffer.alloc(100_000, 'x');
    if (count === 20) process.send?.('writing');
    await sleep(1);
  }
}

const file = { key: '00000000-0000-4000-8000-000000000009', name: 'x_2026-07-01.csv' } as const;
await files.write(file, blocks(), new AbortController().signal);
