import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { DistrictType } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import { houseSeats } from '../import/house-seats.ts';
import { missingNumbers } from '../import/missing-numbers.ts';
import { GRID, uncoveredAreas, WIDTHS, width } from '../import/uncovered-areas.ts';
import { EAST_OF, NORTH_OF, OFFSHORE, SOUTH_OF, WEST_OF } from '../import/us-extent.ts';
import type { Check, Violation } from './check.ts';
import { firstPointOf, isInState } from './places.store.ts';
import { inScope, type Scope } from './scope.ts';

export const BOUNDARY_CHECKS: readonly Check[] = [
  {
    name: 'pieces-of-boundaries',
    finds: 'boundaries whose pieces for point lookups do not cover them exactly',
    query: () => sql`
      select 'boundary ' || b.id as record, 'its pieces cover ' || coalesce(round((100 * p.area / nullif(ST_Area(b.geometry), 0))::numeric, 2), 0)
        || ' % of it' as problem
      from boundaries as b
      left join (select boundary_id, sum(ST_Area(geometry)) as area from boundary_pieces group by boundary_id) as p
        on p.boundary_id = b.id
      where abs(coalesce(p.area, 0) - ST_Area(b.geometry)) > 1e-6 * ST_Area(b.geometry)`,
  },
  {
    name: 'stored-shares-of-boundaries',
    finds:
      'outlines of the country and the states whose shares for contains and containedIn are not stored, or not those of the outline',
    query: () => sql`
      with detailed as materialized (
        select p.boundary_id, sum(ST_Area(ST_Transform(p.geometry, 6933))) as area
        from districts as d join boundaries as b on b.district_id = d.id join boundary_pieces as p on p.boundary_id = b.id
        where d.type in ('Country', 'State') group by p.boundary_id having count(*) > 64
      ), largest as materialized (
        select distinct on (boundary_id) boundary_id, geometry from boundary_pieces order by boundary_id, ST_Area(geometry) desc
      )
      select 'boundary ' || coalesce(d.boundary_id, s.boundary_id) as record,
        case when s.area is null then 'is not in detailed_boundaries' when d.area is null then 'must not be in detailed_boundaries'
          else 'has another area than in detailed_boundaries' end as problem
      from detailed as d full join detailed_boundaries as s on s.boundary_id = d.boundary_id
      where d.area is null or s.area is null or abs(d.area - s.area) > 1e-6 * d.area
      union
      select 'boundary ' || l.boundary_id, 'lies in boundary ' || p.boundary_id || ' at least in part, but has no share in boundary_shares'
      from largest as l join boundary_pieces as p on p.geometry && l.geometry and p.boundary_id <> l.boundary_id
      where p.boundary_id in (select boundary_id from detailed) and ST_Covers(p.geometry, l.geometry)
        and not exists (select from boundary_shares as s where s.outer_id = p.boundary_id and s.inner_id = l.boundary_id)
      union
      select 'boundary ' || s.inner_id, 'has a share of boundary ' || s.outer_id || ' in boundary_shares, though neither is in detailed_boundaries'
      from boundary_shares as s
      where s.outer_id not in (select boundary_id from detailed_boundaries)
        and s.inner_id not in (select boundary_id from detailed_boundaries)`,
  },
  {
    name: 'gaps-between-boundaries',
    // Maps that were not loaded, or that no source has, are missing, not wrong.
    severity: 'warning',
    finds: 'districts without a boundary between two of their boundaries',
    over: ['boundaries'],
    query: (_, scope) => sql`
      select 'district ' || district_id as record, 'has no boundary from ' || end_date || ' to ' || next as problem
      from (
        select district_id, end_date, lead(start_date) over (partition by district_id order by start_date) as next
        from boundaries
      ) as b
      where next > end_date + 1 and ${inScope(scope, 'boundaries', 'b.district_id')}`,
  },
  {
    name: 'periods-of-boundaries',
    finds: 'boundaries that end before they begin, or overlap another boundary of their district in time',
    over: ['boundaries'],
    query: (_, scope) => sql`
      select 'boundary ' || id as record, 'from ' || start_date || ' to ' || end_date as problem
      from boundaries where end_date < start_date and ${inScope(scope, 'boundaries', 'boundaries.district_id')}
      union all
      select 'boundary ' || a.id, 'is in effect with boundary ' || b.id || ' from ' || a.start_date
      from boundaries as a join boundaries as b on b.district_id = a.district_id and b.id <> a.id
        and (b.start_date < a.start_date or b.start_date = a.start_date and b.id < a.id)
        and coalesce(b.end_date, 'infinity') > a.start_date
      where ${inScope(scope, 'boundaries', 'a.district_id')}`,
  },
  {
    name: 'boundaries-outside-the-country',
    finds: 'boundaries beyond the extent of the United States: longitude and latitude exchanged, or another projection',
    over: ['boundaries'],
    query: (_, scope) => sql`
      select 'boundary ' || id as record, 'of district ' || district_id || ' reaches longitude ' || round(ST_XMin(geometry)::numeric, 2)
        || ' to ' || round(ST_XMax(geometry)::numeric, 2) || ', latitude ' || round(ST_YMin(geometry)::numeric, 2)
        || ' to ' || round(ST_YMax(geometry)::numeric, 2) as problem
      from boundaries
      where ${inScope(scope, 'boundaries', 'boundaries.district_id')} and (ST_YMin(geometry) < ${sql.lit(NORTH_OF)} or ST_YMax(geometry) > ${sql.lit(SOUTH_OF)}
        or ST_XMin(geometry) between ${sql.lit(WEST_OF)} and ${sql.lit(EAST_OF)}
        or ST_XMax(geometry) between ${sql.lit(WEST_OF)} and ${sql.lit(EAST_OF)})`,
  },
  {
    name: 'districts-outside-their-state',
    finds: 'districts whose boundary lies outside that of their state',
    over: ['boundaries'],
    query: (_, scope) => sql`
      select 'district ' || d.id as record, d.type || ' ' || d.name || ' is outside ' || d.state as problem
      from districts as d join boundaries as b on b.district_id = d.id
      where d.type not in ('Country', 'State') and ${inScope(scope, 'boundaries', 'd.id')}
        and exists (
          select from districts as sd join boundaries as sb on sb.district_id = sd.id
          where sd.type = 'State' and sd.state = d.state)
        and case when ${isInState(sql.ref('d.state'), firstPointOf(sql.ref('b.id')), OFFSHORE)} then false
          else not ${isInState(sql.ref('d.state'), sql.ref('b.geometry'), OFFSHORE)} end`,
  },
  {
    name: 'districts-without-state',
    finds: 'states, counties, Congress and legislative districts without a state',
    over: ['districts'],
    query: (_, scope) => sql`
      select 'district ' || id as record, type || ' ' || name || ' has no state' as problem from districts
      where state is null and type in ('State', 'County', 'Congress', 'State Legislative (Upper)', 'State Legislative (Lower)')
        and ${inScope(scope, 'districts', 'districts.id')}`,
  },
];

/** The district types whose districts cover their state without gaps and overlaps. */
const PARTITIONS: readonly DistrictType[] = [
  'Congress',
  'State Legislative (Upper)',
  'State Legislative (Lower)',
  'County',
];

/** The districts of one type in a state from a day on, when one of their boundaries begins or ends. */
export interface StateMap {
  readonly type: DistrictType;
  readonly state: string;
  readonly day: Day;
  /** The codes of the districts in their OCD ids. */
  readonly codes: readonly string[];
  readonly precise: boolean;
  /**
   * True for counties whose areas add up to that of the state, so that none can be missing: the union of thousands of
   * counties takes half a minute.
   */
  readonly isFull: boolean;
}

/** Returns the maps of states; within an import those of which it has a boundary. */
export async function stateMaps(db: Database, scope: Scope = 'database'): Promise<StateMap[]> {
  const { rows } = await sql<StateMap>`/* integrity.stateMaps */
    select d.type, d.state, days.day::text as day, bool_and(b.precise) as precise,
      coalesce(array_agg(distinct substring(d.ocdid from '/(?:cd|sldu|sldl):([^/:]+)$'))
        filter (where d.ocdid ~ '/(cd|sldu|sldl):[^/:]+$'), '{}') as codes,
      d.type = 'County' and coalesce(abs(sum(ST_Area(b.geometry)) - min(state.area)) < min(ST_Area(b.geometry)) / 4, false)
        as "isFull"
    from (
      select distinct d.type, d.state, change.day
      from districts as d join boundaries as b on b.district_id = d.id
      cross join lateral (values (b.start_date), (b.end_date)) as change (day)
      where d.type::text = any(${PARTITIONS}::text[]) and d.state is not null and change.day is not null
        and ${inScope(scope, 'boundaries', 'd.id')}
    ) as days
    join districts as d on d.type = days.type and d.state = days.state
    join ${boundariesFrom(sql`days.day`)} as b on b.district_id = d.id
    left join lateral (
      select ST_Area(sb.geometry) as area from districts as sd join boundaries as sb on sb.district_id = sd.id
      where sd.type = 'State' and sd.state = d.state order by sb.start_date desc limit 1
    ) as state on true
    group by d.type, d.state, days.day order by d.type, d.state, days.day`.execute(db);
  return rows;
}

/**
 * Returns the boundaries in effect from a day on. The last day of a district that the new map does not have is the first
 * day of the new map: such a district is part of the old map only.
 */
function boundariesFrom(day: RawBuilder<unknown>) {
  return sql`lateral (select * from boundaries_in_effect(${day}) where end_date is distinct from ${day})`;
}

/** Returns the districts that are missing by their numbers, and for Congress by the seats of the state. */
export function missingDistricts(map: StateMap): Violation[] {
  const { type, state, day, codes } = map;
  const record = nameOf(map);
  const gaps = missingNumbers(codes);
  const violations = gaps.length > 0 ? [{ record, problem: `the districts ${gaps.join(', ')} are missing` }] : [];
  const seats = type === 'Congress' ? houseSeats(state, day) : undefined;
  if (seats === undefined || seats === codes.length) return violations;
  return [...violations, { record, problem: `has ${codes.length} districts for ${seats} seats` }];
}

const widthOf = ({ precise }: StateMap) => (precise ? WIDTHS.precise : WIDTHS.generalised);

/** Returns the overlaps of districts of a map. Narrower ones count too if they are a fifth of a district. */
export async function overlaps(db: Database, map: StateMap): Promise<Violation[]> {
  const { rows } = await sql<{ a: number; b: number }>`/* integrity.overlaps */
    with pieces as materialized (
      select d.id, p.geometry, ST_Area(b.geometry) as area
      from districts as d join ${boundariesFrom(sql`${map.day}::date`)} as b on b.district_id = d.id
      join boundary_pieces as p on p.boundary_id = b.id
      where d.type::text = ${map.type} and d.state = ${map.state}
    ), shared as (
      select p.id as a, q.id as b, least(p.area, q.area) as smaller,
        ST_CollectionExtract(ST_Intersection(p.geometry, q.geometry, ${GRID}::float8), 3) as geometry
      from pieces as p join pieces as q on q.id > p.id and q.geometry && p.geometry and ST_Intersects(p.geometry, q.geometry)
    )
    select a, b from shared where not ST_IsEmpty(geometry)
    group by a, b
    having max(${width('geometry')}) > ${2 * widthOf(map)}::float8
      or sum(ST_Area(geometry)) > min(smaller) / 5 and max(${width('geometry')}) > ${widthOf(map) / 2}::float8
    order by a, b`.execute(db);
  return rows.map(({ a, b }) => ({ record: nameOf(map), problem: `district ${a} and district ${b} overlap` }));
}

/** Returns the areas of the state that no district of a map covers, each by a point inside it. */
export async function gaps(db: Database, map: StateMap): Promise<Violation[]> {
  if (map.isFull) return [];
  const districts = sql`
    select b.geometry from districts as d join ${boundariesFrom(sql`${map.day}::date`)} as b on b.district_id = d.id
    where d.type::text = ${map.type} and d.state = ${map.state}`;
  const areas = await uncoveredAreas(db, districts, map.state, map.precise);
  return areas.map((area) => ({ record: nameOf(map), problem: `no district covers the area around ${area}` }));
}

function nameOf({ type, state, day }: StateMap): string {
  return `${type} ${state} ${day}`;
}
