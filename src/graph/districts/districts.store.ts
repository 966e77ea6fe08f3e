import { type Expression, expressionBuilder, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import type { Database } from '../../store/sql/database.ts';
import { anyIn, anyOf, columnsOf, shortGeoIdOf, unnested } from '../../store/sql/functions.ts';
import {
  areaInSquareKilometres,
  asGeoJson,
  covers,
  edgeOf,
  extentOf,
  isWithin,
  numberOfVertices,
  pointAt,
  simplified,
} from '../../store/sql/geometry-functions.ts';
import { boundariesInEffect, hasWords } from '../../store/sql/migration-functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DB, DistrictType } from '../../store/sql/tables.ts';
import { intColumn, type RecordList, type SortColumn, type SortOrder, textColumn } from '../builder/keyset.ts';
import { type RecordOf, records } from '../builder/records.ts';
import { nullableRelation, objectRelation, partOfRow, relation } from '../builder/relation.ts';
import type { Scope } from '../builder/scope.ts';
import { DISTRICT_TYPES } from './district-type.ts';

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Maximum number of points in one request. */
export const MOST_POINTS = 100;

/** The columns of a district `d`. */
export const DISTRICT = ['d.id', 'd.type', 'd.name', 'd.state', 'd.ocdid', 'd.geo_id', 'd.nces_id', 'd.url'] as const;
/** The columns of a boundary `b` without its geometry. The last day is inclusive; null if no end is set. */
const BOUNDARY = ['b.id', 'b.district_id', 'b.start_date', 'b.end_date', 'b.precise'] as const;

export const districts = records({
  name: 'districts.byId',
  rows: () => query.selectFrom('districts as d').select(DISTRICT),
});

export const boundaries = records({
  name: 'districts.boundaryById',
  rows: () => query.selectFrom('boundaries as b').select(BOUNDARY),
});

export type DistrictRow = RecordOf<typeof districts>;
export type BoundaryRow = RecordOf<typeof boundaries>;

/** A district with the boundary that contains a point. */
export interface LocationDistrictRow extends DistrictRow, Pick<BoundaryRow, 'start_date' | 'end_date' | 'precise'> {
  readonly boundary_id: number;
}

/**
 * The distance from an edge of a piece, in degrees (0.1 mm), within which the whole boundary decides. The vertices that
 * the subdivision adds to an edge are rounded, by about 1e-14 degrees.
 */
const NEAR_EDGE = 1e-9;

/**
 * Returns the query of the `boundary_id` of every boundary, of all periods, that covers a point. Both longitudes of the
 * 180th meridian are looked up.
 * @param point the expressions of the coordinates.
 */
export function coveringBoundaries({ longitude, latitude }: { readonly [Name in keyof Point]: Expression<number> }) {
  const twins = sql<{ longitude: number | null }>`(
    values (${longitude}), (case when abs(${longitude}) = 180 then -${longitude} end))`;
  return query
    .selectFrom(twins.as<'twin'>(sql`twin(longitude)`))
    .innerJoin('boundary_pieces as piece', (join) =>
      join.on(({ ref, and, or, not, exists, selectFrom }) => {
        const point = pointAt(ref('twin.longitude'), latitude);
        const whole = selectFrom('boundaries as whole')
          .select('whole.id')
          .whereRef('whole.id', '=', 'piece.boundary_id')
          .where(({ ref }) => covers(ref('whole.geometry'), point));
        return and([
          isWithin(ref('piece.geometry'), point, NEAR_EDGE),
          or([not(isWithin(edgeOf(ref('piece.geometry')), point, NEAR_EDGE)), exists(whole)]),
        ]);
      }),
    )
    .select('piece.boundary_id')
    .distinct();
}

/** The argument for a day; today if it is null. */
export interface OnDay {
  readonly on?: Day | null | undefined;
}

/** The requested day; today by default. */
export const dayOf = ({ param }: Scope<OnDay>) => param('date', ({ on }, { today }) => on ?? today);

export interface OfTypes {
  readonly types?: readonly DistrictType[] | null | undefined;
}

/** Returns the condition that a district `d` is of one of the requested types; of any type by default. */
export function isOfTypes({ param }: Scope<OfTypes>) {
  const types = param('district_type[]', (args) => args.types ?? null);
  const { eb, or } = expressionBuilder<{ d: DB['districts'] }, 'd'>();
  return or([eb(types, 'is', null), eb('d.type', '=', anyIn(types))]);
}

/**
 * The districts that contain a point on a day, each with the boundary that contains it (specification,
 * Boundary-in-effect rules, 1 and 2). A point on a shared edge belongs to the districts on both sides.
 */
export const districtsOfPoint = relation({
  name: 'districts.districtsOfPoint',
  key: { longitude: 'float8', latitude: 'float8' },
  distinctOn: ['boundary_id'],
  rows: (point, scope: Scope<OnDay & OfTypes>) =>
    query
      .selectFrom(coveringBoundaries(point).as('covering'))
      .innerJoin(boundariesInEffect(dayOf(scope)).as('b'), 'b.id', 'covering.boundary_id')
      .innerJoin('districts as d', 'd.id', 'b.district_id')
      .select([...DISTRICT, 'b.id as boundary_id', 'b.start_date', 'b.end_date', 'b.precise'])
      .where(isOfTypes(scope)),
  orderBy: ['type', 'name', 'id', 'boundary_id'],
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
export const boundaryOfDistrict = nullableRelation({
  name: 'districts.boundaryOfDistrict',
  key: { id: 'int' },
  rows: ({ id }, scope: Scope<OnDay>) =>
    query
      .selectFrom(boundariesInEffect(dayOf(scope)).as('b'))
      .select(BOUNDARY)
      .where('b.district_id', '=', id),
});

/** The boundaries of a district of all periods, newest first. */
export const boundariesOfDistrict = relation({
  name: 'districts.boundariesOfDistrict',
  key: { id: 'int' },
  rows: ({ id }) => query.selectFrom('boundaries as b').select(BOUNDARY).where('b.district_id', '=', id),
  orderBy: [['start_date', 'desc'], 'id'],
});

/** Returns the districts with an OCD id, sorted by id: each of another type. */
export function districtsByOcdId(db: Database, ocdId: string): Promise<DistrictRow[]> {
  const found = query.selectFrom('districts as d').select(DISTRICT).where('d.ocdid', '=', ocdId).orderBy('d.id');
  return rowsOf(db, 'districts.byOcdId', found);
}

/** Returns the districts whose GEOID has this short form, sorted by id: `50` matches `0400000US50` and `50`. */
export function districtsByShortGeoId(db: Database, shortGeoId: string): Promise<DistrictRow[]> {
  const found = query
    .selectFrom('districts as d')
    .select(DISTRICT)
    .where(({ eb, ref }) => eb(shortGeoIdOf(ref('d.geo_id')), '=', shortGeoId))
    .orderBy('d.id');
  return rowsOf(db, 'districts.byShortGeoId', found);
}

export interface DistrictFilter extends OfTypes {
  readonly state?: string | null | undefined;
  /** Words of the name. */
  readonly name?: string | null | undefined;
}

/** A column of the enum `district_type`. */
export const districtTypeColumn = (value: Expression<DistrictType>): SortColumn => ({
  value,
  type: 'district_type',
  isValid: (part) => DISTRICT_TYPES.some(([, type]) => type === part),
});

const listed = columnsOf<DistrictRow>('r');

export const DISTRICT_ORDERS = {
  TYPE: [
    'district type (country first), then by name and id',
    [districtTypeColumn(listed('type')), textColumn(listed('name')), intColumn(listed('id'))],
  ],
  NAME: ['name, then by id', [textColumn(listed('name')), intColumn(listed('id'))]],
} as const;

/** Returns the list of the districts that match a filter. */
export function districtsWhere({ state, types, name }: DistrictFilter, order: SortOrder): RecordList<DistrictRow> {
  let rows = query
    .selectFrom('districts as r')
    .select(['r.id', 'r.type', 'r.name', 'r.state', 'r.ocdid', 'r.geo_id', 'r.nces_id', 'r.url']);
  if (state != null) rows = rows.where('r.state', '=', state);
  if (types) rows = rows.where('r.type', '=', anyOf('district_type', types));
  if (name != null) rows = rows.where(({ ref }) => hasWords([ref('r.name')], name));
  return { name: 'districts.districts', kind: 'district', id: listed('id'), rows, order };
}

/** The bounding box of a boundary in degrees. */
export const extentOfBoundary = objectRelation({
  name: 'districts.extentOfBoundary',
  key: { id: 'int' },
  rows: ({ id }) =>
    query
      .selectFrom('boundaries as b')
      .select(({ ref }) => ['b.id', ...extentOf(ref('b.geometry'))])
      .where('b.id', '=', id),
});

/** The bounding box of an outline in degrees. */
export interface BoundaryExtent {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface GeometryRequest {
  readonly id: number;
  /** Tolerance in degrees: points that move the outline by less are omitted; 0 returns all points. */
  readonly tolerance: number;
}

/** Returns the number of vertices of the outlines of boundaries, by id. */
export async function verticesOf(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const found = query
    .selectFrom('boundaries as b')
    .select(({ ref }) => ['b.id', numberOfVertices(ref('b.geometry')).as('vertices')])
    .where('b.id', '=', anyOf('int', ids));
  const rows = await rowsOf(db, 'districts.verticesOfBoundaries', found);
  return new Map(rows.map(({ id, vertices }) => [id, vertices]));
}

/** Returns the areas of boundaries in square kilometres on the ellipsoid, by id. */
export async function areasOfBoundaries(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const found = query
    .selectFrom('boundaries as b')
    .select(({ ref }) => ['b.id', areaInSquareKilometres(ref('b.geometry')).as('area')])
    .where('b.id', '=', anyOf('int', ids));
  const rows = await rowsOf(db, 'districts.areasOfBoundaries', found);
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
  const ids = requests.map(({ id }) => id);
  const tolerances = requests.map(({ tolerance }) => tolerance);
  const requested = unnested('requested', { id: ['int', ids], tolerance: ['float8', tolerances] });
  const found = query
    .selectFrom(requested)
    .innerJoin('boundaries as b', 'b.id', 'requested.id')
    .select(({ ref }) => [
      sql<number>`${ref('requested.ordinal')}::int`.as('ordinal'),
      asGeoJson(simplified(ref('b.geometry'), ref('requested.tolerance')), 7).as('geometry'),
    ]);
  const results: (string | null)[] = requests.map(() => null);
  for (const { ordinal, geometry } of await rowsOf(db, 'districts.boundaryGeometries', found)) {
    results[ordinal - 1] = geometry;
  }
  return results;
}
