import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Records, recordsOf } from './dump.ts';
import { askOver, type Gateway, GoneError, TRANSPORTS, type TransportName } from './transports.ts';

// Keeps a copy of the records in a file, by the feed alone, until it is killed, and continues from the cursor in the file.

export interface CopierOptions extends Gateway {
  readonly grants: readonly string[];
  readonly file: string;
  readonly transport: TransportName;
}

/** What the file has. */
export interface Copy {
  cursor: string;
  records: [string, object][];
}

/** Applies the changes after the cursor of a copy: a record is taken as it is now, or removed. */
export async function advance({ cursor, records }: Copy, options: CopierOptions): Promise<Copy> {
  const { changes, next } = await TRANSPORTS[options.transport](options, cursor);
  const copy = new Map(records) as Records;
  const kinds = new Map(changes.map(({ id, kind }) => [id, kind]));
  const present = [...kinds].flatMap(([id, kind]) => (kind === 'DELETED' ? [] : [id]));
  for (const id of kinds.keys()) copy.delete(id);
  for (const [id, values] of await recordsOf(askOver(options), options.grants, present)) copy.set(id, values);
  return { cursor: next, records: [...copy] };
}

if (process.argv[2]) {
  const options: CopierOptions = JSON.parse(process.argv[2]);
  const empty = { cursor: 'start', records: [] };
  let copy: Copy = await readFile(options.file, 'utf8').then(JSON.parse, () => empty);
  for (;;) {
    const { cursor } = copy;
    copy = await advance(copy, options).catch((error: unknown) => {
      if (error instanceof GoneError) return empty;
      // The gateway, or its store, is busy or starts again.
      return copy;
    });
    if (copy.cursor === cursor) {
      await sleep(20);
      continue;
    }
    await writeFile(`${options.file}.new`, JSON.stringify(copy));
    await rename(`${options.file}.new`, options.file);
  }
}
