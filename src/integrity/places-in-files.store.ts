import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type DatasetTable, TABLES } from '../import/format.ts';
import { stageName } from '../import/staging.ts';
import type { Violation } from './check.ts';

/** Where a record is in the files of a source. */
export interface PlaceInFile {
  readonly file: string | null;
  readonly line: number | null;
  readonly row: string;
}

type LineOf = (record: string) => number | undefined;

/** The names of kinds of records that violations shorten. */
const SHORTENED: Readonly<Record<string, string>> = { measure: 'ballot_measure' };

const BEGINS_WITH_FILE =
  /^(?<file>[^|]*?\.(?:csv|tsv|json|geojson|geojsonl|topojson|xml|ya?ml|mdx|shp|zip|txt))(?=$|[\s|:#(])(?::(?<line>\d+))?(?<rest>.*)$/is;

/** Returns the place of a record as a report names it: `file.csv:12 | office | county`. */
export function placeOfRecord(record: string, lineOf: LineOf): PlaceInFile {
  const { file = null, line, rest = record } = BEGINS_WITH_FILE.exec(record)?.groups ?? {};
  const inText = line ?? /\bline (\d+)\b/.exec(record)?.[1];
  return {
    file,
    line: inText === undefined ? (lineOf(record) ?? null) : Number(inText),
    row: file === null ? record : rest.replace(/^[\s|:]+/, ''),
  };
}

/** Returns the places of the records of violations, within the transaction of the import; undefined for a record that the source does not have. */
export async function placesOf(
  db: Database,
  violations: readonly Violation[],
  lineOf: LineOf,
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
        origin === null ? { file: table.file, line, row: `${kind} ${id}` } : placeOfRecord(origin, lineOf),
      );
  }
  return violations.map(({ record }) => found.get(record));
}

interface StagedRow {
  readonly id: number;
  readonly line: number;
  /** The record of the source; null for a row of the exchange format, which has a line of its own. */
  readonly origin: string | null;
}

async function stagedRows(db: Database, table: DatasetTable, ids: readonly number[]): Promise<readonly StagedRow[]> {
  const staged = sql.table(stageName(table.name));
  if (table.name === 'contacts') return [];
  const { rows } =
    table.name === 'boundaries'
      ? await sql<StagedRow>`/* integrity.staged-boundaries */
          select b.id, s.line, s.origin from ${staged} as s
          join boundaries as b on b.district_id = s.district_id and b.start_date = s.start_date
          where b.id = any(${ids}::int[]) and s.line > 0`.execute(db)
      : await sql<StagedRow>`/* integrity.staged-rows */
          select id, line, origin from ${staged} where id = any(${ids}::int[]) and line > 0 order by line desc`.execute(
          db,
        );
  return rows;
}
