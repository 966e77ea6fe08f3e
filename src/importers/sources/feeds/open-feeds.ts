import { sql } from 'kysely';
import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../../exchange/import-rows.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { findFiles } from '../../read/read-files.ts';

/** The data in the header of a feed that apply to all of it. */
export interface FeedHead {
  /** The scheme of its ids: the kind of feed and its publisher. */
  readonly scheme: string;
  readonly source: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** The number of contests in the feed, without those that are not held on their day; known once it has been read. */
  contests?: number;
}

/**
 * Opens one feed: an XML file, compressed or not, or a folder that contains one.
 * @throws ImportError if there is none or more than one, since a later feed may correct an earlier one.
 */
export async function openFeed(
  paths: readonly string[],
  headOf: (file: NamedFile) => Promise<FeedHead>,
  rowsOf: (file: NamedFile, head: FeedHead, context: ImportContext) => AsyncIterable<ImportRow>,
): Promise<OpenedSource> {
  const [file, ...more] = await findFiles(paths, ['.xml']);
  if (!file || more.length > 0) {
    const names = [file, ...more].map((each) => each?.name).join(', ');
    throw new ImportError('import feeds one at a time, the oldest first', names);
  }
  const head = await headOf(file);
  return {
    provenance: { name: head.scheme, source: head.source, license: null, asOf: head.day },
    rows: (context) => rowsOf(file, head, context),
    async verify(db, report) {
      const { rows } = await sql`/* import.contests-of-feed */
        select from stage_races where line > 0 union all select from stage_ballot_measures where line > 0 limit 1`.execute(
        db,
      );
      const { rows: newer } = await sql<{ day: string }>`/* import.newer-feed */
        select max(o.as_of)::text as day from stage_races as s join record_sources as r on r.kind = 'race' and r.record_id = s.id
        join sources as o on o.id = r.source_id where s.line > 0 and o.name = ${head.scheme} and o.as_of > ${head.day}`.execute(
        db,
      );
      if (newer[0]?.day)
        throw new ImportError(`the feed of ${newer[0].day} is there: import feeds the oldest first`, file.name);
      if (rows.length > 0 || !head.contests) return;
      const [first] = report.entries;
      const why = first ? `: ${first.record}: ${first.reason}` : '';
      throw new ImportError(`none of its ${head.contests} contests can be stored${why}`, file.name);
    },
  };
}
