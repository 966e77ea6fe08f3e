import { type RawBuilder, type Selectable, sql } from 'kysely';
import { boundaryInEffect, boundaryOfRace } from '../ballots/race-boundary.store.ts';
import type { Database } from '../database/database.ts';
import type { District, Election } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import type { RowsInSql } from '../graphql/in-sql.ts';

/** An election with the state of the district that holds it. */
export type ElectionRow = Selectable<Election> & Pick<Selectable<District>, 'state'>;

/** The columns of an `ElectionRow`, where `e` is the election and `holder` the district that holds it. */
const electionColumns = sql`e.id, e.date, e.type, e.district_id, e.description, e.candidate_lists_complete, holder.state`;

/**
 * An `ElectionRow` as one JSON value, for statements about races and measures; `e` and `holder` as in
 * `electionColumns`.
 */
export const electionAsJson = sql`json_build_object('id', e.id, 'date', e.date, 'type', e.type,
  'district_id', e.district_id, 'description', e.description,
  'candidate_lists_complete', e.candidate_lists_complete, 'state', holder.state)`;

/** The election of a row with an `election_id`, in SQL. */
export const electionInSql: RowsInSql = {
  parentKey: 'election_id',
  from: (electionId, { row }) =>
    `(select e.*, holder.state from elections e join districts holder on holder.id = e.district_id) ${row}
     where ${row}.id = ${electionId}`,
};

export async function electionsById(db: Database, ids: readonly number[]): Promise<ElectionRow[]> {
  const found = await sql<ElectionRow>`
    /* elections.electionsById */
    select ${electionColumns}
    from elections e join districts holder on holder.id = e.district_id
    where e.id = any(${ids}::int[])`.execute(db);
  return found.rows;
}

export interface ElectionFilter {
  readonly state?: string | undefined;
  /** Case-insensitive. */
  readonly types?: readonly string[] | undefined;
  readonly year?: number | undefined;
  readonly date?: Day | undefined;
  /** The first day. */
  readonly from?: Day | undefined;
}

/** Returns a page of the elections that match the filter, sorted by date, then by id. */
export async function pageOfElections(
  db: Database,
  filter: ElectionFilter,
  offset: number,
  limit: number,
): Promise<ElectionRow[]> {
  const found = await sql<ElectionRow>`
    /* elections.pageOfElections */
    select ${electionColumns}
    from elections e join districts holder on holder.id = e.district_id
    where ${fits(filter)}
    order by e.date, e.id
    limit ${limit} offset ${offset}`.execute(db);
  return found.rows;
}

export async function countElections(db: Database, filter: ElectionFilter): Promise<number> {
  const found = await sql<{ count: number }>`
    /* elections.countElections */
    select count(*) as count
    from elections e join districts holder on holder.id = e.district_id
    where ${fits(filter)}`.execute(db);
  return found.rows[0]?.count ?? 0;
}

function fits({ state, types, year, date, from }: ElectionFilter): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (state !== undefined) conditions.push(sql`holder.state = ${state}`);
  if (types) conditions.push(sql`lower(e.type) = any(${types.map((type) => type.toLowerCase())}::text[])`);
  if (year !== undefined)
    conditions.push(sql`e.date between make_date(${year}::int, 1, 1) and make_date(${year}::int, 12, 31)`);
  if (date !== undefined) conditions.push(sql`e.date = ${date}::date`);
  if (from !== undefined) conditions.push(sql`e.date >= ${from}::date`);
  return sql.join(conditions, sql` and `);
}

/** A district and a range of election dates, both days inclusive. */
export interface DistrictWindow {
  readonly districtId: number;
  readonly from: Day;
  readonly to: Day;
}

/** An election that applies to a district within one of the district's boundaries. */
export interface ApplyingElection {
  readonly election: ElectionRow;
  readonly boundaryId: number;
}

/**
 * Returns the elections that a district holds or in which it has a race or a measure, one list for each window, in
 * input order. Each election comes with the boundary of the district whose points it applies to. A race counts as soon
 * as it is known, with or without candidates.
 */
export async function electionsOfDistricts(
  db: Database,
  windows: readonly DistrictWindow[],
): Promise<ApplyingElection[][]> {
  const found = await sql<ElectionRow & { index: number; boundary_id: number }>`
    /* elections.electionsOfDistricts */
    with asked as (
      select * from unnest(${windows.map((window) => window.districtId)}::int[],
        ${windows.map((window) => window.from)}::date[], ${windows.map((window) => window.to)}::date[])
        with ordinality as asked(district_id, first_day, last_day, index)
    ), applying as (
      select asked.index, e.id, boundary.id as boundary_id
      from asked
      join elections e on e.district_id = asked.district_id and e.date between asked.first_day and asked.last_day
      join lateral ${sql.raw(boundaryInEffect('e.district_id', 'e.date'))} boundary on true
      union
      select asked.index, e.id, boundary.id
      from asked
      join offices o on o.district_id = asked.district_id
      join races r on r.office_id = o.id
      join elections e on e.id = r.election_id and e.date between asked.first_day and asked.last_day
      join lateral ${sql.raw(boundaryOfRace)} boundary on true
      union
      select asked.index, e.id, boundary.id
      from asked
      join ballot_measures m on m.district_id = asked.district_id
      join elections e on e.id = m.election_id and e.date between asked.first_day and asked.last_day
      join lateral ${sql.raw(boundaryInEffect('m.district_id', 'e.date'))} boundary on true
    )
    select applying.index::int, applying.boundary_id, ${electionColumns}
    from applying
    join elections e on e.id = applying.id
    join districts holder on holder.id = e.district_id
    order by e.date, e.id`.execute(db);
  const answers: ApplyingElection[][] = windows.map(() => []);
  for (const { index, boundary_id, ...election } of found.rows)
    answers[index - 1]?.push({ election, boundaryId: boundary_id });
  return answers;
}
