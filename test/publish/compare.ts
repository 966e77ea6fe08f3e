import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openCells } from '../../clients/typescript/src/index.ts';
import type { Database } from '../../src/store/sql/database.ts';

/** Returns a `fetch` for the files of a folder at `http://cells/`, and the addresses that were requested. */
export function folderFetch(folder: string) {
  const requested: string[] = [];
  const serve: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init?.headers).get('range') ?? '') ?? [];
    requested.push(from === undefined ? pathname : `${pathname} ${from}-${to}`);
    const bytes = await readFile(join(folder, pathname)).catch(() => undefined);
    if (!bytes) return new Response('', { status: 404 });
    if (from === undefined) return new Response(new Uint8Array(bytes));
    return new Response(new Uint8Array(bytes.subarray(Number(from), Number(to) + 1)), { status: 206 });
  };
  return { fetch: serve, requested };
}

export type Ring = readonly (readonly [longitude: number, latitude: number])[];

/** Returns the rings of a multipolygon in well-known binary. */
export function ringsOf(wkb: Buffer): Ring[] {
  let at = 5;
  const skip = (bytes: number) => {
    at += bytes;
    return at - bytes;
  };
  const count = () => wkb.readUInt32LE(skip(4));
  const degrees = () => wkb.readDoubleLE(skip(8));
  const rings: Ring[] = [];
  for (let polygons = count(); polygons > 0; polygons--) {
    skip(5);
    for (let left = count(); left > 0; left--)
      rings.push(Array.from({ length: count() }, () => [degrees(), degrees()] as const));
  }
  return rings;
}

export interface Comparison {
  readonly points: number;
  /** Points of which an edge is near. */
  readonly near: number;
  /** Points without an edge nearby of which the files have other districts than PostGIS. */
  readonly differ: number;
  /** Points with an edge nearby of which PostGIS has a district that is none of those on both sides, or lacks one of no side. */
  readonly wrongNearEdges: number;
  /** Points in a district at least. */
  readonly filled: number;
  readonly examples: readonly string[];
  /** Microseconds of a look-up, on average, the first ones included. */
  readonly microseconds: number;
}

/** Half of the points anywhere, the others on and near edges: vertices, points between two, and 10⁻⁹ to 10⁻³ degrees away. */
export async function drawPoints(
  db: Database,
  count: number,
  random: () => number,
  boxes: readonly (readonly number[])[],
) {
  const anywhere = Array.from({ length: Math.ceil(count / 2) }, (_, at) => {
    const [west = 0, south = 0, east = 0, north = 0] = boxes[at % boxes.length] ?? [];
    return [west + (east - west) * random(), south + (north - south) * random()] as const;
  });
  const outlines = await sql<{ wkb: Buffer }>`
    select ST_AsBinary(geometry, 'NDR') as wkb from boundaries order by id`.execute(db);
  const rings = outlines.rows.flatMap(({ wkb }) => ringsOf(wkb));
  const total = rings.reduce((sum, { length }) => sum + length, 0);
  const wanted = (count - anywhere.length) / total;
  const onEdges = rings.flatMap((ring) =>
    Array.from({ length: Math.floor(ring.length * wanted + random()) }, () => {
      const at = 1 + Math.floor(random() * (ring.length - 1));
      const [[x0, y0], [x1, y1]] = [ring[at - 1], ring[at]] as [Ring[0], Ring[0]];
      const kind = random();
      if (kind < 0.1) return [x1, y1] as const;
      const [along, angle] = [random(), random() * 2 * Math.PI];
      const away = kind < 0.15 ? 0 : 10 ** (-9 + 6 * random());
      return [
        x0 + along * (x1 - x0) + away * Math.cos(angle),
        y0 + along * (y1 - y0) + away * Math.sin(angle),
      ] as const;
    }),
  );
  const isOnEarth = ([x, y]: readonly [number, number]) => Math.abs(x) <= 180 && Math.abs(y) <= 90;
  return [...anywhere, ...onEdges].filter(isOnEarth);
}

/** Compares the districts of points in a published folder with those whose whole outlines cover them in PostGIS. */
export async function compare(
  db: Database,
  folder: string,
  points: readonly (readonly [longitude: number, latitude: number])[],
  day: string,
): Promise<Comparison> {
  const truth = await districtsInPostgis(db, points, day);
  const cells = await openCells('http://cells/', { fetch: folderFetch(folder).fetch });
  const examples: string[] = [];
  let [near, differ, wrongNearEdges, filled, spent] = [0, 0, 0, 0, 0];
  for (const [at, [longitude, latitude]] of points.entries()) {
    const began = performance.now();
    const { districts, sides, isNear } = await cells.districtsOf({ longitude, latitude }, { on: day });
    spent += performance.now() - began;
    const found = districts.map(({ databaseId }) => databaseId);
    const expected = truth.get(at) ?? [];
    if (isNear) near++;
    if (expected.length > 0) filled++;
    const open = new Set(sides.map(({ databaseId }) => databaseId));
    const isRight =
      expected.every((id) => found.includes(id)) && found.every((id) => expected.includes(id) || open.has(id));
    if (isRight) continue;
    if (isNear) wrongNearEdges++;
    else differ++;
    if (examples.length < 5) examples.push(`${longitude} ${latitude}: ${found} instead of ${expected}, near ${isNear}`);
  }
  const microseconds = Math.round((spent * 1_000) / points.length);
  return { points: points.length, near, differ, wrongNearEdges, filled, examples, microseconds };
}

/** Returns the sorted numbers of the districts of points, by their places in the list; both longitudes of the 180th meridian count. */
async function districtsInPostgis(db: Database, points: readonly (readonly [number, number])[], day: string) {
  const lines = points.flatMap(([x, y], at) =>
    Math.abs(x) === 180
      ? [
          [at, x, y],
          [at, -x, y],
        ]
      : [[at, x, y]],
  );
  const [places, xs, ys] = [0, 1, 2].map((column) => lines.map((line) => line[column]));
  const truth = await db.connection().execute(async (connection) => {
    await sql`create temporary table asked as
      select place, ST_SetSRID(ST_MakePoint(x, y), 4326) as point
      from unnest(${places}::int[], ${xs}::float8[], ${ys}::float8[]) as given(place, x, y)`.execute(connection);
    await sql`create index on asked using gist (point)`.execute(connection);
    await sql`analyze asked`.execute(connection);
    const { rows } = await sql<{ place: number; ids: number[] }>`
      select place, array_agg(distinct b.district_id order by b.district_id) as ids
      from boundaries_in_effect(${day}::date) b join asked on b.geometry ~ asked.point and ST_Covers(b.geometry, asked.point)
      group by place`.execute(connection);
    await sql`drop table asked`.execute(connection);
    return rows;
  });
  return new Map(truth.map(({ place, ids }) => [place, ids]));
}
