import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { anyOf, containsText } from '../database/sql.ts';
import type { Boundary, District, DistrictType } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import { type RowsInSql, rowsById } from '../graphql/in-sql.ts';
import type { Period } from './periods.ts';

export type DistrictRow = Selectable<District>;

export interface BoundaryRow extends Period, Pick<Selectable<Boundary>, 'id' | 'district_id' | 'precise'> {}

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Maximum number of points in one request. */
export const MOST_POINTS = 100;

/** A district with one of its boundaries. */
export interface BoundedDistrict {
  readonly district: DistrictRow;
  readonly boundary: BoundaryRow;
}

const districtColumns = ['id', 'type', 'name', 'state', 'ocdid', 'geo_id', 'nces_id', 'url'] as const;

/**
 * Returns the boundaries of all periods that cover each point, with their districts, one list for each point. Lists are
 * sorted by district type, name and id; the newest boundary of a district comes first. A point on a shared edge is
 * covered by the districts on both sides.
 */
export async function coveringBoundaries(db: Database, points: readonly Point[]): Promise<BoundedDistrict[][]> {
  const requested = points.flatMap((point, index) => meridianTwins(point).map((twin) => ({ ...twin, index })));
  const found = await sql<CoveringRow>`
    /* districts.coveringBoundaries */
    select covering.index, d.id, d.type, d.name, d.state, d.ocdid, d.geo_id, d.nces_id, d.url,
      b.id as boundary_id, b.start_date, b.end_date, b.precise, (${yields}) as yields
    from (
      select distinct requested.index, piece.boundary_id
      from unnest(${requested.map((point) => point.longitude)}::float8[], ${requested.map((point) => point.latitude)}::float8[],
        ${requested.map((point) => point.index)}::int[]) as requested(longitude, latitude, index)
      join boundary_pieces piece
        on ST_Covers(piece.geometry, ST_SetSRID(ST_MakePoint(requested.longitude, requested.latitude), 4326))
    ) covering
    join boundaries b on b.id = covering.boundary_id
    join districts d on d.id = b.district_id
    order by d.type, d.name, d.id, b.start_date desc, b.id`.execute(db);
  const results: BoundedDistrict[][] = points.map(() => []);
  for (const row of found.rows) {
    const { id, type, name, state, ocdid, geo_id, nces_id, url } = row;
    const { boundary_id, start_date, end_date, yields, precise } = row;
    results[row.index]?.push({
      district: { id, type, name, state, ocdid, geo_id, nces_id, url },
      boundary: { id: boundary_id, district_id: id, start_date, end_date, yields, precise },
    });
  }
  return results;
}

/**
 * SQL subquery with the `boundary_id` of every boundary, of all periods, that covers a point: the same boundaries as
 * `coveringBoundaries`.
 */
export function coveringInSql(point: string): string {
  return `(
    select distinct piece.boundary_id
    from (values (${point}.longitude), (case when abs(${point}.longitude) = 180 then -${point}.longitude end)) twin(longitude)
    join boundary_pieces piece
      on ST_Covers(piece.geometry, ST_SetSRID(ST_MakePoint(twin.longitude, ${point}.latitude), 4326)))`;
}

/** The columns that SQL rows of districts provide about the boundary by which they were found, the row `b`. */
const FOUND_BOUNDARY = { boundary_id: 'int', start_date: 'date', end_date: 'date', precise: 'boolean' } as const;
export const foundBoundaryNames = Object.keys(FOUND_BOUNDARY);
export const foundBoundaryColumns = 'b.id as boundary_id, b.start_date, b.end_date, b.precise';

/**
 * The districts that contain a point on a day, in SQL, each with a boundary in effect: the same as
 * `coveringBoundaries`.
 */
export const districtsOfPointInSql: RowsInSql<{ on?: Day | null; types?: readonly DistrictType[] | null }> = {
  parentKey: { longitude: 'float8', latitude: 'float8' },
  provides: foundBoundaryNames,
  distinctOn: ['boundary_id'],
  from(point, { row, parameter }) {
    const day = parameter('date', ({ on }, { today }) => on ?? today);
    const types = parameter('district_type[]', (args) => args.types ?? null);
    return `(
      select d.*, ${foundBoundaryColumns}
      from ${coveringInSql(point)} covering
      join boundaries b on b.id = covering.boundary_id and b.start_date <= ${day} and (
        b.end_date is null or b.end_date > ${day} or (b.end_date = ${day} and not ${NEXT_BEGINS}))
      join districts d on d.id = b.district_id and (${types} is null or d.type = any(${types}))) ${row}`;
  },
  order: ({ row }) => `${row}.type, ${row}.name, ${row}.id, ${row}.start_date desc, ${row}.boundary_id`,
};

/** The district of a row with a `district_id`, in SQL. */
export const districtInSql = rowsById('districts', 'district_id');

/** The boundary by which a point matched a district, in SQL, from the columns that the district row provides. */
export const foundBoundaryInSql: RowsInSql = {
  parentKey: FOUND_BOUNDARY,
  requiresProvided: true,
  from: (district, { row }) =>
    `lateral (select ${district}.boundary_id as id, ${district}.start_date, ${district}.end_date, ${district}.precise) ${row}`,
};

interface CoveringRow extends DistrictRow, Period {
  readonly index: number;
  readonly boundary_id: number;
  readonly precise: boolean;
}

/** SQL condition: another boundary of the same district begins on the last day of boundary `b`. */
const NEXT_BEGINS = `exists (
  select from boundaries next where next.district_id = b.district_id and next.start_date = b.end_date and next.id <> b.id)`;

/** `Period.yields` of boundary `b` in SQL. Most boundaries have no end and need no lookup of another one. */
const yields = sql<boolean>`b.end_date is not null and ${sql.raw(NEXT_BEGINS)}`;

/** Returns the point with each of its possible longitudes: 180 degrees east and west are the same meridian. */
function meridianTwins(point: Point): Point[] {
  return Math.abs(point.longitude) === 180 ? [point, { ...point, longitude: -point.longitude }] : [point];
}

export async function districtsById(db: Database, ids: readonly number[]): Promise<DistrictRow[]> {
  return db.selectFrom('districts').select(districtColumns).where('id', '=', anyOf(ids)).execute();
}

export async function districtsByOcdId(db: Database, ocdId: string): Promise<DistrictRow[]> {
  return db.selectFrom('districts').select(districtColumns).where('ocdid', '=', ocdId).execute();
}

/** Returns the districts whose GEOID has this short form, sorted by id: `50` matches `0400000US50` and `50`. */
export async function districtsByShortGeoId(db: Database, shortGeoId: string): Promise<DistrictRow[]> {
  return db
    .selectFrom('districts')
    .select(districtColumns)
    .where(sql`regexp_replace(geo_id, '^.*US', '')`, '=', shortGeoId)
    .orderBy('id')
    .execute();
}

export interface DistrictFilter {
  readonly state?: string | undefined;
  readonly types?: readonly DistrictType[] | undefined;
  /** Part of the name, case-insensitive. */
  readonly name?: string | undefined;
}

/** Start of a page: after the district with these values in the sort order. */
export type DistrictPosition = readonly [type: DistrictType, name: string, id: number];

export async function pageOfDistricts(
  db: Database,
  filter: DistrictFilter,
  after: DistrictPosition | undefined,
  limit: number,
): Promise<DistrictRow[]> {
  let query = filtered(db, filter).select(districtColumns).orderBy('type').orderBy('name').orderBy('id').limit(limit);
  if (after)
    query = query.where(sql<boolean>`(type, name, id) > (${after[0]}::district_type, ${after[1]}, ${after[2]}::int)`);
  return query.execute();
}

export async function countDistricts(db: Database, filter: DistrictFilter): Promise<number> {
  const counted = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return counted.count;
}

function filtered(db: Database, filter: DistrictFilter) {
  let query = db.selectFrom('districts');
  if (filter.state !== undefined) query = query.where('state', '=', filter.state);
  if (filter.types) query = query.where('type', '=', sql<DistrictType>`any(${filter.types}::district_type[])`);
  if (filter.name !== undefined) query = query.where(containsText('name', filter.name));
  return query;
}

/** Returns all boundaries of the districts, newest first for each district. */
export async function boundariesOfDistricts(db: Database, districtIds: readonly number[]): Promise<BoundaryRow[]> {
  return db
    .selectFrom('boundaries as b')
    .select(['id', 'district_id', 'start_date', 'end_date', 'precise', yields.as('yields')])
    .where('district_id', '=', anyOf(districtIds))
    .orderBy('start_date', 'desc')
    .orderBy('id')
    .execute();
}

export interface BoundaryExtent {
  readonly id: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly area: number;
}

/** Returns bounding boxes in degrees and areas in square kilometres on the ellipsoid. */
export async function boundaryExtents(db: Database, ids: readonly number[]): Promise<BoundaryExtent[]> {
  return sql<BoundaryExtent>`
    /* districts.boundaryExtents */
    select id, ST_XMin(geometry) as west, ST_YMin(geometry) as south, ST_XMax(geometry) as east,
      ST_YMax(geometry) as north, ST_Area(geometry::geography) / 1e6 as area
    from boundaries where id = any(${ids}::int[])`
    .execute(db)
    .then((found) => found.rows);
}

export interface GeometryRequest {
  readonly id: number;
  /** Tolerance in degrees: points that move the outline by less are omitted; 0 returns all points. */
  readonly tolerance: number;
}

/**
 * Returns geometries as GeoJSON text with 7 decimals (1 cm), one for each request, in input order; null for a boundary
 * that does not exist. The text is passed through to the response: parsing and serialising it again would block the
 * event loop.
 */
export async function boundaryGeometries(
  db: Database,
  requests: readonly GeometryRequest[],
): Promise<(string | null)[]> {
  const found = await sql<{ index: number; geometry: string }>`
    /* districts.boundaryGeometries */
    select requested.index::int, ST_AsGeoJSON(
        case when requested.tolerance > 0 then ST_SimplifyPreserveTopology(b.geometry, requested.tolerance) else b.geometry end, 7
      ) as geometry
    from unnest(${requests.map((request) => request.id)}::int[], ${requests.map((request) => request.tolerance)}::float8[])
      with ordinality as requested(id, tolerance, index)
    join boundaries b on b.id = requested.id`.execute(db);
  const results: (string | null)[] = requests.map(() => null);
  for (const row of found.rows) results[row.index - 1] = row.geometry;
  return results;
}
