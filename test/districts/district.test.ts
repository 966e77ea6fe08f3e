import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { globalId } from '../../src/graph/builder/global-id.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { recordStatements } from '../support/statements.ts';
import { createWorld, WORLD } from '../support/world.ts';

const database = useDatabase();
beforeAll(() => createWorld(database.db));

describe('district', () => {
  it.each([
    ['databaseId: 10', WORLD.alpha],
    [`id: "${globalId('District', WORLD.alpha)}"`, WORLD.alpha],
    ['ocdId: "ocd-division/country:us/state:aa"', WORLD.alpha],
    ['geoId: "0400000US91"', WORLD.alpha],
    ['geoId: "91"', WORLD.alpha],
    ['geoId: "92"', WORLD.beta],
    ['geoId: "0400000US92"', WORLD.beta],
    ['geoId: "5001800US9101"', WORLD.alphaFirst],
    ['geoId: "5001900US9101"', WORLD.alphaFirst],
  ])('is found by %s', async (identifier, id) => {
    expect(
      await request(database.db, `{ own: district(${identifier}) { id } by: district(by: { ${identifier} }) { id } }`),
    ).toEqual({ data: { own: { id: globalId('District', id) }, by: { id: globalId('District', id) } } });
  });

  it.each([
    'databaseId: 99',
    'ocdId: "ocd-division/country:us/state:zz"',
    'geoId: "0500000US92"',
    'geoId: "6101900US9101"',
    'geoId: "5001943US9101"',
    'geoId: ""',
  ])('is null for %s', async (identifier) => {
    expect(await request(database.db, `{ district(${identifier}) { id: databaseId } }`)).toEqual({
      data: { district: null },
    });
  });

  it('lists the candidates for an ambiguous short GEOID', async () => {
    const { errors } = await request(database.db, '{ district(geoId: "9101") { id: databaseId } }');
    expect(errors?.[0]?.message).toMatch(
      /Several districts have the GEOID 9101: 5001800US9101 \(Congress, databaseId 20\), 0500000US9101/,
    );
  });

  it('lists the districts with the same OCD id', async () => {
    const alphaFirst = database.db.updateTable('districts').where('id', '=', WORLD.alphaFirst);
    onTestFinished(async () => {
      await alphaFirst.set({ ocdid: null }).execute();
    });
    await alphaFirst.set({ ocdid: 'ocd-division/country:us/state:aa' }).execute();
    const { errors } = await request(
      database.db,
      '{ district(ocdId: "ocd-division/country:us/state:aa") { id: databaseId } }',
    );
    expect(errors?.[0]?.message).toBe(
      'Several districts have this OCD id: State, databaseId 10; Congress, databaseId 20. Use the databaseId.',
    );
  });

  it('has boundaries of all periods, newest first, and the one of a day', async () => {
    const query =
      '{ district(databaseId: 20) { boundaries { startDate endDate } boundary { startDate } old: boundary(on: "2020-01-01") { startDate } none: boundary(on: "2000-01-01") { id: databaseId } } }';
    expect(await request(database.db, query)).toEqual({
      data: {
        district: {
          boundaries: [
            { startDate: '2023-01-03', endDate: null },
            { startDate: '2013-01-03', endDate: '2023-01-03' },
          ],
          boundary: { startDate: '2023-01-03' },
          old: { startDate: '2013-01-03' },
          none: null,
        },
      },
    });
  });

  it('shows extent and geometry of a boundary, simplified on demand', async () => {
    const query =
      '{ district(databaseId: 10) { boundary { precise area boundingBox { west south east north } geometry simple: geometry(tolerance: 1000) } } }';
    const { data } = await request(database.db, query);
    const { boundary } = (data as { district: { boundary: Record<string, unknown> } }).district;
    expect(boundary).toMatchObject({
      precise: true,
      boundingBox: { west: -100, south: 40, east: -90, north: 50 },
      geometry: {
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [-100, 40],
              [-100, 50],
              [-90, 50],
              [-90, 40],
              [-100, 40],
            ],
          ],
        ],
      },
      simple: { type: expect.stringMatching(/Polygon$/) },
    });
    // The zone between two parallels on a sphere of the Earth's size, within half a percent of the ellipsoid.
    const sphere =
      6371.01 ** 2 * ((10 * Math.PI) / 180) * (Math.sin((50 * Math.PI) / 180) - Math.sin((40 * Math.PI) / 180));
    expect(Math.abs((boundary.area as number) / sphere - 1)).toBeLessThan(0.005);
  });
});

describe('districts', () => {
  const page = (args: string) =>
    request(
      database.db,
      `{ districts${args} { edges { cursor node { id: databaseId } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
    ).then(({ data, errors }) => {
      expect(errors).toBeUndefined();
      return (
        data as {
          districts: {
            edges: { cursor: string; node: { id: number } }[];
            pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string };
          };
        }
      ).districts;
    });
  const idsOf = (found: Awaited<ReturnType<typeof page>>) => found.edges.map((edge) => edge.node.id);
  const inOrder = [WORLD.country, WORLD.alphaFirst, WORLD.alphaSecond, WORLD.alpha, WORLD.beta, WORLD.county];

  it('are sorted from the country down, then by name', async () => {
    expect(idsOf(await page(''))).toEqual(inOrder);
  });

  it.each([
    ['(state: "aa")', [WORLD.alphaFirst, WORLD.alphaSecond, WORLD.alpha]],
    ['(types: [STATE])', [WORLD.alpha, WORLD.beta]],
    ['(types: [])', []],
    ['(name: "DISTRICT 2")', [WORLD.alphaSecond]],
    ['(name: "2%")', [WORLD.alphaSecond]],
    ['(state: "AA", types: [STATE, COUNTY], name: "al")', [WORLD.alpha]],
    ['(state: "zz")', []],
  ])('match the filters %s', async (args, ids) => {
    expect(idsOf(await page(args))).toEqual(ids);
  });

  it('are paged, each returned once', async () => {
    const seen: number[] = [];
    let after = '';
    for (;;) {
      const found = await page(`(first: 2${after})`);
      seen.push(...idsOf(found));
      expect(found.pageInfo.hasPreviousPage).toBe(after !== '');
      if (!found.pageInfo.hasNextPage) break;
      after = `, after: ${JSON.stringify(found.pageInfo.endCursor)}`;
    }
    expect(seen).toEqual(inOrder);
  });

  it('are counted only if the count is selected', async () => {
    const recorded = recordStatements(database);
    await request(recorded.db, '{ districts(first: 1) { edges { node { id: databaseId } } } }');
    expect(recorded.take()).toHaveLength(1);
    expect(await request(recorded.db, '{ districts(first: 1, state: "AA") { totalCount } }')).toEqual({
      data: { districts: { totalCount: 3 } },
    });
    expect(recorded.take().filter((statement) => statement.includes('count('))).toHaveLength(1);
  });
});
