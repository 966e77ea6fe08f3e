import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCells } from '../../clients/typescript/src/index.ts';
import { globalId } from '../../src/graph/builder/global-id.ts';
import { type PublishOptions, publish } from '../../src/operate/publish/publish.ts';
import { seeded } from '../drawn/random.ts';
import { useDatabase } from '../support/database.ts';
import { boundary, createWorld, insert, POINTS, WORLD } from '../support/world.ts';
import { compare, drawPoints, folderFetch } from './compare.ts';

const database = useDatabase();
const NEW = '2026-11-03';
const OLD = '2020-11-03';
const [BOTH_SIDES, POLAR, LINE_OF_180] = [500, 501, 502];
const ROUND = 503;
const FIRST_STAR = 510;

let parent: string;
let folder: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'publish-'));
  const { db } = database;
  await createWorld(db);
  const random = seeded(21);
  const stars = Array.from({ length: 12 }, (_, at) => FIRST_STAR + at);
  await insert(
    db,
    'districts',
    [BOTH_SIDES, POLAR, LINE_OF_180, ROUND, ...stars].map((id) => ({
      id,
      type: 'Special District',
      name: `District ${id}`,
      state: 'CC',
    })),
  );
  const add = (id: number, outline: string, dates: readonly [string, string | null] = ['2000-01-01', null]) =>
    sql`insert into boundaries (district_id, start_date, end_date, precise, geometry, digest)
      values (${id}, ${dates[0]}, ${dates[1]}, true, ST_Multi(ST_GeomFromText(${outline}, 4326)), ${outline})`.execute(
      db,
    );
  await add(
    BOTH_SIDES,
    'MULTIPOLYGON(((179.9 51, 180 51, 180 53, 179.9 53, 179.9 51)), ((-180 51, -179.99 51, -179.99 53, -180 53, -180 51)))',
  );
  await add(POLAR, 'POLYGON((-30 85, 40 84.5, 60 90, -60 90, -30 85))');
  await boundary(db, LINE_OF_180, ['2000-01-01', null], [-180, 52, -178, 55]);
  // Enough vertices for an index in two levels.
  const round = Array.from({ length: 8_001 }, (_, at) => (at / 4_000) * Math.PI).map(
    (angle) => `${-85 + 3 * Math.cos(angle)} ${45 + 2 * Math.sin(angle)}`,
  );
  await add(ROUND, `POLYGON((${round.with(-1, round[0] ?? '').join(', ')}))`);
  for (const id of stars) {
    const [west, south] = [-99 + random() * 12, 41 + random() * 7];
    const ring = Array.from({ length: 60 }, (_, at) => {
      const [angle, radius] = [(at / 60) * 2 * Math.PI, 0.4 + random() * 1.6];
      return `${west + radius * Math.cos(angle)} ${south + radius * Math.sin(angle)}`;
    });
    const outline = `POLYGON((${[...ring, ring[0]].join(', ')}))`;
    // Two periods with the same outline, and one with another.
    await add(id, outline, ['2000-01-01', '2021-01-01']);
    await add(
      id,
      id % 2
        ? outline
        : `POLYGON((${west} ${south}, ${west + 1} ${south + 0.3}, ${west} ${south + 1}, ${west} ${south}))`,
      ['2021-01-01', null],
    );
  }
  folder = await published({ days: [NEW, OLD] });
}, 60_000);
afterAll(() => rm(parent, { recursive: true, force: true }));

const publishInto = (to: string, options: Partial<PublishOptions> = {}) =>
  publish(database.db, to, { days: [NEW], mostBytes: 1_000, ...options });
async function published(options: Partial<PublishOptions>): Promise<string> {
  const to = await mkdtemp(join(parent, 'cells-'));
  await publishInto(to, options);
  return to;
}
const open = (of: string, send = folderFetch(of).fetch) => openCells('http://cells', { fetch: send });
const namesOf = ({ districts }: { districts: readonly { name: string }[] }) => districts.map(({ name }) => name).sort();

const BOXES = [
  [-101, 39, -79, 51],
  [-180, 50, -177, 56],
  [179, 50, 180, 56],
  [-70, 80, 70, 90],
];

describe('published boundaries', () => {
  it.each([NEW, OLD])('have the districts that PostGIS has, of several periods in one index: %s', async (day) => {
    const points = await drawPoints(database.db, 6_000, seeded(22), BOXES);
    const special = [-180, 180].flatMap((longitude) =>
      [51, 51.5, 52, 52.5, 53, 54, 55, 55.5].map((latitude) => [longitude, latitude] as const),
    );
    const compared = await compare(database.db, folder, [...points, ...special, [0, 90], [10, -90], [-90, 42]], day);
    expect(compared).toMatchObject({ differ: 0, wrongNearEdges: 0, examples: [] });
    expect(compared.filled).toBeGreaterThan(2_000);
    expect(compared.near).toBeGreaterThan(500);
  });

  it('describe districts as the gateway does, and say which days, types and states there are', async () => {
    const cells = await open(folder);
    const { districts, isNear, sides } = await cells.districtsOf({ latitude: 40.2, longitude: -99.9 });
    expect(districts).toContainEqual({
      ...{ id: globalId('District', WORLD.alphaFirst), databaseId: WORLD.alphaFirst, type: 'CONGRESS' },
      ...{ name: 'Congressional District 1', state: 'AA' },
    });
    expect([isNear, sides]).toEqual([false, []]);
    expect(cells).toMatchObject({ days: [NEW, OLD], states: ['AA', 'BB', 'CC', 'US'] });
    expect(cells.layers).toEqual(['COUNTRY', 'CONGRESS', 'STATE', 'COUNTY', 'SPECIAL_DISTRICT']);
  });

  it('say that an edge is near, and what is on both sides', async () => {
    const { districts, isNear, sides } = await (await open(folder)).districtsOf({
      latitude: 49.9,
      longitude: -90.00000001,
    });
    expect(isNear).toBe(true);
    expect(sides.map(({ name }) => name).sort()).toEqual(['Alpha', 'Beta', 'Congressional District 2']);
    expect(districts.map(({ name }) => name)).toContain('Country');
  });

  it.each(['pack', 'a pack of which the server sends all'])('are the same in %s', async (how) => {
    const packed = await published({ pack: true });
    expect((await readdir(packed)).length).toBe(3);
    const { fetch: send, requested } = folderFetch(packed);
    const whole: typeof fetch = (input) => send(input);
    const [cells, others] = [await open(packed, how === 'pack' ? send : whole), await open(folder)];
    for (const point of Object.values(POINTS))
      expect(await cells.districtsOf(point)).toEqual(await others.districtsOf(point));
    if (how === 'pack') expect(requested.slice(1).filter((each) => !/\.bin \d+-\d+$/.test(each))).toEqual([]);
  });

  it('are found through parts of the index where it is long', async () => {
    const many = await published({ mostBytes: 60 });
    expect((await stat(join(many, 'index.json'))).size).toBeLessThan(41_000);
    const parts = (await readdir(many)).filter((name) => name.endsWith('.txt'));
    expect(parts.length).toBeGreaterThan(3);
    for (const name of parts) expect((await stat(join(many, name))).size).toBeLessThanOrEqual(8_000);
    const points = await drawPoints(database.db, 1_000, seeded(23), BOXES);
    expect(await compare(database.db, many, points, NEW)).toMatchObject({ differ: 0, wrongNearEdges: 0 });
  });

  it('are limited to types and states', async () => {
    const cells = await open(await published({ types: ['State', 'Congress'], states: ['AA'] }));
    expect(namesOf(await cells.districtsOf({ latitude: 40.2, longitude: -99.9 }))).toEqual([
      'Alpha',
      'Congressional District 1',
    ]);
    expect(await cells.districtsOf(POINTS.beta)).toMatchObject({ districts: [] });
    expect(cells).toMatchObject({ layers: ['CONGRESS', 'STATE'], states: ['AA'] });
  });

  it('are drawn by the lines of a cell, or of a state', async () => {
    const cells = await open(folder);
    const [some, all] = [await cells.linesOf(POINTS.southWest), await cells.linesOf('AA')];
    expect(all.length).toBeGreaterThan(some.length);
    const line = all.find(({ points }) => points.some(([x, y]) => x === -90 && y === 50));
    expect(line?.districts.map(({ state }) => state)).toEqual(expect.arrayContaining(['AA']));
  });
});

describe('who serves the folder', () => {
  it('is asked for the index, a cell and the names of its districts, and for nothing twice', async () => {
    const { fetch: send, requested } = folderFetch(folder);
    const cells = await open(folder, send);
    await cells.districtsOf({ latitude: 42.123456, longitude: -98.654321 });
    await cells.districtsOf({ latitude: 42.1234561, longitude: -98.6543211 });
    expect(requested).toEqual([
      '/index.json',
      expect.stringMatching(/^\/[\da-f]{16}\.bin$/),
      expect.stringMatching(/^\/[\da-f]{16}\.json$/),
    ]);
  });

  it('learns only the state that is prefetched, whatever is looked up in it', async () => {
    const [one, other] = [folderFetch(folder), folderFetch(folder)];
    const random = seeded(24);
    for (const { fetch: send } of [one, other]) {
      const cells = await open(folder, send);
      await cells.prefetch('AA');
      for (let each = 0; each < 200; each++)
        await cells.districtsOf({ latitude: 40.001 + random() * 9.9, longitude: -99.999 + random() * 9.9 });
    }
    expect(one.requested.toSorted()).toEqual(other.requested.toSorted());
  });
});

describe('publishing again', () => {
  it('writes nothing where nothing changed, and only what a changed district is in', async () => {
    const to = await published({});
    const before = (await readdir(to)).sort();
    expect(await publishInto(to)).toMatchObject({ written: [], obsolete: [] });
    const outline = 'MULTIPOLYGON(((-98 47, -97.9 47, -97.9 47.1, -98 47)))';
    await sql`update boundaries set geometry = ST_GeomFromText(${outline}, 4326)
      where district_id = ${WORLD.county}`.execute(database.db);
    const { written, obsolete } = await publishInto(to);
    expect(written).toContain('index.json');
    expect(written.at(-1)).toBe('index.json');
    expect(written.length).toBeLessThan(before.length / 2);
    expect(obsolete.length).toBeGreaterThan(0);
    const after = await readdir(to);
    expect(after).toEqual(expect.arrayContaining(before));
    const index = await readFile(join(to, 'index.json'), 'utf8');
    for (const name of obsolete) expect(index).not.toContain(name.slice(0, 16));
  });

  it('repairs a file that is cut off', async () => {
    const to = await published({});
    const name = (await readdir(to)).find((each) => each.endsWith('.bin')) ?? '';
    await truncate(join(to, name), 3);
    expect(await publishInto(to)).toMatchObject({ written: [name] });
  });

  it('names the sources and the days in the manifest', async () => {
    await sql`insert into sources (id, name, source, license, as_of) overriding system value values (77, 'maps', 'https://maps.example/', 'CC0', '2026-01-01')`.execute(
      database.db,
    );
    await sql`insert into record_sources (source_id, kind, record_id) select 77, 'boundary', id from boundaries limit 1`.execute(
      database.db,
    );
    const manifest = JSON.parse(await readFile(join(await published({ days: [NEW, OLD] }), 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({
      days: [NEW, OLD],
      boundaries: { COUNTRY: 1, CONGRESS: 4 },
      sources: [{ name: 'maps', source: 'https://maps.example/', license: 'CC0', asOf: '2026-01-01' }],
    });
  });

  it.each([
    [{ days: ['1900-01-01'] }, 'No boundary of any type in any state is in effect on 1900-01-01.'],
    [{ types: ['Precinct'] }, 'No boundary of PRECINCT in any state is in effect on 2026-11-03.'],
    [{ states: ['AA', 'WY'] }, 'No boundary of any type in WY is in effect on 2026-11-03.'],
  ] as [Partial<PublishOptions>, string][])('fails where there is nothing: %j', async (options, message) => {
    const to = await mkdtemp(join(parent, 'empty-'));
    await expect(publishInto(to, options)).rejects.toThrow(message);
    expect(await readdir(to)).toEqual([]);
  });

  it('names a folder that is none', async () => {
    const file = join(parent, 'file');
    await writeFile(file, '');
    await expect(publishInto(file)).rejects.toThrow(`FOLDER: ${file} cannot be used: it is not a folder.`);
  });
});

describe('openCells', () => {
  it.each([
    [{ latitude: 91, longitude: 0 }, 'latitude must be a number from -90 to 90'],
    [{ latitude: 0, longitude: -180.1 }, 'longitude must be a number from -180 to 180'],
    [{ latitude: Number.NaN, longitude: 0 }, 'latitude must be a number'],
    [{ latitude: undefined, longitude: 0 }, 'latitude must be a number'],
  ])('rejects the point %j', async (point, message) => {
    const cells = await open(folder);
    await expect(cells.districtsOf(point as { latitude: number; longitude: number })).rejects.toThrow(message);
  });

  it('rejects days and states that are not published', async () => {
    const cells = await open(folder);
    await expect(cells.districtsOf(POINTS.sea, { on: '2024-11-05' })).rejects.toThrow(
      `2024-11-05 is not published: ${NEW}, ${OLD}`,
    );
    for (const state of ['VT', 'constructor'])
      await expect(cells.prefetch(state)).rejects.toThrow(`${state} is not published: AA, BB, CC, US`);
  });

  const answering =
    (status: number, body: string): typeof fetch =>
    async () =>
      new Response(body, { status });
  it.each([
    ['nothing', answering(404, ''), 'http://cells/index.json cannot be loaded: HTTP status 404'],
    ['a page', answering(200, '<!doctype html>'), 'http://cells/index.json is no index of cells of format 1'],
    ['another format', answering(200, '{"format":2}'), 'is no index of cells of format 1'],
    [
      'a broken index',
      answering(200, '{"format":1,"days":[],"layers":[],"states":{},"tree":"xc12"}'),
      'the index is cut off',
    ],
    [
      'no network',
      () => Promise.reject(new TypeError('fetch failed')),
      'http://cells/index.json cannot be loaded: fetch failed',
    ],
  ])('names the address where there is %s', async (_, send, message) => {
    await expect(openCells('http://cells/', { fetch: send })).rejects.toThrow(message);
  });

  it('names a cell that is cut off, and loads it again later', async () => {
    const { fetch: send } = folderFetch(folder);
    let isBroken = true;
    const cells = await open(folder, async (input) => {
      const response = await send(input);
      return isBroken && String(input).endsWith('.bin')
        ? new Response((await response.arrayBuffer()).slice(0, 9))
        : response;
    });
    await expect(cells.districtsOf(POINTS.southWest)).rejects.toThrow(
      /http:\/\/cells\/[\da-f]{16}\.bin cannot be read: it is cut off/,
    );
    isBroken = false;
    expect(namesOf(await cells.districtsOf(POINTS.southWest))).toContain('Alpha');
  });
});
