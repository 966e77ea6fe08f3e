import { sql } from 'kysely';
import { type DataVersion, readDataVersion } from '../database/data-version.ts';
import type { Database } from '../database/database.ts';
import { coveringBoundaries, type Point } from '../districts/districts.store.ts';

/**
 * The data that a response about a point depends on: the data version, and the boundaries of all periods that cover the
 * point.
 */
export interface Footprint extends Pick<DataVersion, 'state' | 'isStandby'> {
  /** The sorted ids of the boundaries as text: equal if the sets are equal. */
  readonly boundaries: string;
  /**
   * Whether exactly the same boundaries cover the whole tile of the point, without parts of others; false if not
   * requested.
   */
  readonly coversTile: boolean;
}

/**
 * Request for the boundaries that cover a point and, with `withTile`, for whether its whole tile has the same ones.
 */
export interface FootprintRequest extends Point {
  readonly withTile: boolean;
}

/**
 * The side of a tile in degrees: half a kilometre or less, so that most tiles are not crossed by a boundary. A power of
 * two: the edges are exact binary numbers, so PostgreSQL and JavaScript agree on which tile contains a point.
 */
const SIDE = 1 / 256;

/** The map tile that contains a point, identified by its south-west corner. Its edges belong to it. */
export interface Tile {
  readonly south: number;
  readonly west: number;
}

export function tileOf({ latitude, longitude }: Point): Tile {
  return { south: Math.floor(latitude / SIDE) * SIDE, west: Math.floor(longitude / SIDE) * SIDE };
}

/** Reads what cached responses depend on from the database. */
export interface CacheSource {
  state(): Promise<Pick<DataVersion, 'state' | 'isStandby'>>;
  /**
   * Reads the boundaries of points in one statement. Returns one result for each point, in their order; undefined if
   * the database has never contained data.
   */
  footprints(requests: readonly FootprintRequest[]): Promise<readonly (Footprint | undefined)[]>;
}

export function cacheSourceOf(db: Database): CacheSource {
  return { state: () => readDataVersion(db), footprints: (requests) => findFootprints(db, requests) };
}

/**
 * Reads the boundaries that cover points. A tile certainly lies within a boundary if one of the boundary's pieces
 * covers it. A tile that only several pieces together cover is treated as crossed by the boundary, so that each point
 * in it requires a lookup.
 */
async function findFootprints(db: Database, requests: readonly FootprintRequest[]): Promise<(Footprint | undefined)[]> {
  const tiles = requests.map((request) => (request.withTile ? tileOf(request) : undefined));
  const found = await sql<Footprint & { index: number }>`
    /* cache.findFootprints */
    select request.index::int, data_version.state, pg_is_in_recovery() as "isStandby", array(
      select boundary_id from ${coveringBoundaries({ longitude: sql.ref('request.longitude'), latitude: sql.ref('request.latitude') })} covering
      order by boundary_id)::text as boundaries,
      request.west is not null and not exists (
        select from boundary_pieces piece
        where ST_Intersects(piece.geometry, tile.outline) and not ST_Covers(piece.geometry, tile.outline)
      ) as "coversTile"
    from data_version, unnest(${requests.map((request) => request.longitude)}::float8[], ${requests.map((request) => request.latitude)}::float8[],
      ${tiles.map((tile) => tile?.west)}::float8[], ${tiles.map((tile) => tile?.south)}::float8[])
      with ordinality as request(longitude, latitude, west, south, index),
      ST_MakeEnvelope(request.west, request.south, request.west + ${SIDE}::float8, request.south + ${SIDE}::float8, 4326) as tile(outline)`.execute(
    db,
  );
  const results: (Footprint | undefined)[] = requests.map(() => undefined);
  for (const { index, ...footprint } of found.rows) results[index - 1] = footprint;
  return results;
}
