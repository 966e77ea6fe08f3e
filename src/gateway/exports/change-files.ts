import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ClosedRange, changesOf } from '../../graph/changes/changes.ts';
import type { Database } from '../../store/sql/database.ts';
import type { LastingFile } from './exporter.ts';
import { GZIP } from './formats.ts';

const compress = promisify(gzip);

/**
 * Returns the file of a closed range of changes, a line for each. Its name tells only cursors, which are encrypted: not how many changes
 * there are that the caller may not see.
 * @param db the database handle of the gateway: several requests may wait for the file.
 */
export function fileOfChanges(db: Database, range: ClosedRange): LastingFile {
  return {
    id: JSON.stringify(range),
    name: `changes_${range.from}-${range.to}.ndjson.${GZIP}`,
    async *blocks() {
      const lines: string[] = [];
      for await (const change of changesOf(db, range)) lines.push(`${JSON.stringify(change)}\n`);
      yield await compress(lines.join(''));
    },
  };
}
