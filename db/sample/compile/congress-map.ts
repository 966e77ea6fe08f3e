import { PGlite } from '@electric-sql/pglite';
import { postgis } from '@electric-sql/pglite-postgis';
import { topoFeatures } from '../../../src/importers/read/topojson.ts';
import type { CongressDistrict, State } from './districts.ts';
import { congressId } from './ids.ts';
import { required, type Source } from './source.ts';

/** The first day of the 118th Congress. */
const FROM = '2023-01-03';

/** The grid of the coordinates in degrees, about 10 m. */
const GRID = 0.0001;

interface Feature {
  properties: { GEOID20: string };
  geometry: object;
}

/**
 * Divides the outline of a state among its districts. The borders of the districts and of the state are cut into faces,
 * and each face belongs to the district that contains it or, in gaps and along the coast, is closest to it. So
 * neighbours share their borders point by point, and together they cover the state exactly.
 */
const DIVIDE = `
  with outline as materialized (select ST_MakeValid(ST_SetSRID(ST_GeomFromGeoJSON($1), 4326)) as geometry),
  given as materialized (
    select geoid, ST_MakeValid(ST_SetSRID(ST_GeomFromGeoJSON(geometry), 4326)) as geometry
    from unnest($2::text[], $3::text[]) as t (geoid, geometry)
  ), lines as (
    select ST_UnaryUnion(ST_Collect(ST_Boundary(geometry)), ${GRID}) as geometry
    from (select geometry from outline union all select geometry from given) as areas
  ), faces as materialized (
    select face.geom as geometry, ST_PointOnSurface(face.geom) as point
    from lines, ST_Dump(ST_Polygonize(array[lines.geometry])) as face
  ), owned as (
    select f.geometry,
      (select g.geoid from given as g order by ST_Distance(g.geometry, f.point), g.geoid limit 1) as geoid
    from faces as f, outline as o where ST_Intersects(o.geometry, f.point)
  )
  select geoid, ST_AsGeoJSON(ST_Multi(ST_Union(geometry, ${GRID})), 4) as geometry from owned group by geoid order by geoid`;

/**
 * Returns the lines of boundaries.geojsonl: the districts of the states with several, on the outlines of us-atlas. A
 * state with one district has none here, as its boundary is that of the state.
 */
export async function congressBoundaries(
  source: Source,
  states: readonly State[],
  congress: readonly CongressDistrict[],
): Promise<string[]> {
  const { features } = source.json<{ features: Feature[] }>('boundaries/cd118/cd118_us.geojson');
  const byGeoid = new Map(features.map((feature) => [feature.properties.GEOID20, feature]));
  const outlines = topoFeatures(source.json('boundaries/us-atlas/states-10m.json'), 'states');
  const database = await PGlite.create({ extensions: { postgis } });
  try {
    await database.exec('create extension postgis');
    const lines: string[] = [];
    for (const { fips, postal } of states) {
      const geoids = congress.filter((district) => district.postal === postal).map(({ geoid }) => geoid);
      if (geoids.length < 2) continue;
      const outline = required(
        outlines.find(({ id }) => id === fips),
        `the outline of ${postal}`,
      );
      const geometries = geoids.map((geoid) => {
        const { geometry } = required(byGeoid.get(geoid), `a boundary of district ${geoid}`);
        return JSON.stringify(geometry);
      });
      const { rows } = await database.query<{ geoid: string; geometry: string }>(DIVIDE, [
        JSON.stringify(outline.geometry),
        geoids,
        geometries,
      ]);
      if (rows.length !== geoids.length) throw new Error(`${postal} has ${rows.length} of ${geoids.length} districts`);
      lines.push(...rows.map(({ geoid, geometry }) => featureLine(geoid, geometry)));
    }
    return lines;
  } finally {
    await database.close();
  }
}

function featureLine(geoid: string, geometry: string): string {
  const properties = { district_id: congressId(geoid), start_date: FROM, precise: false };
  return `{"type":"Feature","properties":${JSON.stringify(properties)},"geometry":${geometry}}`;
}
