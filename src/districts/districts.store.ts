import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { hasWords, isAnyOf } from '../database/sql.ts';
import type { Boundary, District, DistrictType } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import { intColumn, type RecordList, type SortColumn, type SortOrder, textColumn } from '../graphql/keyset.ts';
import { records } from '../graphql/records.ts';
import { objectRelation, partOfRow, relation } from '../graphql/relation.ts';
import type { ValuesOf } from '../graphql/update-times.ts';
import { DISTRICT_TYPES } from './district-type.ts';

export type DistrictRow = ValuesOf<District>;

/** A boundary without its geometry. The last day is inclusive; null if no end is set. */
export type BoundaryRow = Pick<Selectable<Boundary>, 'id' | 'district_id' | 'start_date' | 'end_date' | 'precise'>;

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Maximum number of points in one request. */
export const MOST_POINTS = 100;

const districtColumns = ['id', 'type', 'name', 'state', 'ocdid', 'geo_id', 'nces_id', 'url'] as const;

/** A district with the boundary that contains a point. */
export interface LocationDistrictRow extends DistrictRow, Pick<BoundaryRow, 'start_date' | 'end_date' | 'precise'> {
  readonly boundary_id: number;
}

export const districts = records<DistrictRow>({ name: 'districts.byId', rows: () => 'districts' });

/** The columns of a boundary except its geometry, for `BoundaryRow`. */
const boundaryColumns = 'id, district_id, start_date, end_date, precise';

export const boundaries = records<BoundaryRow>({
  name: 'districts.boundaryById',
  rows: () => `(select ${boundaryColumns} from boundaries)`,
});

/**
 * The distance from an edge of a piece, in degrees (0.1 mm), within which the whole boundary decides. The vertices that
 * the subdivision adds to an edge are rounded, by about 1e-14 degrees.
 */
const NEAR_EDGE = '1e-9';

/**
 * Returns an SQL subquery with the `boundary_id` of every boundary, of all periods, that covers a point. Both longitudes
 * of the 180th meridian are looked up.
 * @param point the SQL expressions of the coordinates.
 */
export function coveringBoundaries({ longitude, latitude }: Readonly<Record<string, string>>): string {
  const point = `ST_SetSRID(ST_MakePoint(twin.longitude, ${latitude}), 4326)`;
  return `(
    select distinct piece.boundary_id
    from (values (${longitude}), (case when abs(${longitude}) = 180 then -${longitude} end)) twin(longitude)
    join boundary_pieces piece on ST_DWithin(piece.geometry, ${point}, ${NEAR_EDGE})
      and (not ST_DWithin(ST_Boundary(piece.geometry), ${point}, ${NEAR_EDGE}) or exists (
        select from boundaries whole where whole.id = piece.boundary_id and ST_Covers(whole.geometry, ${point}))))`;
}

/** The argument for a day; today if it is null. */
interface OnDay {
  readonly on?: Day | null | undefined;
}

/**
 * The districts that contain a point on a day, each with the boundary that contains it (specification,
 * Boundary-in-effect rules, 1 and 2). A point on a shared edge belongs to the districts on both sides.
 */
export const districtsOfPoint = relation<
  Point,
  LocationDistrictRow,
  OnDay & { types?: readonly DistrictType[] | null }
>({
  name: 'districts.districtsOfPoint',
  parentKey: { longitude: 'float8', latitude: 'float8' },
  distinctOn: ['boundary_id'],
  from(point, { row, parameter }) {
    const day = parameter('date', ({ on }, { today }) => on ?? today);
    const types = parameter('district_type[]', (args) => args.types ?? null);
    return `(
      select d.*, b.id as boundary_id, b.start_date, b.end_date, b.precise
      from ${coveringBoundaries(point)} covering
      join boundaries_in_effect(${day}) b on b.id = covering.boundary_id
      join districts d on d.id = b.district_id and (${types} is null or d.type = any(${types}))) ${row}`;
  },
  orderBy: ({ row }) => `${row}.type, ${row}.name, ${row}.id, ${row}.boundary_id`,
});

/** The two records of which a row of `districtsOfPoint` consists. */
export const districtOfLocation = partOfRow<LocationDistrictRow, DistrictRow>({
  id: 'id',
  type: 'type',
  name: 'name',
  state: 'state',
  ocdid: 'ocdid',
  geo_id: 'geo_id',
  nces_id: 'nces_id',
  url: 'url',
});
export const boundaryOfLocation = partOfRow<LocationDistrictRow, BoundaryRow>({
  id: 'boundary_id',
  district_id: 'id',
  start_date: 'start_date',
  end_date: 'end_date',
  precise: 'precise',
});

/** The boundary of a district in effect on a day; today by default. */
export const boundaryOfDistrict = objectRelation<DistrictRow, BoundaryRow | null, OnDay>({
  name: 'districts.boundaryOfDistrict',
  parentKey: { id: 'int' },
  from({ id }, { row, parameter }) {
    const day = parameter('date', ({ on }, { today }) => on ?? today);
    return `(select ${boundaryColumns} from boundaries_in_effect(${day})) ${row} where ${row}.district_id = ${id}`;
  },
});

/** The boundaries of a district of all periods, newest first. */
export const boundariesOfDistrict = relation<DistrictRow, BoundaryRow>({
  name: 'districts.boundariesOfDistrict',
  parentKey: { id: 'int' },
  from: ({ id }, { row }) => `(select ${boundaryColumns} from boundaries) ${row} where ${row}.district_id = ${id}`,
  orderBy: ({ row }) => `${row}.start_date desc, ${row}.id`,
});

/** Returns the districts with an OCD id, sorted by id: each of another type. */
export async function districtsByOcdId(db: Database, ocdId: string): Promise<DistrictRow[]> {
  return db.selectFrom('districts').select(districtColumns).where('ocdid', '=', ocdId).orderBy('id').execute();
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
  readonly state?: string | null | undefined;
  readonly types?: readonly DistrictType[] | null | undefined;
  /** Words of the name. */
  readonly name?: string | null | undefined;
}

/** A column of the enum `district_type`. */
export const districtTypeColumn = (column: string): SortColumn => ({
  sql: column,
  type: 'district_type',
  isValid: (part) => DISTRICT_TYPES.some(([, value]) => value === part),
});

export const DISTRICT_ORDERS = {
  TYPE: [
    'district type (country first), then by name and id',
    [districtTypeColumn('r.type'), textColumn('r.name'), intColumn('r.id')],
  ],
  NAME: ['name, then by id', [textColumn('r.name'), intColumn('r.id')]],
} as const;

/** Returns the list of the districts that match a filter. */
export function districtsWhere({ state, types, name }: DistrictFilter, order: SortOrder): RecordList {
  return {
    name: 'districts.districts',
    kind: 'district',
    from: sql`districts r`,
    where: [
      state == null ? undefined : sql`r.state = ${state}`,
      isAnyOf('r.type', 'district_type', types),
      hasWords(['r.name'], name),
    ],
    order,
  };
}

/** The bounding box of a boundary in degrees. */
export interface BoundaryExtent {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export const extentOfBoundary = objectRelation<Pick<BoundaryRow, 'id'>, BoundaryExtent>({
  name: 'districts.extentOfBoundary',
  parentKey: { id: 'int' },
  from: ({ id }, { row }) => `(
    select id, ST_XMin(geometry) as west, ST_YMin(geometry) as south, ST_XMax(geometry) as east,
      ST_YMax(geometry) as north
    from boundaries) ${row} where ${row}.id = ${id}`,
});

export interface GeometryRequest {
  readonly id: number;
  /** Tolerance in degrees: points that move the outline by less are omitted; 0 returns all points. */
  readonly tolerance: number;
}

/** Returns the number of vertices of the outlines of boundaries, by id. */
export async function verticesOf(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; vertices: number }>`/* districts.verticesOfBoundaries */
    select id, ST_NPoints(geometry) as vertices from boundaries where id = any(${ids}::int[])`.execute(db);
  return new Map(rows.map(({ id, vertices }) => [id, vertices]));
}

/** Returns the areas of boundaries in square kilometres on the ellipsoid, by id. */
export async function areasOfBoundaries(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; area: number }>`/* districts.areasOfBoundaries */
    select id, ST_Area(geometry::geography) / 1e6 as area from boundaries where id = any(${ids}::int[])`.execute(db);
  return new Map(rows.map(({ id, area }) => [id, area]));
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
