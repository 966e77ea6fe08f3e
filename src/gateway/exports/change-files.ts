import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { type ClosedRange, changesOf } from '../../graph/changes/changes.ts';
import type { Database } from '../../store/sql/database.ts';
import type { LastingFile } from './exporter.ts';
import { GZIP } from './formats.ts';

const compress = promisify(gzip);

/** The parameters of `GET /data/changes/files`. */
export const changeFilesSchema = z.object({
  after: z
    .string()
    .max(100, 'must be start, or a cursor')
    .describe('`start`, or the `next` of an earlier response; cursors of `/data/changes` do as well.'),
});

interface Change {
  readonly kind: 'CREATED' | 'UPDATED' | 'DELETED';
  readonly type: string;
  readonly recordId: string;
  readonly fields: readonly string[] | null;
  readonly changedAt: string | null;
  readonly source: string | null;
}

/** Returns a change as `/data/changes` and its files have it. */
export function changeInRest({ kind, type, recordId: id, fields, changedAt: changed_at, source }: Change) {
  return { kind, type, id, fields: fields && [...fields], changed_at, source };
}

/**
 * Returns the file of a closed range of changes, a line for each. Its name tells only the first digits of its cursors, which are encrypted
 * and identify them: not how many changes there are that the caller may not see.
 * @param db the database handle of the gateway: several requests may wait for the file.
 */
export function fileOfChanges(db: Database, range: ClosedRange): LastingFile {
  return {
    id: JSON.stringify(range),
    name: `changes_${range.from.slice(0, 24)}-${range.to.slice(0, 24)}.ndjson.${GZIP}`,
    async *blocks() {
      const lines: string[] = [];
      for await (const { cursor, ...change } of changesOf(db, range)) {
        lines.push(`${JSON.stringify({ ...changeInRest(change), cursor })}\n`);
      }
      yield await compress(lines.join(''));
    },
  };
}
