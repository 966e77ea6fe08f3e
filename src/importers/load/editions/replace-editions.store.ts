import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { TableName } from '../../exchange/format.ts';
import { type Edition, ImportError, type Provenance } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';
import { insertRows } from '../stage/insert-rows.ts';
import type { Brought } from '../stage/stage-rows.ts';
import { createWithdrawn, removeRecords } from './remove-records.store.ts';

/** What an import has of the files that newer ones replace. */
export interface ReadEditions {
  readonly importer: string;
  readonly provenance: Provenance;
  readonly brought: readonly Brought[];
  /** The files that have been read, also those without a record. */
  readonly files: readonly Edition[];
  /** Those of which rows are left out, since it is not known which records they are: they replace nothing. */
  readonly left: readonly Edition[];
}

const BATCH = 10_000;

/** The tables of the records that belong to a file, by their kinds; others stay when a newer edition lacks them, and go when nothing refers to them. */
const OF_FILES = {
  race: 'races',
  candidate: 'candidates',
  ballot_measure: 'ballot_measures',
  voting_place: 'voting_places',
  deadline: 'deadlines',
} as const;
export const KINDS_OF_FILES: readonly string[] = Object.keys(OF_FILES);

/** What a newer edition takes back by leaving it empty. */
const OUTCOMES = [
  ['candidates', 'candidate', ['cand_status', 'votes_for_cand']],
  ['ballot_measures', 'ballot_measure', ['status', 'yes_votes_total', 'no_votes_total']],
] as const;

/**
 * Removes what older editions of the files of an import brought and the newer ones lack, and reports it, before the staged rows are
 * merged and checked: a winner whose name is corrected is not two. An import of an older edition than the stored one replaces nothing.
 * @returns the numbers of removed records.
 */
export async function replaceEditions(
  db: Database,
  { importer, provenance: { name, asOf }, brought, files, left }: ReadEditions,
  report: Report,
): Promise<ReadonlyMap<TableName, number>> {
  await sql`/* editions.stage */ create temp table stage_editions (
    state text, day date, file text, kind text, record_id integer) on commit drop`.execute(db);
  const rows = [
    ...files.map(({ state, day, file }) => [state, day, file, null, null]),
    ...left.map(({ state, day, file }) => [state, day, file, 'left', null]),
    ...brought.map(({ edition: { state, day, file }, kind, id }) => [state, day, file, kind, id]),
  ];
  const columns = Object.entries({ state: 'text', day: 'date', file: 'text', kind: 'text', record_id: 'integer' });
  for (let from = 0; from < rows.length; from += BATCH)
    await insertRows(
      db,
      'stage_editions',
      columns.map(([column, sqlType]) => ({ name: column, sqlType })),
      rows.slice(from, from + BATCH),
    );
  await sql`/* editions.add */
    insert into import_editions (name, importer, state, day, file, as_of)
    select distinct ${name}, ${importer}, state, day, file, ${asOf}::date from stage_editions
    on conflict (name, importer, state, day, file) do update set as_of = excluded.as_of
    where import_editions.as_of < excluded.as_of`.execute(db);
  await sql`/* editions.analyze */ analyze stage_editions, import_editions`.execute(db);
  await sql`/* editions.read */
    create temp table read_editions on commit drop as
    select distinct e.id, s.state, s.day, s.file, s.kind, s.record_id, l.file is null as is_whole
    from stage_editions as s join import_editions as e on e.name = ${name} and e.importer = ${importer}
      and e.file = s.file and e.day is not distinct from s.day and e.state is not distinct from s.state
    left join (select distinct state, day, file from stage_editions where kind = 'left') as l
      on l.file = s.file and l.day is not distinct from s.day and l.state is not distinct from s.state
    where e.as_of is not distinct from ${asOf}::date and s.kind is distinct from 'left'`.execute(db);
  await sql`/* editions.analyze */ analyze read_editions, edition_records`.execute(db);
  if (rows.length === 0) return new Map();
  await createWithdrawn(db);
  await sql`/* editions.lacking */
    insert into withdrawn (kind, id, is_own)
    select distinct r.kind::record_kind, r.record_id, true from edition_records as r
    where r.kind = any(${KINDS_OF_FILES}::text[]) and r.edition_id in (select id from read_editions where is_whole)
      and not exists (select from read_editions as s where s.kind = r.kind and s.record_id = r.record_id)
      and not exists (select from edition_records as o join import_editions as e on e.id = o.edition_id
        where o.kind = r.kind and o.record_id = r.record_id and e.name = ${name}
          and e.id not in (select id from read_editions where is_whole))`.execute(db);
  await emptyOutcomes(db, name);
  await sql`/* editions.forget */
    delete from edition_records where kind = any(${KINDS_OF_FILES}::text[])
      and edition_id in (select id from read_editions where is_whole)
      and (edition_id, kind, record_id) not in (select id, kind, record_id from read_editions where kind is not null)`.execute(
    db,
  );
  const gone = await removeRecords(db, { isOther: sql`o.name <> ${name}`, isImport: true });
  for (const { kind, name: record, stays, isOwn } of gone) {
    const why = isOwn ? 'the newer edition of its file does not have it' : 'nothing refers to it any more';
    const sentence = stays === null ? `removed: ${why}` : `${why}; it stays`;
    report.add(`${kind.replace('_', ' ')} ${record}`, 'replaced-records', sentence, stays ?? undefined);
  }
  await reportOtherDays(db, name, importer, report);
  const removed = gone.filter(({ stays }) => stays === null);
  return new Map([...Map.groupBy(removed, ({ table }) => table)].map(([table, { length }]) => [table, length]));
}

/** Records what the editions of an import have brought, when it is written. */
export async function recordEditions(db: Database): Promise<void> {
  await sql`/* editions.record */
    insert into edition_records (edition_id, kind, record_id)
    select id, kind, record_id from read_editions
    where ${sql.join(
      Object.entries(OF_FILES).map(
        ([kind, table]) => sql`kind = ${kind} and record_id in (select id from ${sql.table(table)})`,
      ),
      sql` or `,
    )}
    on conflict do nothing`.execute(db);
}

/**
 * Refuses an edition that is older than the stored one of the same file, state and day.
 * @throws ImportError that names both days.
 */
export async function refuseOlder(db: Database, { name, asOf }: Provenance, files: readonly Edition[]): Promise<void> {
  const { rows } = await sql<{ file: string; as_of: string }>`/* editions.newer */
    select e.file, e.as_of::text from import_editions as e
    join jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as f (state text, day date, file text)
      on f.file = e.file and f.state is not distinct from e.state and f.day is not distinct from e.day
    where e.name = ${name} and e.as_of > ${asOf}::date order by e.as_of desc limit 1`.execute(db);
  const [newer] = rows;
  if (newer)
    throw new ImportError(`is of ${asOf}; the edition of ${newer.as_of} is stored: withdraw ${name} first`, newer.file);
}

/** Empties the stored outcomes that only older editions of these files have, and the newer ones do not prove. */
async function emptyOutcomes(db: Database, source: string): Promise<void> {
  for (const [table, kind, columns] of OUTCOMES)
    for (const column of columns)
      await sql`/* editions.outcomes */
        update ${sql.table(table)} as t set ${sql.ref(column)} = null from ${sql.table(`stage_${table}`)} as s
        where s.id = t.id and s.${sql.ref(column)} is null and t.${sql.ref(column)} is not null
          and exists (select from edition_records as r where r.kind = ${kind} and r.record_id = s.id)
          and not exists (select from edition_records as r where r.kind = ${kind} and r.record_id = s.id
            and r.edition_id not in (select id from read_editions where is_whole))
          and not exists (select from record_sources as r join sources as o on o.id = r.source_id
            where r.kind = ${kind}::record_kind and r.record_id = s.id and o.name <> ${source})
          and not exists (select from edition_records as r where r.kind = 'rounds' and r.record_id = s.id)`.execute(db);
}

/** Reports files that differ from stored ones only in their day, by at most a week, and have the same contests. */
async function reportOtherDays(db: Database, source: string, importer: string, report: Report): Promise<void> {
  const named = (file: string, day: string) =>
    sql`replace(replace(${sql.ref(file)}, to_char(${sql.ref(day)}, 'YYYYMMDD'), ''), ${sql.ref(day)}::text, '')`;
  const { rows } = await sql<{ file: string; state: string | null; day: string; other: string; contests: number }>`
    /* editions.other-days */
    with own as (
      select distinct s.id, s.state, s.day, s.file, r.office_id
      from read_editions as s join stage_races as r on s.kind = 'race' and r.id = s.record_id
    ), other as (
      select distinct e.id, e.state, e.day, e.file, r.office_id
      from import_editions as e join edition_records as x on x.edition_id = e.id and x.kind = 'race'
      join races as r on r.id = x.record_id
      where e.name = ${source} and e.id not in (select id from read_editions)
        and exists (select from own where own.state is not distinct from e.state and abs(own.day - e.day) <= 7)
    )
    select own.file, other.state, other.day::text as day, other.file as other, count(*) as contests
    from own join other on other.state is not distinct from own.state and other.day <> own.day and abs(other.day - own.day) <= 7
      and other.office_id = own.office_id and ${named('other.file', 'other.day')} = ${named('own.file', 'own.day')}
    group by own.id, own.file, other.id, other.state, other.day, other.file
    having count(*) in ((select count(*) from own as o where o.id = own.id), (select count(*) from other as o where o.id = other.id))
    order by 1, 3`.execute(db);
  for (const { file, state, day, other, contests } of rows)
    report.add(
      report.locate(file, file),
      'another-day',
      '… (if that day is wrong, withdraw what is of it)',
      `${other} has the same contests on ${day} (${contests}): npm run withdraw -- ${importer}${state === null ? '' : ` --state ${state}`} --date ${day}`,
    );
}

/** Records the name of a source in commands. */
export async function recordImporter(db: Database, importer: string, { name }: Provenance): Promise<void> {
  await sql`/* editions.add */
    insert into import_editions (name, importer) values (${name}, ${importer}) on conflict do nothing`.execute(db);
}

/** Records whose rounds an import or a load has: rounds have no provenance of their own. */
export async function recordRounds(db: Database, importer: string, { name }: Provenance): Promise<void> {
  await sql`/* editions.record-rounds */
    insert into edition_records (edition_id, kind, record_id)
    select distinct e.id, 'rounds', s.candidate_id
    from import_editions as e, stage_ranked_choice_rounds as s
    where e.name = ${name} and e.importer = ${importer} and num_nulls(e.state, e.day, e.file) = 3
    on conflict do nothing`.execute(db);
}
