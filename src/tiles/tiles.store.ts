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
  /** Side of the grid to which all vertices are moved, in degrees. */
  readonly grid: number;
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
 * Returns the boundaries of a district type that are in effect on a day, as far as they are in a rectangle. Vertices
 * are moved to a grid, the same for all boundaries: a vertex that neighbours share stays shared, which the
 * simplification of each boundary alone would not ensure.
 */
export async function outlinesWithin(
  db: Database,
  { type, day, within: { west, south, east, north }, grid }: OutlineRequest,
): Promise<Outline[]> {
  const found = await sql<Outline>`
    /* tiles.outlinesWithin */
    select id as "boundaryId", district_id as "districtId", name, state, ST_AsGeoJSON(part, 9) as geometry
    from (
      select b.id, b.district_id, d.name, d.state,
        ST_CollectionExtract(ST_SnapToGrid(ST_ClipByBox2D(b.geometry, area.box), ${grid}::float8), 3) as part
      from ST_MakeEnvelope(${west}::float8, ${south}::float8, ${east}::float8, ${north}::float8, 4326) as area(box),
        boundaries_in_effect(${day}::date) b
      join districts d on d.id = b.district_id
      where d.type = ${type}::district_type
        and b.id in (select piece.boundary_id from boundary_pieces piece where piece.geometry && area.box)
    ) outline
    where not ST_IsEmpty(part)
    order by id`.execute(db);
  return found.rows;
}
