import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Records } from './dump.ts';
import { type Gateway, GoneError, TRANSPORTS, type TransportName } from './transports.ts';

// Keeps a copy of the records in a file, by the feed alone, until it is killed, and continues from the cursor in the file.

export interface CopierOptions {
  readonly key: string;
  readonly grants: readonly string[];
  /** The gateways; another one is asked after an error. */
  readonly urls: readonly string[];
  readonly file: string;
  readonly transport: TransportName;
}

/** What the file has. */
export interface Copy {
  readonly cursor: string;
  /** How often it was begun again, because its cursor was unknown. */
  readonly restarts: number;
  readonly records: readonly [string, object][];
}

/** Applies the changes after the cursor of a copy: a record is taken as it is now, or removed. */
async function advance({ cursor, restarts, records }: Copy, gateway: Gateway, transport: TransportName): Promise<Copy> {
  const { kinds, values, next } = await TRANSPORTS[transport](gateway, cursor);
  const copy = new Map(records) as Records;
  for (const id of kinds.keys()) copy.delete(id);
  for (const [id, record] of values) copy.set(id, record);
  return { cursor: next, restarts, records: [...copy] };
}

if (process.argv[2]) {
  // The test that started it has ended.
  process.stdin.resume().on('end', () => process.exit());
  const { urls, file, transport, ...caller }: CopierOptions = JSON.parse(process.argv[2]);
  const begun = (restarts: number): Copy => ({ cursor: 'start', restarts, records: [] });
  let copy: Copy = await readFile(file, 'utf8').then(JSON.parse, () => begun(0));
  for (let which = 0; ; ) {
    const { cursor } = copy;
    const gateway = { ...caller, url: urls[which % urls.length] as string };
    copy = await advance(copy, gateway, transport).catch((error: unknown) => {
      if (error instanceof GoneError) return begun(copy.restarts + 1);
      // The gateway, or its store, is busy or starts again.
      if (process.env.DEBUG) process.stderr.write(`${transport}: ${error}\n`);
      which++;
      return copy;
    });
    if (copy.cursor === cursor) {
      await sleep(20);
      continue;
    }
    await writeFile(`${file}.new`, JSON.stringify(copy));
    await rename(`${file}.new`, file);
  }
}
