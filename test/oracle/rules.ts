import { sql } from 'kysely';
import type { Database } from '../../src/store/sql/database.ts';

/** A question: a point, the day that counts as today, and another day. */
export interface Question {
  readonly latitude: number;
  readonly longitude: number;
  readonly today: string;
  /** The day of maps and holders, and the election date of the ballot. */
  readonly day: string;
  /** An election, which applies to the point or not. */
  readonly election: number;
  /** Its global ID. */
  readonly electionId: string;
  /** A race, of which the votes by precinct are asked. */
  readonly race: number;
}

/** The result that the specification requires for a question. */
export interface Expected {
  /** The districts that contain the point, with the newest boundary in effect. */
  readonly districts: readonly {
    readonly id: number;
    readonly boundary: number;
    readonly end: string | null;
    readonly type: string;
  }[];
  /** Who holds the offices of these districts. */
  readonly holders: readonly {
    readonly office: number;
    readonly district: number;
    readonly officeholders: readonly number[];
  }[];
  readonly elections: readonly number[];
  /** The elections that apply to the point, of any day. */
  readonly applying: readonly number[];
  /** How far each place to vote with a point is, in metres. */
  readonly distances: Readonly<Record<string, number>>;
  /** The elections that REST lists: none before 2018 (specification, Limits). */
  readonly restElections: readonly number[];
  readonly ballot: {
    readonly elections: readonly number[];
    readonly complete: boolean;
    readonly districts: readonly {
      readonly id: number;
      readonly boundary: number;
      readonly races: readonly number[];
      readonly measures: readonly number[];
    }[];
  };
}

/**
 * Computes the required result from the tables, without code from `src`: no piece of a boundary, no
 * index, no cache. A race without official candidates (none, or only write-ins) is on no ballot, but its election
 * applies to the point.
 */
export async function expectedOf(db: Database, question: Question): Promise<Expected> {
  const { latitude, longitude, today, day } = question;
  const { rows } = await sql<{ expected: Expected }>`
    with
    -- -180 and 180 are the same meridian.
    points as (
      select ST_SetSRID(ST_MakePoint(longitude, ${latitude}::float8), 4326) as at
      from (values (${longitude}::float8), (case when abs(${longitude}::float8) = 180 then -${longitude}::float8 end))
        as meridians (longitude)
      where longitude is not null
    ),
    -- A point on an edge is in the districts on both sides.
    covering as materialized (
      select id from boundaries where exists (select from points where ST_Covers(geometry, at))
    ),
    -- What uses the map of a district on a day (boundary-in-effect rules 2 to 5).
    uses as (
      select 'day' as kind, id, id as district_id, ${day}::date as reference_day, null::int as election_id from districts
      union all
      select 'election', id, district_id, date, id from elections
      union all
      select 'measure', ballot_measures.id, ballot_measures.district_id, date, election_id
      from ballot_measures join elections on elections.id = election_id
      union all
      select 'race', races.id, offices.district_id,
        case when races.type = 'Special' then date else coalesce(swearing_in_date, make_date(year + 1, 1, 31)) end,
        election_id
      from races join elections on elections.id = election_id join offices on offices.id = office_id
    ),
    -- Of two maps that share the day as last and first day, the newer. A race whose day lies in a gap between two maps uses
    -- the newer.
    used as (
      select distinct on (kind, uses.id) uses.*, boundaries.id as boundary_id, start_date
      from uses join boundaries using (district_id)
      where reference_day between start_date and coalesce(end_date, 'infinity')
        or (kind = 'race' and reference_day < start_date and exists (
          select from boundaries as older
          where older.district_id = uses.district_id and older.end_date < reference_day))
      order by kind, uses.id, reference_day >= start_date desc, abs(reference_day - start_date)
    ),
    here as (
      select * from used where boundary_id in (select id from covering)
    ),
    here_elections as (
      select * from elections where exists (select from here where election_id = elections.id)
    ),
    ballot_districts as (
      select here.district_id, (array_agg(boundary_id order by start_date desc))[1] as boundary_id,
        coalesce(json_agg(here.id order by here.id) filter (where kind = 'race'), '[]') as races,
        coalesce(json_agg(here.id order by here.id) filter (where kind = 'measure'), '[]') as measures
      from here join elections on elections.id = election_id
      where elections.date = ${day}::date
        and (kind = 'measure' or kind = 'race' and exists (
          select from candidates where race_id = here.id and coalesce(is_write_in, false) = false))
      group by here.district_id
    )
    select json_build_object(
      'districts', (
        select coalesce(json_agg(
          json_build_object('id', districts.id, 'boundary', boundaries.id, 'end', boundaries.end_date, 'type', type)
          order by type, name, districts.id), '[]')
        from here
        join districts on districts.id = here.id
        join boundaries on boundaries.id = boundary_id
        where kind = 'day'),
      'holders', (
        select coalesce(json_agg(json_build_object('office', offices.id, 'district', here.id, 'officeholders', (
          select coalesce(json_agg(officeholders.id order by start_date, officeholders.id), '[]')
          from officeholders
          where office_id = offices.id
            and ${day}::date between start_date and coalesce(end_date, 'infinity')
            -- Of two terms that share the day as last and first day, the newer.
            and not (coalesce(end_date, 'infinity') = ${day}::date and exists (
              select from officeholders as next
              where next.office_id = offices.id and next.start_date = ${day}::date
                and next.start_date > officeholders.start_date))
            -- Of overlapping terms of one person, the one that began last.
            and not exists (
              select from officeholders as later
              where later.office_id = offices.id and later.person_id = officeholders.person_id
                and later.start_date > officeholders.start_date
                and ${day}::date between later.start_date and coalesce(later.end_date, 'infinity'))
          )) order by offices.id), '[]')
        from here join offices on offices.district_id = here.id
        where kind = 'day'),
      'restElections', (
        select coalesce(json_agg(id order by date, id), '[]') from here_elections
        where date >= '2018-01-01'
          and date between ${today}::date - interval '1 year' and ${today}::date + interval '1 year'),
      'applying', (select coalesce(json_agg(id order by date, id), '[]') from here_elections),
      'distances', (
        select coalesce(json_object_agg(id, ST_Distance(
          ST_MakePoint(voting_places.longitude, voting_places.latitude)::geography,
          ST_MakePoint(${longitude}::float8, ${latitude}::float8)::geography)::int), '{}')
        from voting_places where voting_places.longitude is not null),
      'elections', (
        select coalesce(json_agg(id order by date, id), '[]') from here_elections
        where date between ${today}::date - interval '1 year' and ${today}::date + interval '1 year'),
      'ballot', json_build_object(
        'elections', (
          select coalesce(json_agg(id order by id), '[]') from here_elections where date = ${day}::date),
        'complete', (
          select coalesce(bool_and(candidate_lists_complete), false) from here_elections where date = ${day}::date),
        'districts', (
          select coalesce(json_agg(
            json_build_object('id', id, 'boundary', boundary_id, 'races', races, 'measures', measures)
            order by type, name, id), '[]')
          from ballot_districts join districts on id = district_id))
    ) as expected`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A statement without a row');
  return row.expected;
}
