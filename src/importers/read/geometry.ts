/** A ring as pairs of longitude and latitude in one flat list; the last pair repeats the first. */
type Ring = number[];

/** A checked geometry, ready for the database. */
export interface CheckedGeometry {
  /** EWKB of a MultiPolygon, SRID 4326. Longitudes may be beyond ±180 if `wraps` is true. */
  readonly ewkb: Buffer;
  /** True if an edge over 180 degrees crosses the antimeridian, so that the geometry has to be split there. */
  readonly wraps: boolean;
  readonly points: number;
}

/** Thrown if a geometry cannot be a boundary; `column` names the part of the Feature. */
export class GeometryError extends Error {
  override readonly name = 'GeometryError';
}

const FEWEST_POSITIONS = 4;
/** The maximum width: a wider polygon would overlap itself after one turn around the world. */
const WIDEST = 360;

/**
 * Checks the geometry of a GeoJSON Feature: Polygon or MultiPolygon, closed rings of four positions or more, longitude
 * and latitude in range. An edge over 180 degrees of longitude is assumed to cross the antimeridian (RFC 7946, 3.1.9);
 * the polygon is unrolled across it. A third coordinate (height) is dropped.
 *
 * The database would not detect all of these: PostGIS accepts rings that are not closed.
 * @throws GeometryError if the geometry is invalid.
 */
export function checkGeometry(geometry: unknown): CheckedGeometry {
  const polygons = polygonsOf(geometry);
  if (polygons.length === 0) throw new GeometryError('has no polygon');
  const unrolled = polygons.map((polygon) => unroll(polygon.map(readRing)));
  const rings = unrolled.flatMap((polygon) => polygon.rings);
  return {
    ewkb: encode(unrolled.map((polygon) => polygon.rings)),
    wraps: unrolled.some((polygon) => polygon.wraps),
    points: rings.reduce((sum, ring) => sum + ring.length / 2, 0),
  };
}

function polygonsOf(geometry: unknown): unknown[][] {
  if (!isObject(geometry)) throw new GeometryError('is missing');
  const { type, coordinates } = geometry;
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    throw new GeometryError(
      `is a ${typeof type === 'string' ? type.slice(0, 40) : 'geometry without a type'}; it must be a Polygon or MultiPolygon`,
    );
  }
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  if (!Array.isArray(polygons)) throw new GeometryError('has no coordinates');
  return polygons.map((polygon) => {
    if (!Array.isArray(polygon)) throw new GeometryError('has a polygon that is not a list of rings');
    if (polygon.length === 0) throw new GeometryError('has a polygon without rings');
    return polygon;
  });
}

function readRing(ring: unknown): Ring {
  if (!Array.isArray(ring)) throw new GeometryError('has a ring that is not a list of positions');
  if (ring.length < FEWEST_POSITIONS) {
    throw new GeometryError(`has a ring of ${ring.length} positions; a closed ring has 4 or more`);
  }
  const read: Ring = new Array(ring.length * 2);
  for (let index = 0; index < ring.length; index++) {
    const position: unknown = ring[index];
    if (!Array.isArray(position) || position.length < 2 || position.length > 4) {
      throw new GeometryError('has a position that is not [longitude, latitude]');
    }
    const [longitude, latitude] = position;
    if (typeof longitude !== 'number' || typeof latitude !== 'number' || !Number.isFinite(longitude + latitude)) {
      throw new GeometryError('has a position whose coordinates are not numbers');
    }
    if (longitude < -180 || longitude > 180)
      throw new GeometryError(`has the longitude ${longitude}, which is out of range`);
    if (latitude < -90 || latitude > 90) {
      throw new GeometryError(`has the latitude ${latitude}, which is out of range (longitude comes first)`);
    }
    // Adding 0 turns -0 into 0, which would give a different digest.
    read[index * 2] = longitude + 0;
    read[index * 2 + 1] = latitude + 0;
  }
  if (read[0] !== read.at(-2) || read[1] !== read.at(-1)) throw new GeometryError('has a ring that is not closed');
  return read;
}

function unroll(rings: Ring[]): { rings: Ring[]; wraps: boolean } {
  if (!rings.some(hasLongEdge)) return { rings, wraps: false };
  const unrolled = rings.map(unrollRing);
  const shell = unrolled[0] ?? [];
  const [west, east] = extentOf(shell);
  if (east - west > WIDEST) throw new GeometryError('extends more than once around the world');
  return { rings: [shell, ...unrolled.slice(1).map((hole) => moveInto(hole, west, east))], wraps: true };
}

function hasLongEdge(ring: Ring): boolean {
  for (let at = 2; at < ring.length; at += 2) if (Math.abs((ring[at] ?? 0) - (ring[at - 2] ?? 0)) > 180) return true;
  return false;
}

/** Returns the ring with longitudes that continue beyond ±180 instead of jumping. */
function unrollRing(ring: Ring): Ring {
  const unrolled = [...ring];
  let shift = 0;
  for (let at = 2; at < ring.length; at += 2) {
    const step = (ring[at] ?? 0) - (ring[at - 2] ?? 0);
    if (step > 180) shift -= 360;
    else if (step < -180) shift += 360;
    unrolled[at] = (ring[at] ?? 0) + shift;
  }
  if (shift !== 0) throw new GeometryError('encloses a pole; cut it at the antimeridian (RFC 7946, 3.1.9)');
  return unrolled;
}

/** Shifts a hole by the number of full turns that moves it into its shell. */
function moveInto(hole: Ring, west: number, east: number): Ring {
  const [holeWest, holeEast] = extentOf(hole);
  const turn = [0, 360, -360].find((turn) => holeWest + turn >= west && holeEast + turn <= east) ?? 0;
  return turn === 0 ? hole : hole.map((value, index) => (index % 2 === 0 ? value + turn : value));
}

function extentOf(ring: Ring): [west: number, east: number] {
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < ring.length; at += 2) {
    west = Math.min(west, ring[at] ?? 0);
    east = Math.max(east, ring[at] ?? 0);
  }
  return [west, east];
}

const LITTLE_ENDIAN = 1;
const POLYGON = 3;
const MULTI_POLYGON_WITH_SRID = 0x20000006;
const SRID = 4326;

/** Returns extended well-known binary: exact, and read by PostGIS without parsing decimals. */
function encode(polygons: readonly (readonly Ring[])[]): Buffer {
  const size = polygons.reduce((sum, rings) => rings.reduce((all, ring) => all + 4 + ring.length * 8, sum + 9), 13);
  const bytes = Buffer.allocUnsafe(size);
  let at = bytes.writeUInt8(LITTLE_ENDIAN, 0);
  at = bytes.writeUInt32LE(MULTI_POLYGON_WITH_SRID, at);
  at = bytes.writeUInt32LE(SRID, at);
  at = bytes.writeUInt32LE(polygons.length, at);
  for (const rings of polygons) {
    at = bytes.writeUInt8(LITTLE_ENDIAN, at);
    at = bytes.writeUInt32LE(POLYGON, at);
    at = bytes.writeUInt32LE(rings.length, at);
    for (const ring of rings) {
      at = bytes.writeUInt32LE(ring.length / 2, at);
      for (const value of ring) at = bytes.writeDoubleLE(value, at);
    }
  }
  return bytes;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
