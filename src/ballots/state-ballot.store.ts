import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { DistrictType, OfficeBranch, OfficeLevel } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import type { Page } from '../graphql/connection.ts';
import { allOf } from '../graphql/keyset.ts';
import { type BallotDistrictNode, ballotDistricts, hasOfficialCandidates } from './contests.store.ts';

export interface StateBallotFilter {
  readonly state: string;
  readonly date: Day;
  readonly levels?: readonly OfficeLevel[] | undefined;
  readonly branches?: readonly OfficeBranch[] | undefined;
  readonly types?: readonly DistrictType[] | undefined;
}

/**
 * Returns a page of the districts that have a race with official candidates or a measure on the ballot of the state, sorted by
 * id.
 */
export async function pageOfStateBallot(
  db: Database,
  filter: StateBallotFilter,
  { limit, offset, after, before, isBackward }: Page<readonly [number]>,
): Promise<BallotDistrictNode[]> {
  const range = sql`${allOf([after && sql`voting.id > ${after[0]}::int`, before && sql`voting.id < ${before[0]}::int`])}`;
  const order = sql`voting.id ${sql.raw(isBackward ? 'desc' : 'asc')}`;
  const isOnBallot = sql`(holder.state = ${filter.state} or voting.state = ${filter.state})`;
  const found = await sql<BallotDistrictNode>`
    /* ballots.pageOfStateBallot */
    with page as materialized (
      select voting.id from (${districtsOnBallot(filter, { range, order, most: limit + offset })}) voting
      where ${range} order by ${order} limit ${limit} offset ${offset}
    ), contests as (
      select voting.id as district_id, null::int as boundary_id, null::date as start_date, r.id as race_id,
        null::int as measure_id, o.ballot_rank as rank, o.name, o.seat
      from page join ${RACES} on voting.id = page.id where ${isOnBallot} and ${isListed(filter)}
      union all
      select voting.id, null, null, null, m.id, null, m.name, null
      from page join ${MEASURES} on voting.id = page.id where ${isOnBallot} and ${isHeldOn(filter)}
    )
    select part.district_id, part.boundary_id, part.race_ids, part.measure_ids
    from ${sql.raw(ballotDistricts('contests'))} part
    order by part.district_id`.execute(db);
  return found.rows;
}

export async function countStateBallot(db: Database, filter: StateBallotFilter): Promise<number> {
  const all = { range: sql`true`, order: sql`voting.id`, most: null };
  const found = await sql<{ count: number }>`
    /* ballots.countStateBallot */
    select count(*) as count from (${districtsOnBallot(filter, all)}) voting`.execute(db);
  return found.rows[0]?.count ?? 0;
}

interface Districts {
  /** The condition for `voting.id`. */
  readonly range: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
  /** The number of districts that are needed from the start; null for all. */
  readonly most: number | null;
}

/** FROM items: the contests of an election, with the district that holds it and the one that votes. */
const ELECTIONS = 'elections e join districts holder on holder.id = e.district_id';
const RACES = sql.raw(`(${ELECTIONS} join races r on r.election_id = e.id join offices o on o.id = r.office_id
  join districts voting on voting.id = o.district_id)`);
const MEASURES = sql.raw(`(${ELECTIONS} join ballot_measures m on m.election_id = e.id
  join districts voting on voting.id = m.district_id)`);

/**
 * Returns SQL for the ids of the districts on the ballot. A contest is on the ballot of the state because of its own
 * district or because of the district that holds the election: these are separate queries, as no index serves both
 * conditions.
 *
 * Most are districts of the state with a race. They are looked for in their order until there are enough: `offset 0`
 * keeps PostgreSQL from joining all offices and races of the country first.
 */
function districtsOnBallot(filter: StateBallotFilter, { range, order, most }: Districts): RawBuilder<unknown> {
  const { state } = filter;
  const ofTypes = isOfTypes(filter);
  return sql`
    (select voting.id from (
      select voting.id from districts voting where voting.state = ${state} and ${ofTypes} and ${range}
      order by ${order} offset 0) voting
    where exists (
      select from offices o join races r on r.office_id = o.id join elections e on e.id = r.election_id
      where o.district_id = voting.id and ${isListed(filter)} offset 0)
    order by ${order} limit ${most})
    union
    select voting.id from ${RACES}
    where holder.state = ${state} and voting.state is distinct from ${state} and ${ofTypes} and ${isListed(filter)}
    union
    select voting.id from ${MEASURES} where holder.state = ${state} and ${ofTypes} and ${isHeldOn(filter)}
    union
    select voting.id from ${MEASURES} where voting.state = ${state} and ${ofTypes} and ${isHeldOn(filter)}`;
}

/** The condition for a race and its office. */
function isListed(filter: StateBallotFilter): RawBuilder<unknown> {
  const { levels, branches } = filter;
  return sql`${isHeldOn(filter)}
    and ${levels ? sql`o.level = any(${levels}::office_level[])` : sql`true`}
    and ${branches ? sql`o.branch = any(${branches}::office_branch[])` : sql`true`}
    and ${sql.raw(hasOfficialCandidates('r.id'))}`;
}

function isHeldOn({ date }: StateBallotFilter): RawBuilder<unknown> {
  return sql`e.date = ${date}::date`;
}

function isOfTypes({ types }: StateBallotFilter): RawBuilder<unknown> {
  return types ? sql`voting.type = any(${types}::district_type[])` : sql`true`;
}
