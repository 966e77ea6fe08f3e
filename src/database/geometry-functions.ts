/** The functions of PostGIS, with the types of their arguments and values: the only place where their names are written. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

/** A geometry as PostgreSQL writes it. Only functions of PostGIS read it. */
export type Geometry = string;

/** The point with these coordinates in degrees; null without a longitude. */
export const pointAt = (longitude: Expression<number | null>, latitude: Expression<number>): RawBuilder<Geometry> =>
  sql`ST_SetSRID(ST_MakePoint(${longitude}, ${latitude}), 4326)`;

/** Whether two geometries are within a distance in degrees of each other. An index of the first one is used. */
export const isWithin = (
  one: Expression<Geometry>,
  other: Expression<Geometry>,
  degrees: number,
): RawBuilder<boolean> => sql`ST_DWithin(${one}, ${other}, ${sql.lit(degrees)})`;

/** The edge of a geometry. */
export const edgeOf = (geometry: Expression<Geometry>): RawBuilder<Geometry> => sql`ST_Boundary(${geometry})`;

/** Whether no point of the inner geometry lies outside the outer one. */
export const covers = (outer: Expression<Geometry>, inner: Expression<Geometry>): RawBuilder<boolean> =>
  sql`ST_Covers(${outer}, ${inner})`;

/** The sides of the smallest rectangle that contains a geometry, in degrees. */
export const extentOf = (geometry: Expression<Geometry>) =>
  [
    sql<number>`ST_XMin(${geometry})`.as('west'),
    sql<number>`ST_YMin(${geometry})`.as('south'),
    sql<number>`ST_XMax(${geometry})`.as('east'),
    sql<number>`ST_YMax(${geometry})`.as('north'),
  ] as const;

export const numberOfVertices = (geometry: Expression<Geometry>): RawBuilder<number> => sql`ST_NPoints(${geometry})`;

/** The area of a geometry in square kilometres on the ellipsoid. */
export const areaInSquareKilometres = (geometry: Expression<Geometry>): RawBuilder<number> =>
  sql`ST_Area(${geometry}::geography) / 1e6`;

/** A geometry without the points that move its outline by less than a tolerance in degrees; all of it with 0. */
export const simplified = (geometry: Expression<Geometry>, tolerance: Expression<number>): RawBuilder<Geometry> =>
  sql`case when ${tolerance} > 0 then ST_SimplifyPreserveTopology(${geometry}, ${tolerance}) else ${geometry} end`;

/** A geometry as the text of GeoJSON. */
export const asGeoJson = (geometry: Expression<Geometry>, decimals: number): RawBuilder<string> =>
  sql`ST_AsGeoJSON(${geometry}, ${sql.lit(decimals)})`;

/**
 * An area in the equal-area projection EPSG:6933. It maps meridians and parallels to straight lines, so that the pieces
 * of a boundary, which are cut along them, have the area of the whole. Areas of the type `geography` do not: its edges are
 * geodesics, which leave the parallel between two distant vertices.
 */
export const areaOf = (geometry: Expression<Geometry>): RawBuilder<number> =>
  sql`ST_Area(ST_Transform(${geometry}, 6933))`;

/** The intersection of two pieces; a piece within another one is its own intersection. */
export const intersectionOf = (outer: Expression<Geometry>, inner: Expression<Geometry>): RawBuilder<Geometry> =>
  sql`case when ST_Covers(${outer}, ${inner}) then ${inner} else ST_Intersection(${outer}, ${inner}) end`;

/** Whether the bounding boxes of two geometries overlap, which an index of either finds. */
export const mayOverlap = (one: Expression<Geometry>, other: Expression<Geometry>): RawBuilder<SqlBool> =>
  sql`${one} && ${other}`;
