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

/** Whether two geometries have a point in common. */
export const intersects = (one: Expression<Geometry>, other: Expression<Geometry>): RawBuilder<boolean> =>
  sql`ST_Intersects(${one}, ${other})`;

/** The rectangle between meridians and parallels, in degrees; null without one of them. */
export const rectangle = (
  west: Expression<number>,
  south: Expression<number>,
  east: Expression<number>,
  north: Expression<number>,
): RawBuilder<Geometry> => sql`ST_MakeEnvelope(${west}, ${south}, ${east}, ${north}, 4326)`;

/** The lowest longitude of a geometry. */
export const westOf = (geometry: Expression<Geometry>): RawBuilder<number> => sql`ST_XMin(${geometry})`;
/** The lowest latitude of a geometry. */
export const southOf = (geometry: Expression<Geometry>): RawBuilder<number> => sql`ST_YMin(${geometry})`;
/** The highest longitude of a geometry. */
export const eastOf = (geometry: Expression<Geometry>): RawBuilder<number> => sql`ST_XMax(${geometry})`;
/** The highest latitude of a geometry. */
export const northOf = (geometry: Expression<Geometry>): RawBuilder<number> => sql`ST_YMax(${geometry})`;

/** The sides of the smallest rectangle that contains a geometry, in degrees. */
export const extentOf = (geometry: Expression<Geometry>) =>
  [
    westOf(geometry).as('west'),
    southOf(geometry).as('south'),
    eastOf(geometry).as('east'),
    northOf(geometry).as('north'),
  ] as const;

/** The longitude of a point. */
export const longitudeOf = (point: Expression<Geometry>): RawBuilder<number> => sql`ST_X(${point})`;
/** The latitude of a point. */
export const latitudeOf = (point: Expression<Geometry>): RawBuilder<number> => sql`ST_Y(${point})`;

/** A geometry with its vertices moved to a grid; the grid is that of the whole map. */
export const onGrid = (geometry: Expression<Geometry>, side: Expression<number>): RawBuilder<Geometry> =>
  sql`ST_SnapToGrid(${geometry}, ${side})`;

/** The part of a geometry in a rectangle. It may be invalid. */
export const clippedTo = (geometry: Expression<Geometry>, box: Expression<Geometry>): RawBuilder<Geometry> =>
  sql`ST_ClipByBox2D(${geometry}, ${box})`;

/** The polygons of a geometry, without its points and lines. */
export const polygonsOf = (geometry: Expression<Geometry>): RawBuilder<Geometry> =>
  sql`ST_CollectionExtract(${geometry}, 3)`;

/** Whether a geometry has no point. */
export const isEmpty = (geometry: Expression<Geometry>): RawBuilder<boolean> => sql`ST_IsEmpty(${geometry})`;

/** Whether the edges of a geometry do not cross. */
export const isValid = (geometry: Expression<Geometry>): RawBuilder<boolean> => sql`ST_IsValid(${geometry})`;

/** The geometry of a text in the form WKT, with coordinates in degrees. */
export const geometryOf = (wellKnownText: Expression<string>): RawBuilder<Geometry> =>
  sql`ST_GeomFromText(${wellKnownText}, 4326)`;

/** A geometry with more vertices, of which two neighbours are not further apart than a distance in degrees. */
export const withVertices = (geometry: Expression<Geometry>, distance: number): RawBuilder<Geometry> =>
  sql`ST_Segmentize(${geometry}, ${sql.lit(distance)})`;

/** The pieces of a geometry with a number of vertices at most, one in each row. */
export const subdivided = (geometry: Expression<Geometry>, mostVertices: number): RawBuilder<Geometry> =>
  sql`ST_Subdivide(${geometry}, ${sql.lit(mostVertices)})`;

/** The single geometries of which a geometry consists, as a FROM item. */
export const partsOf = (geometry: Expression<Geometry>) => sql<{ geom: Geometry }>`ST_Dump(${geometry})`;

/** The dimension of a geometry: 2 for a polygon. */
export const dimensionOf = (geometry: Expression<Geometry>): RawBuilder<number> => sql`ST_Dimension(${geometry})`;

/** The area of a geometry in square degrees. */
export const squareDegreesOf = (geometry: Expression<Geometry>): RawBuilder<number> => sql`ST_Area(${geometry})`;

/** The point at a fraction of the length of a line, from 0 to 1. */
export const pointOnLine = (line: Expression<Geometry>, fraction: Expression<number>): RawBuilder<Geometry> =>
  sql`ST_LineInterpolatePoint(${line}, ${fraction})`;

/** The direction from one point to another in radians, clockwise from north; null if they are equal. */
export const directionFrom = (from: Expression<Geometry>, to: Expression<Geometry>): RawBuilder<number> =>
  sql`ST_Azimuth(${from}, ${to})`;

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

/** A geometry as well-known binary, the lowest byte of each number first. */
export const asBinary = (geometry: Expression<Geometry>): RawBuilder<Buffer> => sql`ST_AsBinary(${geometry}, 'NDR')`;

/**
 * An area in the equal-area projection EPSG:6933. It maps meridians and parallels to straight lines, so that the pieces
 * of a boundary, which are cut along them, have the area of the whole. Areas of the type `geography` do not: its edges are
 * geodesics, which leave the parallel between two distant vertices.
 */
export const areaOf = (geometry: Expression<Geometry>): RawBuilder<number> =>
  sql`ST_Area(ST_Transform(${geometry}, 6933))`;

/** Whether the bounding boxes of two geometries overlap, which an index of either finds. */
export const mayOverlap = (one: Expression<Geometry>, other: Expression<Geometry>): RawBuilder<SqlBool> =>
  sql`${one} && ${other}`;

/** The geometry that belongs to two geometries, with its vertices on a grid. */
export const intersectionOnGrid = (
  one: Expression<Geometry>,
  other: Expression<Geometry>,
  side: number,
): RawBuilder<Geometry> => sql`ST_Intersection(${one}, ${other}, ${sql.lit(side)})`;

/** The geometry that belongs to two geometries. */
export const sharedBy = (one: Expression<Geometry>, other: Expression<Geometry>): RawBuilder<Geometry> =>
  sql`ST_Intersection(${one}, ${other})`;

/** The first point of the outline of a polygon. */
export const firstPointOf = (polygon: Expression<Geometry>): RawBuilder<Geometry> =>
  sql`ST_StartPoint(ST_ExteriorRing(${polygon}))`;

/** The number of single geometries of which a geometry consists. */
export const numberOfGeometries = (geometry: Expression<Geometry>): RawBuilder<number> =>
  sql`ST_NumGeometries(${geometry})`;

/** The same geometry, which no index has. */
export const flat = (geometry: Expression<Geometry>): RawBuilder<Geometry> => sql`ST_Force2D(${geometry})`;

/** A point inside a geometry. */
export const pointInside = (geometry: Expression<Geometry>): RawBuilder<Geometry> =>
  sql`ST_PointOnSurface(${geometry})`;

/** The width in degrees of an area: a strip of this width has the same area and circumference. */
export const widthOf = (geometry: Expression<Geometry>): RawBuilder<number> =>
  sql`(2 * ST_Area(${geometry}) / nullif(ST_Perimeter(${geometry}), 0))`;

/** The metres between two points on the ellipsoid, without fractions; null if one is null. */
export const metresBetween = (one: Expression<Geometry>, other: Expression<Geometry>): RawBuilder<number | null> =>
  sql`ST_Distance(${one}::geography, ${other}::geography)::int`;
