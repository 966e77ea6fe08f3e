import type { AliasableExpression } from 'kysely';
import type { Day } from '../../base/dates.ts';
import type { Database } from '../../store/sql/database.ts';
import { anyOf, over, plus, times, typed, valueAs } from '../../store/sql/functions.ts';
import {
  dimensionOf,
  eastOf,
  type Geometry,
  geometryOf,
  isValid,
  mayOverlap,
  northOf,
  partsOf,
  southOf,
  squareDegreesOf,
  subdivided,
  westOf,
  withVertices,
} from '../../store/sql/geometry-functions.ts';
import {
  boundariesInEffect,
  sharesOfBoundary,
  sharesOfDrawing,
  sharesOfZip,
} from '../../store/sql/migration-functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';
import type { DistrictType } from '../../store/sql/tables.ts';
import { addressCounts } from '../districts/addresses.store.ts';
import { type BoundaryExtent, DISTRICT, type DistrictRow, type Point } from '../districts/districts.store.ts';

/** An area on the map: that of a ZIP code, of a district, or a polygon. */
export interface AreaRow {
  /** Identifies the area within a request. */
  readonly key: string;
  /** Returns the query of its pieces on a day, which are valid polygons. */
  pieces(day: Day): AliasableExpression<{ geometry: Geometry }>;
  /** Returns the query of the districts in which it lies on a day. */
  shares(
    day: Day,
    types: readonly DistrictType[] | null,
  ): AliasableExpression<{ district_id: number; area_share: number }>;
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

/** The smallest share that counts, and what an area may lack to be whole. Migration 0059 measures the difference between outlines. */
export const SMALLEST_SHARE = 0.001;

/** The distance in degrees between two vertices of a polygon: its straight edges are straight in degrees. */
const VERTEX_DISTANCE = 0.05;
const MOST_VERTICES = 128;

/** Returns which of the ZIP codes have an area. */
export async function knownZipCodes(db: Database, codes: readonly string[]): Promise<Set<string>> {
  const found = query
    .selectFrom('zip_areas as a')
    .select('a.code')
    .distinct()
    .where('a.code', '=', anyOf('text', codes));
  return new Set((await rowsOf(db, 'places.zip-codes', found)).map(({ code }) => code));
}

export function zipCodeArea(code: string): ZipCodeAreaRow {
  return {
    key: `zip ${code}`,
    code,
    pieces: () =>
      query
        .selectFrom('zip_areas as a')
        .innerJoin('zip_area_pieces as p', 'p.zip_area_id', 'a.id')
        .select('p.geometry')
        .where('a.code', '=', code),
    shares: (day, types) => sharesOfZip(typed('text', code), typesOf(types), typed('date', day)),
  };
}

const typesOf = (types: readonly DistrictType[] | null) => typed('district_type[]', types);

/** Returns the area of a district, by its boundary in effect on the day of the comparison. */
export function districtArea(district: DistrictRow): AreaRow {
  const { id } = district;
  return {
    key: `district ${id}`,
    district,
    pieces: (day) =>
      boundariesOn(day)
        .innerJoin('boundary_pieces as p', 'p.boundary_id', 'b.id')
        .select('p.geometry')
        .where('b.district_id', '=', id),
    shares: (day, types) =>
      boundariesOn(day)
        .innerJoinLateral(
          ({ ref }) => sharesOfBoundary(ref('b.id'), typesOf(types), typed('date', day)).as('s'),
          (join) => join.onTrue(),
        )
        .select(['s.district_id', 's.area_share'])
        .where('b.district_id', '=', id),
  };
}

/** The boundaries `b` in effect on a day. */
const boundariesOn = (day: Day) => query.selectFrom(boundariesInEffect(typed('date', day)).as('b'));

/** The boundaries in effect on a day, of districts of these types or of all. */
function boundariesOfTypes(day: Day, types: readonly DistrictType[] | null) {
  const all = boundariesOn(day).innerJoin('districts as d', 'd.id', 'b.district_id').select(['b.id', 'b.district_id']);
  return types ? all.where('d.type', '=', anyOf('district_type', types)) : all;
}

/**
 * Begins a query with the common tables `detailed`, the boundary of a district in effect on a day if its shares are stored,
 * and `own`, the pieces of the area otherwise.
 */
const withOwn = (area: AreaRow, day: Day) =>
  query
    .with(materialized('detailed'), () =>
      boundariesOn(day)
        .select(['b.id', 'b.district_id'])
        .where('b.district_id', '=', typed('int', area.district?.id ?? null))
        .where('b.id', 'in', query.selectFrom('detailed_boundaries as stored').select('stored.boundary_id')),
    )
    .with(materialized('own'), (db) =>
      db
        .selectFrom(area.pieces(day).as('piece'))
        .select('piece.geometry')
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom('detailed').select('detailed.id')))),
    );

/** Returns the smallest rectangle that contains an area on a day; undefined if it has no outline on that day. */
export async function extentOfArea(db: Database, area: AreaRow, day: Day): Promise<BoundaryExtent | undefined> {
  const found = query
    .selectFrom(area.pieces(day).as('own'))
    .select(({ fn, ref }) => [
      fn.min<number | null>(westOf(ref('own.geometry'))).as('west'),
      fn.min<number | null>(southOf(ref('own.geometry'))).as('south'),
      fn.max<number | null>(eastOf(ref('own.geometry'))).as('east'),
      fn.max<number | null>(northOf(ref('own.geometry'))).as('north'),
    ]);
  const [row] = await rowsOf(db, 'places.extent-of-area', found);
  return row && row.west !== null ? (row as BoundaryExtent) : undefined;
}

/**
 * Returns the area of a polygon.
 * @returns undefined if it is not a simple polygon with an area: if its edges cross, or all points are on one line.
 */
export async function polygonArea(db: Database, points: readonly Point[]): Promise<AreaRow | undefined> {
  const corners = [...points, ...points.slice(0, 1)].map(({ longitude, latitude }) => `${longitude} ${latitude}`);
  const text = `POLYGON((${corners.join(',')}))`;
  const polygon = geometryOf(typed('text', text));
  const usable = query
    .selectFrom(valueAs(polygon, 'drawn', 'outline'))
    .select('drawn.outline')
    .where(({ and, eb, ref }) =>
      and([isValid(ref('drawn.outline')), eb(squareDegreesOf(ref('drawn.outline')), '>', 0)]),
    );
  if ((await rowsOf(db, 'places.check-polygon', usable)).length === 0) return undefined;
  const pieces = query
    .selectFrom(valueAs(subdivided(withVertices(polygon, VERTEX_DISTANCE), MOST_VERTICES), 'piece', 'geometry'))
    .crossJoinLateral(({ ref }) => partsOf(ref('piece.geometry')).as('part'))
    .select('part.geom as geometry')
    .where(({ eb, ref }) => eb(dimensionOf(ref('part.geom')), '=', 2));
  return {
    key: text,
    pieces: () => pieces,
    shares: (day, types) => sharesOfDrawing(pieces, typesOf(types), typed('date', day)),
  };
}

/**
 * Returns the districts in which an area lies by boundaries in effect on a day, sorted by type (country first), name and id.
 * Shares have six decimals, as sums depend on the order of the pieces in the last digits. Migration 0059 has the rules.
 */
export async function overlappingDistricts(
  db: Database,
  { area, day, types }: OverlapKey,
): Promise<DistrictShareRow[]> {
  const found = query
    .selectFrom(area.shares(day, types).as('share'))
    .innerJoin('districts as d', 'd.id', 'share.district_id')
    .select([...DISTRICT, 'share.area_share'])
    .orderBy('d.type')
    .orderBy('d.name')
    .orderBy('d.id');
  const rows = await rowsOf(db, 'places.overlapping-districts', found, { customPlan: true });
  return rows.map((row) => ({ ...row, area, day }));
}

/** Stored shares that are read in the time of one record. */
const STORED_PER_RECORD = 3;

/**
 * Returns how much work it is to compare an area with districts, in records that take as long: two for each pair of
 * pieces that have to be intersected (0.1 ms), which the index finds in a hundredth of the time.
 */
export async function comparisonWork(db: Database, area: AreaRow, day: Day): Promise<number> {
  const found = withOwn(area, day).selectNoFrom(({ selectFrom, fn }) => {
    const pairs = selectFrom('own')
      .innerJoin('boundary_pieces as other', (join) =>
        join.on(({ ref }) => mayOverlap(ref('other.geometry'), ref('own.geometry'))),
      )
      .select(times(2, fn.countAll<number>()).as('number'))
      .$asScalar();
    const stored = selectFrom('detailed')
      .innerJoin('boundary_shares as stored', 'stored.inner_id', 'detailed.id')
      .select(over(fn.countAll<number>(), STORED_PER_RECORD).as('number'))
      .$asScalar();
    return typed('int', plus(pairs, stored)).as('work');
  });
  const [row] = await rowsOf(db, 'places.comparison', found);
  return row?.work ?? 0;
}

/** The address points within an area. */
export interface AddressCounts {
  readonly total: number;
  readonly byDistrict: ReadonlyMap<number, number>;
}

/** Counts the address points in an area, and those in each district that overlaps it. */
export async function addressesInDistricts(db: Database, { area, day, types }: OverlapKey): Promise<AddressCounts> {
  const found = addressCounts(area.pieces(day), boundariesOfTypes(day, types));
  const rows = await rowsOf(db, 'places.addresses-in-districts', found);
  return {
    total: rows.find(({ district_id }) => district_id === null)?.count ?? 0,
    byDistrict: new Map(rows.flatMap(({ district_id, count }) => (district_id === null ? [] : [[district_id, count]]))),
  };
}
