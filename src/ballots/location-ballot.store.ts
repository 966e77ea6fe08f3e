import type { Day } from '../dates.ts';
import { coveringInSql, foundBoundaryColumns, foundBoundaryNames } from '../districts/districts.store.ts';
import { type RowsInSql, rowsById } from '../graphql/in-sql.ts';
import { hasCandidates } from './ballots.store.ts';
import { boundaryInEffect, boundaryOfRace } from './race-boundary.store.ts';

/** Record type of the contests of a ballot: races and measures that use a boundary that covers the point. */
const CONTEST =
  'contest(district_id int, boundary_id int, start_date date, race_id int, measure_id int, name text, seat text)';

/**
 * The ballot of a point on a day, in SQL, as one row: whether the candidate lists of all elections that apply (as in
 * `electionsOfPoint`) are complete, and the contests of its districts (as in `ballotOfPoint`).
 */
export const ballotInSql: RowsInSql<{ readonly electionDate: Day }> = {
  parentKey: { longitude: 'float8', latitude: 'float8' },
  from(point, { row, parameter }) {
    const day = parameter('date', ({ electionDate }) => electionDate);
    return `(
      with map as materialized (
        select b.id, b.district_id, b.start_date from ${coveringInSql(point)} covering join boundaries b on b.id = covering.boundary_id
      ), here as materialized (
        select unnest(array(select distinct district_id from map)) as district_id
      ), race as materialized (
        select o.district_id, map.id as boundary_id, map.start_date, r.id as race_id, e.id as election_id, o.name, o.seat,
          ${hasCandidates} as has_candidates
        from here
        join offices o on o.district_id = here.district_id
        join races r on r.office_id = o.id
        join elections e on e.id = r.election_id and e.date = ${day}
        join lateral ${boundaryOfRace} boundary on true
        join map on map.id = boundary.id
      ), measure as materialized (
        select m.district_id, map.id as boundary_id, map.start_date, m.id as measure_id, e.id as election_id, m.name
        from here
        join ballot_measures m on m.district_id = here.district_id
        join elections e on e.id = m.election_id and e.date = ${day}
        join lateral ${boundaryInEffect('m.district_id', 'e.date')} boundary on true
        join map on map.id = boundary.id
      )
      select ${day} as date,
        (select coalesce(bool_and(candidate_lists_complete), false) from elections where id = any(array(
          select election_id from race
          union select election_id from measure
          union select e.id from here
            join elections e on e.district_id = here.district_id and e.date = ${day}
            join lateral ${boundaryInEffect('e.district_id', 'e.date')} boundary on true
            join map on map.id = boundary.id))) as candidate_lists_complete,
        (select json_agg(contest) from (
          select district_id, boundary_id, start_date, race_id, null::int as measure_id, name, seat from race
          where has_candidates
          union all
          select district_id, boundary_id, start_date, null, measure_id, name, null from measure) contest) as contests) ${row}`;
  },
};

/**
 * The columns that identify a part of a ballot: its district, the boundary that gives the point its contests, and the
 * contests.
 */
const PART = ['district_id', 'boundary_id', 'race_ids', 'measure_ids'];

/** The districts on the ballot of a point, in SQL. */
export const ballotDistrictsInSql: RowsInSql = {
  parentKey: 'contests',
  onlyInSql: true,
  provides: PART,
  distinctOn: PART,
  from: (contests, { row }) => `(
    select part.*, d.type, d.name
    from (
      select district_id, (array_agg(boundary_id order by start_date desc, boundary_id))[1] as boundary_id,
        coalesce(array_agg(race_id order by name, seat nulls first, race_id) filter (where race_id is not null), '{}') as race_ids,
        coalesce(array_agg(measure_id order by name, measure_id) filter (where measure_id is not null), '{}') as measure_ids
      from json_to_recordset(${contests}) as ${CONTEST}
      group by district_id) part
    join districts d on d.id = part.district_id) ${row}`,
  order: ({ row }) => `${row}.type, ${row}.name, ${row}.district_id`,
};

/** The district of a part of a ballot, in SQL, with the boundary that was found. */
export const ballotDistrictInSql: RowsInSql = {
  parentKey: { district_id: 'int', boundary_id: 'int' },
  requiresProvided: true,
  provides: foundBoundaryNames,
  from: (part, { row }) => `lateral (
    select d.*, ${foundBoundaryColumns} from districts d join boundaries b on b.id = ${part}.boundary_id
    where d.id = ${part}.district_id) ${row}`,
};

/** The measures of a part of a ballot, in SQL. */
export const ballotMeasuresInSql: RowsInSql = { ...rowsById('ballot_measures', 'measure_ids'), requiresProvided: true };
