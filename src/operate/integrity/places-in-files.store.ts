import { dictionary } from '../../base/dictionary.ts';
import { type DatasetTable, TABLES } from '../../importers/exchange/format.ts';
import type { Place, Report } from '../../importers/exchange/report.ts';
import type { Database } from '../../store/sql/database.ts';
import { anyOf } from '../../store/sql/functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { Violation } from './check.ts';
import { staged, type TableWithId } from './check-scope.ts';

/** Where a record is in the files of a source, and what identifies it in its file. */
export interface PlaceInFile extends Place {
  readonly row: string;
}

/** The names of kinds of records that violations shorten. */
const SHORTENED: Readonly<Record<string, string>> = dictionary({ measure: 'ballot_measure' });

/** Returns the place of a record with its name in a report, `file.csv:12 | office | county`, as far as that does not repeat the place. */
export function placeInFile(record: string, { file, line }: Place): PlaceInFile {
  const known = [`${file}:${line}`, file ?? ''].find((text) => record.startsWith(text)) ?? '';
  return { file, line, row: record.slice(known.length).replace(/^[\s|:]+/, '') };
}

/** Returns the places of the records of violations, within the transaction of the import; undefined for a record that the source does not have. */
export async function placesOf(
  db: Database,
  violations: readonly Violation[],
  report: Report | undefined,
): Promise<(PlaceInFile | undefined)[]> {
  const named = violations.map(({ record }) => /^(?<kind>[a-z_]+) (?<id>\d+)$/.exec(record)?.groups);
  const found = new Map<string, PlaceInFile>();
  for (const [kind, group] of Map.groupBy(named, (each) => each?.kind)) {
    const table = TABLES.find((each) => each.kind === (SHORTENED[kind ?? ''] ?? kind));
    if (!table) continue;
    const ids = group.flatMap((each) => (each ? [Number(each.id)] : []));
    for (const { id, line, origin } of await stagedRows(db, table, ids))
      found.set(
        `${kind} ${id}`,
        origin === null || !report
          ? { file: table.file, line, row: `${kind} ${id}` }
          : placeInFile(origin, report.placeOf(origin)),
      );
  }
  return violations.map(({ record }) => found.get(record));
}

async function stagedRows(db: Database, table: DatasetTable, ids: readonly number[]) {
  if (table.name === 'contacts') return [];
  if (table.name === 'boundaries') {
    const found = query
      .selectFrom(staged('boundaries').as('s'))
      .innerJoin('boundaries as b', (join) =>
        join.onRef('b.district_id', '=', 's.district_id').onRef('b.start_date', '=', 's.start_date'),
      )
      .select(['b.id', 's.line', 's.origin'])
      .where('b.id', '=', anyOf('int', ids))
      .where('s.line', '>', 0);
    return rowsOf(db, 'integrity.staged-boundaries', found);
  }
  const found = query
    .selectFrom(staged(table.name as TableWithId).as('s'))
    .select(['s.id', 's.line', 's.origin'])
    .where('s.id', '=', anyOf('int', ids))
    .where('s.line', '>', 0)
    .orderBy('s.line', 'desc');
  return rowsOf(db, 'integrity.staged-rows', found);
}
