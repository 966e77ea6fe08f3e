import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { DistrictType, OfficeBranch, OfficeLevel } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import type { Page } from '../graphql/connection.ts';
import { allOf } from '../graphql/keyset.ts';
import { type BallotDistrictNode, ballotDistricts, hasCandidates } from './contests.store.ts';

export interface StateBallotFilter {
  readonly state: string;
  readonly date: Day;
  readonly levels?: readonly OfficeLevel[] | undefined;
  readonly branches?: readonly OfficeBranch[] | undefined;
  readonly types?: readonly DistrictType[] | undefined;
}

/**
 * Returns a page of the districts that have a race with candidates or a measure on the ballot of the state, sorted by
 * id.
 */
export async function pageOfStateBallot(
  db: Database,
  filter: StateBallotFilter,
  { limit, offset, after, before, isBackward }: Page<readonly [number]>,
): Promise<BallotDistrictNode[]> {
  const found = await sql<BallotDistrictNode>`
    /* ballots.pageOfStateBallot */
    with contests as materialized (${contestsOf(filter)}), page as (
      select distinct district_id from contests
      where ${allOf([after && sql`district_id > ${after[0]}::int`, before && sql`district_id < ${before[0]}::int`])}
      order by district_id ${sql.raw(isBackward ? 'desc' : 'asc')} limit ${limit} offset ${offset}
    )
    select part.district_id, part.boundary_id, part.race_ids, part.measure_ids
    from ${sql.raw(ballotDistricts('contests join page using (district_id)'))} part
    order by part.district_id`.execute(db);
  return found.rows;
}

export async function countStateBallot(db: Database, filter: StateBallotFilter): Promise<number> {
  const found = await sql<{ count: number }>`
    /* ballots.countStateBallot */
    select count(distinct district_id) as count from (${contestsOf(filter)}) contests`.execute(db);
  return found.rows[0]?.count ?? 0;
}

/**
 * Returns SQL for the distinct contests, without boundaries. A contest is on the ballot of the state because of its own
 * district or because of the district that holds the election: these are separate queries, as no index serves both
 * conditions.
 */
function contestsOf(filter: StateBallotFilter): RawBuilder<unknown> {
  const { state } = filter;
  const ways = [sql`holder.state = ${state}`, sql`voting.state = ${state}`];
  const races = ways.map((inState) => racesWhere(inState, filter));
  const measures = ways.map((inState) => measuresWhere(inState, filter));
  return sql.join([...races, ...measures], sql` union `);
}

function racesWhere(inState: RawBuilder<unknown>, filter: StateBallotFilter): RawBuilder<unknown> {
  const { date, levels, branches } = filter;
  return sql`
    select voting.id as district_id, null::int as boundary_id, null::date as start_date, r.id as race_id,
      null::int as measure_id, o.ballot_rank as rank, o.name, o.seat
    from elections e
    join districts holder on holder.id = e.district_id
    join races r on r.election_id = e.id
    join offices o on o.id = r.office_id
    join districts voting on voting.id = o.district_id
    where e.date = ${date}::date and ${inState} and ${isOfTypes(filter)}
      and ${levels ? sql`o.level = any(${levels}::office_level[])` : sql`true`}
      and ${branches ? sql`o.branch = any(${branches}::office_branch[])` : sql`true`}
      and ${sql.raw(hasCandidates)}`;
}

function measuresWhere(inState: RawBuilder<unknown>, filter: StateBallotFilter): RawBuilder<unknown> {
  return sql`
    select voting.id as district_id, null::int, null::date, null::int, m.id, null::int, m.name, null
    from elections e
    join districts holder on holder.id = e.district_id
    join ballot_measures m on m.election_id = e.id
    join districts voting on voting.id = m.district_id
    where e.date = ${filter.date}::date and ${inState} and ${isOfTypes(filter)}`;
}

function isOfTypes({ types }: StateBallotFilter): RawBuilder<unknown> {
  return types ? sql`voting.type = any(${types}::district_type[])` : sql`true`;
}
