import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { DistrictType } from '../database/tables.ts';
import type { Day } from '../dates.ts';

/** A rectangle of meridians and parallels, in degrees. */
export interface Rectangle {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface OutlineRequest {
  readonly type: DistrictType;
  /** The day on which the boundaries are in effect. */
  readonly day: Day;
  /** The part of the outlines that is returned. */
  readonly within: Rectangle;
  /** Side of the finest grid to which all vertices are moved, in degrees. */
  readonly grid: number;
  /** The size limit of the tile in bytes, which makes the grid coarser. */
  readonly mostBytes: number;
}

/** The part of a boundary in a rectangle, and its district. */
export interface Outline {
  readonly boundaryId: number;
  readonly districtId: number;
  readonly name: string;
  readonly state: string | null;
  /** GeoJSON text. */
  readonly geometry: string;
}

/**
 * Width of a rectangle in degrees from which all boundaries of a type are compared with it. Their number is limited, while
 * a large part of the country has so many pieces that their index is of no use.
 */
const WIDE = 20;
/** The grid of a tile is this many times as coarse as that of the outlines, so that moving them twice is not seen. */
export const COARSER = 4;
/** How many times the side of the grid is doubled at most. */
const DOUBLINGS = 8;
/** The bytes that a district has in a tile at least: its name, ids, and the beginning of its outline. */
const DISTRICT_BYTES = 45;
const VERTEX_BYTES = 2;

export interface Outlines {
  /** The side of the grid that all vertices are on, in degrees. */
  readonly grid: number;
  readonly outlines: readonly Outline[];
}

/**
 * Returns the boundaries of a district type that are in effect on a day, as far as they are in a rectangle. Vertices
 * are moved to a grid, the same for all boundaries: a vertex that neighbours share stays shared, which the
 * simplification of each boundary alone would not ensure.
 *
 * The grid is made coarser, by powers of two, as long as the tile would certainly be too large on one that is
 * `COARSER` times as coarse. What the tile cannot show is then neither sent nor parsed, which is most of it where a tile has
 * thousands of districts. A district counts with the fewest vertices that an outline of its width and height can have.
 * Outlines that are smaller than a cell are omitted.
 */
export async function outlinesWithin(
  db: Database,
  { type, day, within: { west, south, east, north }, grid, mostBytes }: OutlineRequest,
): Promise<Outlines> {
  const inEffect = sql`boundaries_in_effect(${day}::date) b`;
  const candidates =
    east - west > WIDE
      ? sql`area join districts d on true join ${inEffect} on b.district_id = d.id and b.geometry && area.box`
      : sql`area cross join lateral (
          select distinct piece.boundary_id from boundary_pieces piece where piece.geometry && area.box) inside
        join ${inEffect} on b.id = inside.boundary_id join districts d on d.id = b.district_id`;
  const { rows } = await sql<Outline & { grid: number }>`
    /* tiles.outlinesWithin */
    with area as materialized (
      select ST_MakeEnvelope(${west}::float8, ${south}::float8, ${east}::float8, ${north}::float8, 4326) as box
    ), part as materialized (
      select b.id, b.district_id, d.name, d.state, moved.outline, ST_NPoints(moved.outline) as vertices,
        ST_XMax(moved.outline) - ST_XMin(moved.outline) as width, ST_YMax(moved.outline) - ST_YMin(moved.outline) as height
      from ${candidates}
      cross join lateral (
        select ST_SnapToGrid(ST_ClipByBox2D(b.geometry, area.box), ${grid}::float8) as outline offset 0) moved
      where d.type = ${type}::district_type
    ), grids as (
      select ${grid}::float8 * 2 ^ doubling as side from generate_series(0, ${DOUBLINGS}::int) as doubling
    ), grid as materialized (
      select coalesce(min(side) filter (where fits), max(side)) as side
      from (
        select side, sum(${DISTRICT_BYTES}::int + ${VERTEX_BYTES}::int * least(vertices, (width + height) / (${COARSER}::int * side)))
          filter (where least(width, height) > ${COARSER}::int * side) > ${mostBytes}::float8 is not true as fits
        from grids cross join part group by side
      ) measured
    )
    select id as "boundaryId", district_id as "districtId", name, state, ST_AsGeoJSON(drawn.outline, 9) as geometry,
      side as grid
    from grid cross join part
    cross join lateral (
      select ST_CollectionExtract(
        case when side > ${grid}::float8 then ST_SnapToGrid(outline, side) else outline end, 3) as outline offset 0) drawn
    where width + height > side and not ST_IsEmpty(drawn.outline)
    order by id`.execute(db);
  return { grid: rows[0]?.grid ?? grid, outlines: rows };
}
