import { PGlite } from '@electric-sql/pglite';
import { postgis } from '@electric-sql/pglite-postgis';
import { addDays } from '../../../src/base/dates.ts';
import { topoFeatures } from '../../../src/importers/read/topojson.ts';
import type { CongressDistrict, State } from './districts.ts';
import { congressId } from './ids.ts';
import { required, type Source } from './source.ts';

/** The grid of the coordinates in degrees, about 10 m. */
const GRID = 0.0001;

/** By how many degrees two generalised outlines of one border may differ, about 500 m; what is narrower did not move. */
const TOLERANCE = 0.005;

/** By how much the area of a district may differ between two editions of the Census if it is the same: they correct shores, not its line. */
const SAME_AREA = 1e-6;

interface Feature {
  readonly geometry: object;
  /** Land and water of the district in square metres, where the source has them. */
  readonly area?: number;
}

/** A map of the districts of some states, or of all. */
interface CongressMap {
  readonly from: string;
  readonly states: readonly string[];
  feature(source: Source, geoid: string, postal: string): Feature | undefined;
}

/** Returns how to find a district in a file of the Census, which is read once. */
function inCensusFile(path: string, suffix: string): CongressMap['feature'] {
  type Row = { geometry: object; properties: Record<string, string | number> };
  let byGeoid: Map<unknown, Row> | undefined;
  return (source, geoid) => {
    byGeoid ??= new Map(
      source.json<{ features: Row[] }>(path).features.map((each) => [each.properties[`GEOID${suffix}`], each]),
    );
    const row = byGeoid.get(geoid);
    if (!row) return undefined;
    const [land, water] = [`ALAND${suffix}`, `AWATER${suffix}`].map((name) => Number(row.properties[name]));
    return { geometry: row.geometry, area: (land ?? Number.NaN) + (water ?? Number.NaN) };
  };
}

const MAP_118 = { from: '2023-01-03', feature: inCensusFile('boundaries/cd118/cd118_us.geojson', '20') };

/** The maps before and after that of the 118th Congress. */
const OTHER_MAPS: readonly CongressMap[] = [
  {
    from: '2013-01-03',
    states: ['ME', 'NM'],
    feature: (source, geoid, postal) =>
      source.json(`boundaries/unitedstates-districts/cds/2016/${postal}-${Number(geoid.slice(2))}/shape.geojson`),
  },
  {
    from: '2025-01-03',
    states: ['AL', 'GA', 'LA', 'NC', 'NY'],
    feature: inCensusFile('boundaries/cd119-congressional_districts.geojson', ''),
  },
];

/** Selects the areas between lines, each with a point in it. */
const faces = (areas: string): string => `
  select face.geom as geometry, ST_PointOnSurface(face.geom) as point
  from (select ST_UnaryUnion(ST_Collect(ST_Boundary(geometry)), ${GRID}) as geometry from (${areas}) as areas) as lines,
    ST_Dump(ST_Polygonize(array[lines.geometry])) as face`;

/** Selects districts from two arrays: GEOIDs and geometries. */
const given = (geoids: string, geometries: string): string => `
  select geoid, ST_MakeValid(ST_SetSRID(ST_GeomFromGeoJSON(geometry), 4326)) as geometry
  from unnest(${geoids}::text[], ${geometries}::text[]) as t (geoid, geometry)`;

const DISTRICTS = `
  select geoid, ST_AsGeoJSON(ST_Multi(ST_Union(geometry, ${GRID})), 4) as geometry from owned group by geoid order by geoid`;

/**
 * Divides the outline of a state among its districts. The borders of the districts and of the state are cut into faces,
 * and each face belongs to the district that contains it or, in gaps and along the coast, is closest to it. So
 * neighbours share their borders point by point, and together they cover the state exactly.
 */
const DIVIDE = `
  with outline as materialized (select ST_MakeValid(ST_SetSRID(ST_GeomFromGeoJSON($1), 4326)) as geometry),
  given as materialized (${given('$2', '$3')}),
  faces as materialized (${faces('select geometry from outline union all select geometry from given')}),
  owned as (
    select f.geometry,
      (select g.geoid from given as g order by ST_Distance(g.geometry, f.point), g.geoid limit 1) as geoid
    from faces as f, outline as o where ST_Intersects(o.geometry, f.point)
  )${DISTRICTS}`;

/**
 * Returns the districts of another map of the state as the divided ones, which are finer, with what moved between two of them. What is
 * narrower than the tolerance did not move, and neither did anything from or to the districts that are the same on both maps ($5).
 */
const REDRAW = `
  with known as materialized (${given('$1', '$2')}),
  other as materialized (select geoid, ST_SimplifyPreserveTopology(geometry, ${GRID} * 10) as geometry from (${given('$3', '$4')}) as o),
  faces as materialized (${faces('select geometry from known union all select geometry from other')}),
  both_maps as (
    select f.geometry, k.geoid as before,
      (select o.geoid from other as o order by ST_Distance(o.geometry, f.point), o.geoid limit 1) as geoid
    from faces as f join known as k on ST_Intersects(k.geometry, f.point)
  ),
  parts as (
    select geoid, (ST_Dump(ST_Union(geometry, ${GRID}))).geom as geometry from both_maps
    where before <> geoid and before <> all($5::text[]) and geoid <> all($5::text[]) group by before, geoid
  ),
  moved as materialized (select * from parts where not ST_IsEmpty(ST_Buffer(geometry, -${TOLERANCE}))),
  cut as materialized (${faces('select geometry from known union all select geometry from moved')}),
  owned as (
    select c.geometry, coalesce(m.geoid, k.geoid) as geoid
    from cut as c join known as k on ST_Intersects(k.geometry, c.point) left join moved as m on ST_Intersects(m.geometry, c.point)
  )${DISTRICTS}`;

interface District {
  readonly geoid: string;
  readonly geometry: string;
}

/**
 * Returns the lines of boundaries.geojsonl: the districts of the states with several, on the outlines of us-atlas. A
 * state with one district has none here, as its boundary is that of the state.
 */
export async function congressBoundaries(
  source: Source,
  states: readonly State[],
  congress: readonly CongressDistrict[],
): Promise<string[]> {
  const outlines = topoFeatures(source.json('boundaries/us-atlas/states-10m.json'), 'states');
  const database = await PGlite.create({ extensions: { postgis } });
  const districtsBy = async (sql: string, geoids: readonly string[], values: unknown[]): Promise<District[]> => {
    const { rows } = await database.query<District>(sql, values);
    if (rows.length !== geoids.length)
      throw new Error(`there are ${rows.length} of the districts ${geoids.join(', ')}`);
    return rows;
  };
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
      const featuresOf = ({ from, feature }: Pick<CongressMap, 'from' | 'feature'>) =>
        geoids.map((geoid) =>
          required(feature(source, geoid, postal), `a boundary of district ${geoid} from ${from} on`),
        );
      const features = featuresOf(MAP_118);
      const geometriesOf = (of: readonly Feature[]) => of.map(({ geometry }) => JSON.stringify(geometry));
      const known = await districtsBy(DIVIDE, geoids, [
        JSON.stringify(outline.geometry),
        geoids,
        geometriesOf(features),
      ]);
      const maps = [{ from: MAP_118.from, districts: known }];
      for (const map of OTHER_MAPS.filter((each) => each.states.includes(postal))) {
        const others = featuresOf(map);
        const same = geoids.filter((_, index) => isSame(features[index], others[index]));
        const ids = known.map(({ geoid }) => geoid);
        const areas = known.map(({ geometry }) => geometry);
        const districts = await districtsBy(REDRAW, geoids, [ids, areas, geoids, geometriesOf(others), same]);
        maps.push({ from: map.from, districts });
      }
      maps.sort((a, b) => a.from.localeCompare(b.from));
      for (const [index, { from, districts }] of maps.entries()) {
        const next = maps[index + 1]?.from;
        lines.push(...districts.map((district) => featureLine(district, from, next && addDays(next, -1))));
      }
    }
    return lines;
  } finally {
    await database.close();
  }
}

/** Returns whether a district has the same area on two maps. */
function isSame(one?: Feature, other?: Feature): boolean {
  return Math.abs((one?.area ?? Number.NaN) / (other?.area ?? Number.NaN) - 1) <= SAME_AREA;
}

function featureLine({ geoid, geometry }: District, start_date: string, end_date: string | undefined): string {
  const properties = { district_id: congressId(geoid), start_date, end_date, precise: false };
  return `{"type":"Feature","properties":${JSON.stringify(properties)},"geometry":${geometry}}`;
}
