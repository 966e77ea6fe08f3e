import { addYears, type Day } from '../dates.ts';
import { coveringBoundaries, type DistrictRow, type Point } from '../districts/districts.store.ts';
import { checkRange, type DateRange } from '../elections/date-range.ts';
import { type ElectionRow, electionRows } from '../elections/elections.store.ts';
import { readLimit } from '../graphql/connection.ts';
import type { Context } from '../graphql/context.ts';
import type { RowsInSql } from '../graphql/in-sql.ts';
import { objectRelation, relation } from '../graphql/relation.ts';

/** A district on a ballot, with the ids of the races and measures that it votes on. */
export interface BallotDistrictNode {
  readonly district_id: number;
  /** The boundary of the district that gives a point these contests; null if the ballot is not that of a point. */
  readonly boundary_id: number | null;
  readonly race_ids: readonly number[];
  readonly measure_ids: readonly number[];
}

/** The columns of a race or measure of a district from which `ballotDistricts` builds the parts of a ballot. */
const CONTEST =
  'contest(district_id int, boundary_id int, start_date date, race_id int, measure_id int, rank int, name text, seat text)';

/**
 * Returns the SQL condition that a race is on a ballot: it has an official candidate, who is one that is not a write-in
 * (specification, Election ballot tree).
 * @param id SQL for the id of the race.
 */
export function hasOfficialCandidates(id: string): string {
  return `exists (select from candidates c where c.race_id = ${id} and c.is_write_in is not true)`;
}

/**
 * Returns an SQL subquery with a `BallotDistrictNode` for each district that has contests, and with the type and name
 * of the district. Races are sorted by the rank of their office on a ballot, then by office name, seat and id; measures by
 * name, then by id.
 * @param contests the FROM item with the columns of `CONTEST`.
 */
export function ballotDistricts(contests: string): string {
  return `(
    select part.*, d.type, d.name
    from (
      select district_id, (array_agg(boundary_id order by start_date desc, boundary_id))[1] as boundary_id,
        coalesce(array_agg(race_id order by rank, name, seat nulls first, race_id) filter (where race_id is not null), '{}') as race_ids,
        coalesce(array_agg(measure_id order by name, measure_id) filter (where measure_id is not null), '{}') as measure_ids
      from ${contests}
      group by district_id) part
    join districts d on d.id = part.district_id)`;
}

/** The ballot of a point on a day. */
export interface BallotRow {
  readonly date: Day;
  /** Whether all candidates of all elections that apply to the point are known. */
  readonly candidate_lists_complete: boolean;
  /** The elections that apply to the point, sorted by id. */
  readonly election_ids: readonly number[];
  readonly race_count: number;
  readonly measure_count: number;
  /** JSON text of the contests, always in the same order. */
  readonly contests: string;
}

/**
 * Returns common table expressions for the contests of a point. `race` and `measure` have the races and measures whose
 * boundary covers the point (contract, Boundary of a race). `applying` has the ids of the elections that apply to the
 * point (specification, `election_dates/point`): those with such a race or measure, with or without candidates, and
 * those held by a district whose boundary in effect on the election date covers the point.
 *
 * The second condition alone would miss a city's race in an election held by a neighbouring county, and a special race
 * on the old map. The first alone would miss every election whose races are not known yet, and clients request dates
 * mainly for such elections. A vacancy in one district of a state is therefore best recorded as an election held by
 * that district: if the state held it, it would be announced to the whole state.
 * @param isIncluded returns the condition for the date of an election.
 */
function contestsOfPoint(point: Readonly<Record<string, string>>, isIncluded: (date: string) => string): string {
  const election = `join elections e on e.id = contest.election_id and ${isIncluded('e.date')}`;
  const covering = (day: string, rule = 'boundaries_in_effect') =>
    `join map on map.district_id = here.district_id join ${rule}(${day}) boundary on boundary.id = map.id`;
  const referenceDay = 'race_reference_day(contest.type, contest.year, contest.swearing_in_date, e.date)';
  return `
    map as materialized (
      select b.id, b.district_id, b.start_date
      from ${coveringBoundaries(point)} covering join boundaries b on b.id = covering.boundary_id
    ), here as materialized (
      select unnest(array(select distinct district_id from map)) as district_id
    ), race as materialized (
      select map.district_id, map.id as boundary_id, map.start_date, contest.id as race_id, e.id as election_id, e.date, o.ballot_rank as rank,
        o.name, o.seat
      from here
      join offices o on o.district_id = here.district_id
      join races contest on contest.office_id = o.id
      ${election}
      ${covering(referenceDay, 'boundaries_for_races')}
    ), measure as materialized (
      select map.district_id, map.id as boundary_id, map.start_date, contest.id as measure_id, e.id as election_id, e.date, contest.name
      from here
      join ballot_measures contest on contest.district_id = here.district_id
      ${election}
      ${covering('e.date')}
    ), applying as materialized (
      select election_id, date from race
      union select election_id, date from measure
      union select e.id, e.date from here
        join elections e on e.district_id = here.district_id and ${isIncluded('e.date')}
        ${covering('e.date')})`;
}

/**
 * Returns the SELECT of a `BallotRow` for each of some days, after the common table expressions of `contestsOfPoint`.
 * @param days the FROM item with the column `date`.
 */
function ballotsOn(days: string): string {
  const shown = `race r where r.date = day.date and ${hasOfficialCandidates('r.race_id')}`;
  const elections = 'array(select election_id from applying where applying.date = day.date order by election_id)';
  return `
    select day.date,
      (select coalesce(bool_and(candidate_lists_complete), false)
        from elections where id = any(${elections})) as candidate_lists_complete,
      ${elections} as election_ids,
      (select count(*)::int from ${shown}) as race_count,
      (select count(*)::int from measure where measure.date = day.date) as measure_count,
      (select coalesce(json_agg(contest order by race_id, measure_id, boundary_id), '[]')::text from (
        select district_id, boundary_id, start_date, race_id, null::int as measure_id, rank, name, seat from ${shown}
        union all
        select district_id, boundary_id, start_date, null, measure_id, null, name, null
        from measure where measure.date = day.date) contest) as contests
    from ${days} day`;
}

/** The ballot of a point on an election date. */
export const ballotOfPoint = objectRelation<Point, BallotRow, { readonly electionDate: Day }>({
  name: 'ballots.ballotOfPoint',
  parentKey: { longitude: 'float8', latitude: 'float8' },
  from(point, { row, parameter }) {
    const day = parameter('date', ({ electionDate }) => electionDate);
    return `(
      with ${contestsOfPoint(point, (date) => `${date} = ${day}`)}
      ${ballotsOn(`(select ${day} as date)`)}) ${row}`;
  },
});

/** The ballots of a point on the days between two days, both inclusive, on which an election applies to it. */
export const ballotsOfPoint = relation<Point, BallotRow, DateRange>({
  name: 'ballots.ballotsOfPoint',
  parentKey: { longitude: 'float8', latitude: 'float8' },
  distinctOn: ['date', 'election_ids', 'contests'],
  from(point, { row, parameter }) {
    const first = parameter('date', (args, context) => checkRange(rangeOf(args, context)).from);
    const last = parameter('date', (args, context) => rangeOf(args, context).to);
    return `(
      with ${contestsOfPoint(point, (date) => `${date} between ${first} and ${last}`)}
      ${ballotsOn('(select distinct date from applying)')}) ${row}`;
  },
  orderBy: ({ row }) => `${row}.date`,
});

/** A part of a ballot that was found before, for the query planner. The ids are passed as the text of an array. */
export const ballotDistrictInSql: RowsInSql = {
  parentKey: { district_id: 'int', boundary_id: 'int', race_ids: 'text', measure_ids: 'text' },
  from: (part, { row }) => `lateral (select ${part}.district_id, ${part}.boundary_id,
    ${part}.race_ids::int[] as race_ids, ${part}.measure_ids::int[] as measure_ids) ${row}`,
};

/** The columns that identify a part of the ballot of a point. */
const PART = ['district_id', 'boundary_id', 'race_ids', 'measure_ids'];

/** The districts on the ballot of a point, sorted by type (country first), then by name, then by id. */
export const districtsOfBallot = relation<BallotRow, BallotDistrictNode>({
  name: 'ballots.districtsOfBallot',
  parentKey: { contests: 'text' },
  distinctOn: PART,
  from: ({ contests }, { row }) => `${ballotDistricts(`json_to_recordset(${contests}::json) as ${CONTEST}`)} ${row}`,
  orderBy: ({ row }) => `${row}.type, ${row}.name, ${row}.district_id`,
});

/** The districts that vote in an election, in the same order. */
export const districtsOfElection = relation<ElectionRow, BallotDistrictNode>({
  name: 'ballots.districtsOfElection',
  parentKey: { id: 'int' },
  distinctOn: ['district_id', 'race_ids', 'measure_ids'],
  from: ({ id }, { row }) =>
    `${ballotDistricts(`(
      select o.district_id, null::int, null::date, r.id, null::int, o.ballot_rank, o.name, o.seat
      from races r join offices o on o.id = r.office_id
      where r.election_id = ${id} and ${hasOfficialCandidates('r.id')}
      union all
      select m.district_id, null, null, null, m.id, null, m.name, null from ballot_measures m where m.election_id = ${id}
    ) as contest(district_id, boundary_id, start_date, race_id, measure_id, rank, name, seat)`)} ${row}`,
  orderBy: ({ row }) => `${row}.type, ${row}.name, ${row}.district_id`,
});

/**
 * Returns the first and the last day of a range. By default it extends from one year before to one year after today, and
 * as far beyond that a range with only one end is never empty.
 */
function rangeOf({ from, to }: DateRange, { today }: Pick<Context, 'today'>): { readonly from: Day; readonly to: Day } {
  return {
    from: from ?? addYears(to != null && to < today ? to : today, -1),
    to: to ?? addYears(from != null && from > today ? from : today, 1),
  };
}

/** Returns SQL for the elections that a subquery selects by their ids. */
function electionsById(ids: string): string {
  return `select election.* from ${electionRows} election where election.id = any(array(${ids}))`;
}

/**
 * The elections that apply to a point between two days, both inclusive, sorted by date, then by id. A limited number of
 * them are the next elections, which are held: none is postponed or cancelled.
 */
export const electionsOfPoint = relation<Point, ElectionRow, DateRange & { readonly first?: number | null }>({
  name: 'ballots.electionsOfPoint',
  parentKey: { longitude: 'float8', latitude: 'float8' },
  from(point, { row, parameter }) {
    const first = parameter('date', (args, context) => checkRange(rangeOf(args, context)).from);
    const last = parameter('date', (args, context) => rangeOf(args, context).to);
    const limit = parameter('int', (args) => readLimit(args.first));
    const contests = contestsOfPoint(point, (date) => `${date} between ${first} and ${last}`);
    const found = electionsById(`with ${contests} select election_id from applying`);
    const isHeld = `(${limit} is null or election.status is null or election.status not in ('Postponed', 'Cancelled'))`;
    return `(${found} and ${isHeld} order by election.date, election.id limit ${limit}) ${row}`;
  },
  orderBy: ({ row }) => `${row}.date, ${row}.id`,
});

/**
 * The elections in which a district votes on a race or a measure, and those that it holds if the caller may see who
 * holds an election, between two days, both inclusive, sorted by date, then by id.
 */
export const electionsOfDistrict = relation<Pick<DistrictRow, 'id'>, ElectionRow, DateRange>({
  name: 'ballots.electionsOfDistrict',
  parentKey: { id: 'int' },
  check: checkRange,
  from({ id }, { row, parameter, isGranted }) {
    const first = parameter('date', (args, context) => rangeOf(args, context).from);
    const last = parameter('date', (args, context) => rangeOf(args, context).to);
    const held = `union select held.id from elections held where held.district_id = ${id}`;
    const found = electionsById(`
      select race.election_id from offices office join races race on race.office_id = office.id
        where office.district_id = ${id}
      union select measure.election_id from ballot_measures measure where measure.district_id = ${id}
      ${isGranted('election_districts') ? held : ''}`);
    // OFFSET keeps them found by their ids, of which there are few: with a plan for any days, all elections between are read.
    return `(
      select election.* from (${found} offset 0) election where election.date between ${first} and ${last}) ${row}`;
  },
  orderBy: ({ row }) => `${row}.date, ${row}.id`,
});
