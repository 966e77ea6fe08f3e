import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { BallotMeasure, Race } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import { type ElectionRow, electionAsJson } from '../elections/elections.store.ts';
import { rowsById } from '../graphql/in-sql.ts';
import type { OfficeRow } from '../officials/officials.store.ts';
import { boundaryInEffect, boundaryOfRace } from './race-boundary.store.ts';
import { OPEN_MEASURE_STATUSES } from './results.ts';

/** A race with the office that it fills and the election that it is part of. */
export type RaceRow = Selectable<Race> & { readonly office: OfficeRow; readonly election: ElectionRow };

/** The columns of a race that determine whether it is on a ballot. The rest is loaded by id. */
export interface RaceOnBallot extends Pick<OfficeRow, 'level' | 'branch'> {
  readonly id: number;
  /** State of the district that holds the election. */
  readonly state: ElectionRow['state'];
}

type TotalColumns = 'yes_votes_total' | 'no_votes_total';

/** A measure with its election. Vote totals are present only for callers who may see results. */
export type MeasureRow = Omit<Selectable<BallotMeasure>, TotalColumns> &
  Partial<Pick<Selectable<BallotMeasure>, TotalColumns>> & { readonly election: ElectionRow };

/** A district and the election date of the requested ballot. */
export interface DistrictOnDate {
  readonly districtId: number;
  readonly date: Day;
}

/** A race or measure of a district, with the boundary whose points have it on their ballot; null when there is none. */
export interface BoundContest<Contest> {
  readonly contest: Contest;
  readonly boundaryId: number | null;
}

const raceColumns = sql`r.*, to_json(o) as office, ${electionAsJson} as election`;
const raceTables = sql`races r
    join offices o on o.id = r.office_id
    join elections e on e.id = r.election_id
    join districts holder on holder.id = e.district_id`;
/**
 * SQL condition: race `r` is on a ballot. Races without candidates are omitted (specification, Election ballot tree).
 */
export const hasCandidates = 'exists (select from candidates c where c.race_id = r.id)';
const raceOrder = sql`o.name, o.seat nulls first, r.id`;

const measureTables = sql`ballot_measures m
    join elections e on e.id = m.election_id
    join districts holder on holder.id = e.district_id`;

function measureColumns(withResults: boolean): RawBuilder<unknown> {
  const open = sql`m.id, m.election_id, m.district_id, m.name, m.type, m.official_title, m.yes_vote, m.no_vote, m.url,
    ${electionAsJson} as election`;
  return withResults
    ? sql`${open}, m.status, m.yes_votes_total, m.no_votes_total`
    : sql`${open}, case when m.status = any(${OPEN_MEASURE_STATUSES}::text[]) then m.status end as status`;
}

export async function racesById(db: Database, ids: readonly number[]): Promise<RaceRow[]> {
  const found = await sql<RaceRow>`
    /* ballots.racesById */
    select ${raceColumns} from ${raceTables}
    where r.id = any(${ids}::int[])`.execute(db);
  return found.rows;
}

/** The races of a node with race ids, in SQL. */
export const racesInSql = rowsById('races', 'race_ids');

/**
 * Returns the races of each district on a date, one list for each request, in input order; sorted by office name, then
 * by seat, then by id. Races without candidates are omitted (specification, Election ballot tree).
 */
export async function racesOnDates(
  db: Database,
  requested: readonly DistrictOnDate[],
): Promise<BoundContest<RaceOnBallot>[][]> {
  const found = await sql<RaceOnBallot & BoundColumns>`
    /* ballots.racesOnDates */
    select requested.index::int, boundary.id as boundary_id, r.id, o.level, o.branch, holder.state
    from ${unnested(requested)}
    join ${raceTables} on o.district_id = requested.district_id and e.date = requested.date
    left join lateral ${sql.raw(boundaryOfRace)} boundary on true
    where ${sql.raw(hasCandidates)}
    order by ${raceOrder}`.execute(db);
  return grouped(requested, found.rows);
}

/**
 * Returns the measures of each district on a date, one list for each request, in input order; sorted by name, then by
 * id.
 */
export async function measuresOnDates(
  db: Database,
  requested: readonly DistrictOnDate[],
  withResults: boolean,
): Promise<BoundContest<MeasureRow>[][]> {
  const found = await sql<MeasureRow & BoundColumns>`
    /* ballots.measuresOnDates */
    select requested.index::int, boundary.id as boundary_id, ${measureColumns(withResults)}
    from ${unnested(requested)}
    join ${measureTables} on m.district_id = requested.district_id and e.date = requested.date
    left join lateral ${sql.raw(boundaryInEffect('m.district_id', 'e.date'))} boundary on true
    order by m.name, m.id`.execute(db);
  return grouped(requested, found.rows);
}

interface BoundColumns {
  index: number;
  boundary_id: number | null;
}

function unnested(requested: readonly DistrictOnDate[]): RawBuilder<unknown> {
  return sql`unnest(${requested.map((each) => each.districtId)}::int[], ${requested.map((each) => each.date)}::date[])
    with ordinality as requested(district_id, date, index)`;
}

function grouped<Contest extends object>(
  requested: readonly unknown[],
  rows: readonly (Contest & BoundColumns)[],
): BoundContest<Contest>[][] {
  const results: BoundContest<Contest>[][] = requested.map(() => []);
  for (const row of rows) results[row.index - 1]?.push({ contest: row, boundaryId: row.boundary_id });
  return results;
}

/** Returns the races of the elections that have candidates, sorted by office name, then by seat, then by id. */
export async function racesOfElections(db: Database, electionIds: readonly number[]): Promise<RaceRow[]> {
  const found = await sql<RaceRow>`
    /* ballots.racesOfElections */
    select ${raceColumns} from ${raceTables}
    where e.id = any(${electionIds}::int[]) and ${sql.raw(hasCandidates)}
    order by ${raceOrder}`.execute(db);
  return found.rows;
}

/** Returns the measures of the elections, sorted by name, then by id. */
export async function measuresOfElections(
  db: Database,
  electionIds: readonly number[],
  withResults: boolean,
): Promise<MeasureRow[]> {
  const found = await sql<MeasureRow>`
    /* ballots.measuresOfElections */
    select ${measureColumns(withResults)} from ${measureTables}
    where e.id = any(${electionIds}::int[])
    order by m.name, m.id`.execute(db);
  return found.rows;
}

export async function measuresById(db: Database, ids: readonly number[], withResults: boolean): Promise<MeasureRow[]> {
  const found = await sql<MeasureRow>`
    /* ballots.measuresById */
    select ${measureColumns(withResults)} from ${measureTables}
    where m.id = any(${ids}::int[])`.execute(db);
  return found.rows;
}
