import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { DistrictType, OfficeBranch, OfficeLevel } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import type { DistrictRow } from '../districts/districts.store.ts';
import { hasCandidates } from './ballots.store.ts';

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
  offset: number,
  limit: number,
): Promise<DistrictRow[]> {
  const found = await sql<DistrictRow>`
    /* ballots.pageOfStateBallot */
    select d.id, d.type, d.name, d.state, d.ocdid, d.geo_id, d.nces_id, d.url
    from districts d
    where d.id in (${votingDistricts(filter)})
    order by d.id
    limit ${limit} offset ${offset}`.execute(db);
  return found.rows;
}

export async function countStateBallot(db: Database, filter: StateBallotFilter): Promise<number> {
  const found = await sql<{ count: number }>`
    /* ballots.countStateBallot */
    select count(*) as count from (${votingDistricts(filter)}) voting`.execute(db);
  return found.rows[0]?.count ?? 0;
}

/**
 * Returns SQL for the distinct ids of the districts. A contest is on the ballot of the state because of its own
 * district or because of the district that holds the election: these are separate queries, as no index serves both
 * conditions.
 */
function votingDistricts(filter: StateBallotFilter): RawBuilder<unknown> {
  const { state } = filter;
  const ways = [sql`holder.state = ${state}`, sql`voting.state = ${state}`];
  const races = ways.map((inState) => districtsOfRaces(inState, filter));
  const measures = ways.map((inState) => districtsOfMeasures(inState, filter));
  return sql.join([...races, ...measures], sql` union `);
}

function districtsOfRaces(inState: RawBuilder<unknown>, filter: StateBallotFilter): RawBuilder<unknown> {
  const { date, levels, branches } = filter;
  return sql`
    select voting.id
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

function districtsOfMeasures(inState: RawBuilder<unknown>, filter: StateBallotFilter): RawBuilder<unknown> {
  return sql`
    select voting.id
    from elections e
    join districts holder on holder.id = e.district_id
    join ballot_measures m on m.election_id = e.id
    join districts voting on voting.id = m.district_id
    where e.date = ${filter.date}::date and ${inState} and ${isOfTypes(filter)}`;
}

function isOfTypes({ types }: StateBallotFilter): RawBuilder<unknown> {
  return types ? sql`voting.type = any(${types}::district_type[])` : sql`true`;
}
