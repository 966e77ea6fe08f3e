import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { areaOf, intersectionOf } from '../database/geometry-functions.ts';
import type { DistrictType } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import type { BoundaryExtent, DistrictRow, Point } from '../districts/districts.store.ts';

/** An area on the map: that of a ZIP code, of a district, or a polygon. */
export interface AreaRow {
  /** Identifies the area within a request. */
  readonly key: string;
  /** Returns the statement with its pieces on a day, valid polygons in the column `geometry`. */
  pieces(day: Day): RawBuilder<unknown>;
  /** The district of which this is the area; undefined for others. */
  readonly district?: DistrictRow;
}

export interface ZipCodeAreaRow extends AreaRow {
  readonly code: string;
}

/** A district that overlaps an area. */
export interface DistrictShareRow extends DistrictRow {
  /** The share of the area that lies in the district, from 0 to 1. */
  readonly area_share: number;
  /** How the district was found, to count the addresses in it. */
  readonly area: AreaRow;
  readonly day: Day;
}

export interface OverlapKey {
  readonly area: AreaRow;
  readonly day: Day;
  readonly types: readonly DistrictType[] | null;
}

/**
 * The smallest share that counts. Files of different years and scales draw the same line a little differently; where a
 * ZIP area follows the border of a district, such slivers have mostly less than a thousandth of its area.
 */
export const SMALLEST_SHARE = 0.001;

/** The distance in degrees between two vertices of a polygon: its straight edges are straight in degrees. */
const VERTEX_DISTANCE = 0.05;
const MOST_VERTICES = 128;

/** Returns which of the ZIP codes have an area. */
export async function knownZipCodes(db: Database, codes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ code: string }>`/* places.zip-codes */
    select distinct code from zip_areas where code = any(${codes}::text[])`.execute(db);
  return new Set(rows.map(({ code }) => code));
}

export function zipCodeArea(code: string): ZipCodeAreaRow {
  return {
    key: `zip ${code}`,
    code,
    pieces: () => sql`select p.geometry from zip_areas as a join zip_area_pieces as p on p.zip_area_id = a.id
      where a.code = ${code}`,
  };
}

/** Returns the area of a district, by its boundary in effect on the day of the comparison. */
export function districtArea(district: DistrictRow): AreaRow {
  const { id } = district;
  return {
    key: `district ${id}`,
    district,
    pieces: (day) => sql`select p.geometry from boundaries_in_effect(${day}::date) b
      join boundary_pieces p on p.boundary_id = b.id where b.district_id = ${id}`,
  };
}

/** The boundary of a district in effect on a day, if its shares are stored: as a common table expression `detailed`. */
const storedBoundary = ({ district }: AreaRow, day: Day) => sql`detailed as materialized (
      select b.id, b.district_id from boundaries_in_effect(${day}::date) b
      where b.district_id = ${district?.id ?? null}::int and b.id in (select boundary_id from detailed_boundaries)
    )`;

/** Returns the smallest rectangle that contains an area on a day; undefined if it has no outline on that day. */
export async function extentOfArea(db: Database, area: AreaRow, day: Day): Promise<BoundaryExtent | undefined> {
  const { rows } = await sql<{ [Side in keyof BoundaryExtent]: number | null }>`/* places.extent-of-area */
    select min(ST_XMin(own.geometry)) as west, min(ST_YMin(own.geometry)) as south, max(ST_XMax(own.geometry)) as east,
      max(ST_YMax(own.geometry)) as north
    from (${area.pieces(day)}) own`.execute(db);
  return rows[0]?.west == null ? undefined : (rows[0] as BoundaryExtent);
}

/**
 * Returns the area of a polygon.
 * @returns undefined if it is not a simple polygon with an area: if its edges cross, or all points are on one line.
 */
export async function polygonArea(db: Database, points: readonly Point[]): Promise<AreaRow | undefined> {
  const corners = [...points, ...points.slice(0, 1)].map(({ longitude, latitude }) => `${longitude} ${latitude}`);
  const text = `POLYGON((${corners.join(',')}))`;
  const { rows } = await sql<{ usable: boolean }>`/* places.check-polygon */
    select ST_IsValid(g) and ST_Area(g) > 0 as usable from ST_GeomFromText(${text}, 4326) as g`.execute(db);
  if (!rows[0]?.usable) return undefined;
  return {
    key: text,
    pieces: () => sql`select d.geom as geometry
      from ST_Subdivide(ST_Segmentize(ST_GeomFromText(${text}, 4326), ${VERTEX_DISTANCE}), ${MOST_VERTICES}) as s
      cross join lateral ST_Dump(s) as d where ST_Dimension(d.geom) = 2`,
  };
}

/**
 * Returns the districts that overlap an area by boundaries in effect on a day, sorted by type (country first), name and
 * id. Shares have six decimals, as sums depend on the order of the pieces in the last digits. Those of a detailed boundary
 * are stored (migration 0035). A district lies in one state: neighbours of another state, which overlap it only where
 * outlines were generalised separately, are left out.
 */
export async function overlappingDistricts(
  db: Database,
  { area, day, types }: OverlapKey,
): Promise<DistrictShareRow[]> {
  const state = area.district?.state === 'US' ? null : (area.district?.state ?? null);
  const { rows } = await sql<DistrictShareRow>`/* places.overlapping-districts (custom plan) */
    with ${storedBoundary(area, day)}, own as materialized (
      select * from (${area.pieces(day)}) own where not exists (select from detailed)
    ),
    size as materialized (select sum(${areaOf(sql.ref('own.geometry'))}) as area from own),
    wanted as not materialized (
      select b.id, b.district_id from boundaries_in_effect(${day}::date) b join districts d on d.id = b.district_id
      where (${types}::district_type[] is null or d.type = any(${types}::district_type[]))
        and (${state}::text is null or d.state is null or d.state in ('US', ${state}::text))
    ),
    part as materialized (
      select b.district_id, ${areaOf(intersectionOf(sql.ref('other.geometry'), sql.ref('own.geometry')))} as area
      from own
      join boundary_pieces other on other.geometry && own.geometry
      join wanted b on b.id = other.boundary_id
    ), share as materialized (
      select part.district_id, round(least(sum(part.area) / max(size.area), 1)::numeric, 6)::float8 as area_share
      from part cross join size group by part.district_id
      union all
      select b.district_id, stored.share
      from detailed join boundary_shares stored on stored.inner_id = detailed.id
      join wanted b on b.id = stored.outer_id
      union all
      select b.district_id, 1 from detailed join wanted b on b.id = detailed.id
    )
    select d.*, share.area_share from share join districts d on d.id = share.district_id
    where share.area_share >= ${SMALLEST_SHARE}
    order by d.type, d.name, d.id`.execute(db);
  return rows.map((row) => ({ ...row, area, day }));
}

/** Stored shares that are read in the time of one record. */
const STORED_PER_RECORD = 3;

/**
 * Returns how much work it is to compare an area with districts, in records that take as long: two for each pair of
 * pieces that have to be intersected (0.1 ms), which the index finds in a hundredth of the time.
 */
export async function comparisonWork(db: Database, area: AreaRow, day: Day): Promise<number> {
  const { rows } = await sql<{ work: number }>`/* places.comparison */
    with ${storedBoundary(area, day)}, own as materialized (
      select * from (${area.pieces(day)}) own where not exists (select from detailed)
    )
    select (
      (select 2 * count(*) from own join boundary_pieces other on other.geometry && own.geometry) +
      (select count(*) from detailed join boundary_shares stored on stored.inner_id = detailed.id) / ${STORED_PER_RECORD}
    )::int as work`.execute(db);
  return rows[0]?.work ?? 0;
}

/** The address points within an area. */
export interface AddressCounts {
  readonly total: number;
  readonly byDistrict: ReadonlyMap<number, number>;
}

/** Counts the address points in an area, and those in each district that overlaps it. */
export async function addressesInDistricts(db: Database, { area, day, types }: OverlapKey): Promise<AddressCounts> {
  const { rows } = await sql<{ district_id: number | null; count: number }>`/* places.addresses-in-districts */
    with own as materialized (${area.pieces(day)}),
    inside as materialized (
      select distinct p.id, p.point from own join address_points p on ST_Covers(own.geometry, p.point)
    )
    select null::int as district_id, count(*)::int as count from inside
    union all
    select b.district_id, count(distinct inside.id)::int
    from inside
    join boundary_pieces other on ST_Covers(other.geometry, inside.point)
    join boundaries_in_effect(${day}::date) b on b.id = other.boundary_id
    join districts d on d.id = b.district_id
      and (${types}::district_type[] is null or d.type = any(${types}::district_type[]))
    group by b.district_id`.execute(db);
  return {
    total: rows.find(({ district_id }) => district_id === null)?.count ?? 0,
    byDistrict: new Map(rows.flatMap(({ district_id, count }) => (district_id === null ? [] : [[district_id, count]]))),
  };
}
