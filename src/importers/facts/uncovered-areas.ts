import { type Expression, sql } from 'kysely';
import type { Database } from '../../store/sql/database.ts';
import { type Geometry, widthOf } from '../../store/sql/geometry-functions.ts';

/**
 * The width in degrees up to which two outlines of one border may differ: 200 m for precise boundaries, 1 km for
 * generalised ones. Areas that are nowhere wider are differences of outlines and no violations.
 */
export const WIDTHS = { precise: 0.002, generalised: 0.01 };

/**
 * Along the outline of the state, lagoons and islands differ more. An uncovered area is a violation there if it is wider than
 * this, and larger than this share of an average district.
 */
const OUTER = { width: 0.02, share: 0.25 };

/**
 * The grid in degrees (1 cm) to which overlays of districts round. Without a grid, GEOS may first fail and then try others,
 * which the embedded database cannot: it is built without exceptions of C++.
 */
export const GRID = 1e-7;

/**
 * Returns the areas of a state that none of the districts covers, each as the latitude and longitude of a point in it:
 * holes between districts, and parts of the state outside of all. Without a boundary of the state only the holes are known.
 * @param districts a query of their geometries.
 */
export async function uncoveredAreas(
  db: Database,
  districts: Expression<{ geometry: Geometry }>,
  state: string,
  isPrecise: boolean,
): Promise<string[]> {
  const narrow = isPrecise ? WIDTHS.precise : WIDTHS.generalised;
  const { rows } = await sql<{ longitude: number; latitude: number }>`/* import.uncovered-areas */
    with covered as materialized (
      select ST_Union(d.geometry, ${GRID}::float8) as geometry, count(*) as number from (${districts}) as d
    ), state as (
      select b.geometry, ST_Area(b.geometry) as area from districts as d join boundaries as b on b.district_id = d.id
      where d.type = 'State' and d.state = ${state} order by b.start_date desc limit 1
    ), holes as (
      select ST_MakePolygon(ST_InteriorRingN(polygon.geom, ring)) as geometry
      from covered, ST_Dump(covered.geometry) as polygon, generate_series(1, ST_NumInteriorRings(polygon.geom)) as ring
    ), outer_parts as (
      select part.geom as geometry
      from state, covered, ST_Dump(ST_Difference(state.geometry, covered.geometry, ${GRID}::float8)) as part
      where ST_Area(part.geom) > ${OUTER.share}::float8 * state.area / covered.number
    ), uncovered as (
      select geometry from holes where ${widthOf(sql.ref('geometry'))} > ${narrow}::float8
        and (not exists (select from state) or exists (select from state where ST_Intersects(state.geometry, holes.geometry)))
      union all select geometry from outer_parts where ${widthOf(sql.ref('geometry'))} > ${OUTER.width}::float8
    )
    select distinct round(ST_X(ST_PointOnSurface(geometry))::numeric, 2)::float8 as longitude,
      round(ST_Y(ST_PointOnSurface(geometry))::numeric, 2)::float8 as latitude
    from uncovered order by 1, 2`.execute(db);
  return rows.map(({ longitude, latitude }) => `latitude ${latitude}, longitude ${longitude}`);
}
