import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Provenance } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';
import { dropTerms } from './settle-snapshots.ts';

/**
 * The staged terms, and the stored ones that are not staged, with the newest edition of the source that has them. `since` is the
 * first day of a term, or, if the start is unknown, the first day that is known to be in it: that of an edition, or its last day.
 */
const terms = ({ name, asOf }: Provenance) => sql`
  select t.*, coalesce(start_date, least(end_date - 1, oldest)) as since
  from (
    select s.id, s.line, s.office_id, s.person_id, s.start_date, s.end_date, s.origin, true as own,
      greatest(${asOf}::date, (${edition('max', name, 's.id')})) as newest,
      least(${asOf}::date, (${edition('min', name, 's.id')})) as oldest
    from stage_officeholders as s where s.line > 0
    union all
    select h.id, null, h.office_id, h.person_id, h.start_date, h.end_date, null,
      not exists (
        select from record_sources as r join sources as e on e.id = r.source_id
        where r.kind = 'officeholder' and r.record_id = h.id and e.name <> ${name}),
      (${edition('max', name, 'h.id')}), (${edition('min', name, 'h.id')})
    from officeholders as h
    where h.office_id in (select office_id from stage_officeholders)
      and not exists (select from stage_officeholders as s where s.id = h.id and s.line > 0)
  ) as t`;

/** The day of the newest or the oldest edition of the source that has a term. */
const edition = (which: 'max' | 'min', name: string, id: string) => sql`
  select ${sql.raw(which)}(e.as_of) from record_sources as r join sources as e on e.id = r.source_id
  where r.kind = 'officeholder' and r.record_id = ${sql.ref(id)} and e.name = ${name}`;

/** Whether the oldest edition with the term `a` shows the person in office before the term `b` begins. */
const isSeenBefore = sql`coalesce(
  a.oldest < b.start_date and a.oldest >= coalesce(a.start_date, '-infinity') and a.oldest < coalesce(a.end_date, 'infinity'), false)`;

/**
 * Replaces terms that a newer edition of the source has corrected: a person has two terms in one office at the same time, or two
 * of unknown start, and the newest edition has only one of them. If that one begins after an edition shows the person in office, it
 * is a further term, and ends the other. Otherwise it is from now on the record of the other as well, so that the older
 * edition, imported again, changes nothing. The order in which editions are imported does not matter.
 */
export async function dropCorrectedTerms(db: Database, provenance: Provenance, report: Report): Promise<void> {
  if (provenance.asOf === null) return;
  const { rows } = await sql<Correction>`
    /* import.corrected-terms */
    with term as materialized (${terms(provenance)})
    select distinct on (a.id) a.id, a.origin, b.id as better_id, b.start_date as start, b.end_date as end
    from term as a join term as b on b.office_id = a.office_id and b.person_id = a.person_id and b.id <> a.id
      and (a.since < coalesce(b.end_date, 'infinity') and b.since < coalesce(a.end_date, 'infinity')
        or a.start_date is null and b.start_date is null)
      and not (${isSeenBefore})
    where a.own and a.newest < b.newest order by a.id, b.start_date`.execute(db);
  for (const { origin, start, end } of rows)
    if (origin !== null)
      report.add(
        origin,
        'left-out',
        'a newer edition has the term …',
        start === null ? `to ${end ?? 'a day that is not known'}` : `from ${start} on`,
      );
  await moveToBetter(db, rows);
  await dropTerms(
    db,
    rows.map(({ id }) => id),
  );
  await sql`/* import.end-terms-before-further-ones */
    with term as materialized (${terms(provenance)})
    update stage_officeholders as s set end_date = f.day, status = case when f.day <= f.newest then 'Former' else s.status end
    from (
      select a.id, min(b.start_date) as day, max(b.newest) as newest from term as a
      join term as b on b.office_id = a.office_id and b.person_id = a.person_id and b.id <> a.id
        and b.start_date <= coalesce(a.end_date, 'infinity')
      where a.own and a.newest < b.newest and ${isSeenBefore} group by a.id
    ) as f where f.id = s.id`.execute(db);
}

interface Correction {
  /** The term to drop. */
  readonly id: number;
  readonly origin: string | null;
  /** The term of the newer edition, and its days. */
  readonly better_id: number;
  readonly start: string | null;
  readonly end: string | null;
}

/** Moves the names, the editions and the contacts of dropped terms to the terms that replace them. */
async function moveToBetter(db: Database, corrections: readonly Correction[]): Promise<void> {
  if (corrections.length === 0) return;
  const pairs = sql`unnest(${corrections.map(({ id }) => id)}::int[], ${corrections.map(({ better_id }) => better_id)}::int[])
    as pair (id, better)`;
  await sql`/* import.move-names-of-terms */
    update external_identifiers as e set record_id = better from ${pairs}
    where e.kind = 'officeholder' and e.record_id = pair.id`.execute(db);
  await sql`/* import.move-names-of-staged-terms */
    update stage_identifiers as e set record_id = better from ${pairs}
    where e.kind = 'officeholder' and e.record_id = pair.id`.execute(db);
  await sql`/* import.move-editions-of-terms */
    insert into record_sources (kind, record_id, source_id)
    select distinct 'officeholder'::record_kind, better, r.source_id
    from ${pairs} join record_sources as r on r.kind = 'officeholder' and r.record_id = pair.id
    on conflict do nothing`.execute(db);
  await sql`/* import.move-contacts-of-terms */
    update stage_contacts as c set officeholder_id = better from ${pairs} where c.officeholder_id = pair.id`.execute(
    db,
  );
  // A stored term is staged as it is, as a term of this edition too.
  await sql`/* import.supply-better-terms */
    update stage_officeholders as o set line = s.line, origin = s.origin
    from ${pairs} join stage_officeholders as s on s.id = pair.id and s.line > 0
    where o.id = better and o.line < 0`.execute(db);
  await sql`/* import.stage-better-terms */
    insert into stage_officeholders (line, origin, ${TERM_COLUMNS})
    select distinct on (h.id) s.line, s.origin, ${TERM_COLUMNS_OF_H}
    from ${pairs} join stage_officeholders as s on s.id = pair.id and s.line > 0 join officeholders as h on h.id = better
    where not exists (select from stage_officeholders as o where o.id = better)
    order by h.id, s.line`.execute(db);
}

const TERM = ['id', 'office_id', 'person_id', 'status', 'partisan_affiliation', 'start_date', 'end_date'];
const TERM_COLUMNS = sql.join(TERM.map((name) => sql.ref(name)));
const TERM_COLUMNS_OF_H = sql.join(TERM.map((name) => sql.ref(`h.${name}`)));

/**
 * Ends terms in offices of one holder when the next person takes the office, if the source has a later end. Seats of a
 * chamber are left to the rules for editions of legislatures: an edition may show a second member of a district later.
 */
export async function endEarlierTerms(db: Database): Promise<void> {
  await sql`/* import.end-earlier-terms */
    with term as materialized (
      select id, office_id, person_id, start_date from stage_officeholders
      union all
      select id, office_id, person_id, start_date from officeholders as h
      where h.office_id in (select office_id from stage_officeholders)
        and not exists (select from stage_officeholders as s where s.id = h.id)
    ), following as (${following(sql`stage_officeholders`, sql`term`)})
    update stage_officeholders as s set end_date = f.day from following as f where f.id = s.id`.execute(db);
}

/** Does the same for stored terms of the offices of an import, once it is known which offices have one holder. */
export async function endStoredTerms(db: Database): Promise<void> {
  await sql`/* import.end-stored-terms */
    with following as (${following(
      sql`(
      select * from officeholders where office_id in (select office_id from stage_officeholders)) `,
      sql`officeholders`,
    )})
    update officeholders as h set end_date = f.day from following as f where f.id = h.id`.execute(db);
}

function following(from: ReturnType<typeof sql>, others: ReturnType<typeof sql>) {
  return sql`
    select a.id, min(b.start_date) as day
    from ${from} as a join offices as o on o.id = a.office_id and o.one_holder and o.chamber is null
    join ${others} as b on b.office_id = a.office_id and b.person_id <> a.person_id
      and b.start_date > a.start_date and b.start_date < coalesce(a.end_date, 'infinity')
    group by a.id`;
}
