import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Report } from '../../exchange/report.ts';
import { type SnapshotTerm, settleTermsOfSnapshots } from './snapshot-terms.ts';

const COLUMNS = sql`id, office_id, person_id, status, partisan_affiliation, start_date, end_date`;

/**
 * Reconciles the terms of legislatures from several editions of a source, each with the members of its day, over staged
 * and stored rows together, so that the order of imports does not matter.
 */
export async function settleSnapshots(
  db: Database,
  { name, asOf }: { readonly name: string; readonly asOf: string },
  report: Report,
): Promise<void> {
  await sql`/* import.stage-terms */
    insert into stage_officeholders (line, ${COLUMNS})
    select -h.id, ${COLUMNS} from officeholders as h
    where not exists (select from stage_officeholders as s where s.id = h.id)
      and exists (
        select from record_sources as r join sources as o on o.id = r.source_id
        where r.kind = 'officeholder' and r.record_id = h.id and o.name = ${name})`.execute(db);
  const { rows } = await sql<SnapshotTerm & { id: number }>`/* import.snapshot-terms */
    with office as (
      select id, district_id, chamber from stage_offices
      union all select id, district_id, chamber from offices as o
      where not exists (select from stage_offices as s where s.id = o.id)
    ), district as (
      select id, state from stage_districts
      union all select id, state from districts as d where not exists (select from stage_districts as s where s.id = d.id)
    )
    select s.id, s.line, coalesce(s.origin, p.name) as record, s.office_id as office, s.person_id as person,
      d.state || ' ' || o.chamber as chamber, s.start_date as start, s.end_date as end, s.status,
      array(
        select e.as_of::text from record_sources as r join sources as e on e.id = r.source_id
        where r.kind = 'officeholder' and r.record_id = s.id and e.name = ${name} and e.as_of is not null
        union select ${asOf} where s.line > 0
        order by 1) as days
    from stage_officeholders as s
    join office as o on o.id = s.office_id join district as d on d.id = o.district_id
    left join persons as p on p.id = s.person_id
    where o.chamber is not null
    order by s.line`.execute(db);
  const { changed, dropped } = settleTermsOfSnapshots(rows, report);
  const lines = new Set(dropped);
  await dropTerms(
    db,
    rows.flatMap(({ id, line }) => (lines.has(line) ? [id] : [])),
  );
  await sql`/* import.settle-snapshots */
    update stage_officeholders as s set start_date = c.start, end_date = c.end, status = c.status
    from unnest(
      ${changed.map(({ line }) => line)}::int[], ${changed.map(({ start }) => start)}::date[],
      ${changed.map(({ end }) => end)}::date[], ${changed.map(({ status }) => status)}::text[]
    ) as c (line, start, "end", status)
    where c.line = s.line`.execute(db);
}

/** Deletes terms from the staging table, and from the database if an earlier edition supplied them. */
export async function dropTerms(db: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`/* import.drop-terms */
    delete from stage_officeholders where id = any(${ids}::int[])`.execute(db);
  await sql`/* import.drop-contacts */
    delete from stage_contacts where officeholder_id = any(${ids}::int[])`.execute(db);
  await sql`/* import.drop-terms */
    with gone as (delete from officeholders where id = any(${ids}::int[]) returning id),
      names as (delete from external_identifiers as e using gone where e.kind = 'officeholder' and e.record_id = gone.id)
    delete from record_sources as r using gone where r.kind = 'officeholder' and r.record_id = gone.id`.execute(db);
}
