import { beforeAll, describe, expect, it } from 'vitest';
import { districtsOfPoint } from '../../src/graph/districts/districts.store.ts';
import { useDatabase } from '../support/database.ts';
import { contextOf, request } from '../support/graph.ts';
import { boundary, createWorld, insert, POINTS, WORLD } from '../support/world.ts';

const database = useDatabase();
beforeAll(() => createWorld(database.db));

async function idsAt(point: { latitude: number; longitude: number }, on?: string): Promise<number[]> {
  const query = `query ($latitude: Latitude!, $longitude: Longitude!, $on: Date) {
    location(latitude: $latitude, longitude: $longitude) { districts(on: $on) { id: databaseId } }
  }`;
  const { data, errors } = await request(database.db, query, { variables: { ...point, on } });
  expect(errors).toBeUndefined();
  return (data as { location: { districts: { id: number }[] } }).location.districts.map((district) => district.id);
}

describe('the districts of a point', () => {
  it('are sorted from the country down, on the map of the day', async () => {
    expect(await idsAt(POINTS.southWest)).toEqual([WORLD.country, WORLD.alphaFirst, WORLD.alpha, WORLD.county]);
    expect(await idsAt(POINTS.northWest, '2022-06-01')).toEqual([WORLD.country, WORLD.alphaSecond, WORLD.alpha]);
    expect(await idsAt(POINTS.northWest, '2024-06-01')).toEqual([WORLD.country, WORLD.alphaFirst, WORLD.alpha]);
  });

  it.each([
    ['2023-01-02', WORLD.alphaFirst],
    ['2023-01-03', WORLD.alphaSecond],
    ['2023-01-04', WORLD.alphaSecond],
  ])('change to the newer map on the day that two maps share: %s', async (day, congress) => {
    expect(await idsAt(POINTS.southEast, day)).toEqual([WORLD.country, congress, WORLD.alpha]);
  });

  it('are empty before the first map, at sea and at the pole', async () => {
    expect(await idsAt(POINTS.southWest, '1999-12-31')).toEqual([]);
    expect(await idsAt(POINTS.sea)).toEqual([]);
    expect(await idsAt({ latitude: 90, longitude: 0 })).toEqual([]);
  });

  it('are those of both sides on a shared edge, always in the same order', async () => {
    const expected = [WORLD.country, WORLD.alphaSecond, WORLD.alpha, WORLD.beta];
    for (let again = 0; again < 20; again += 1) expect(await idsAt(POINTS.sharedEdge)).toEqual(expected);
  });

  it('are found under both names of the 180th meridian', async () => {
    await insert(database.db, 'districts', [{ id: 90, type: 'Special District', name: 'Far East' }]);
    await boundary(database.db, 90, ['2000-01-01', null], [170, 50, 180, 55]);
    expect(await idsAt({ latitude: 52, longitude: 180 })).toEqual([90]);
    expect(await idsAt({ latitude: 52, longitude: -180 })).toEqual([90]);
    expect(await idsAt({ latitude: 52, longitude: -179 })).toEqual([]);
  });

  it('are assigned to the correct points if many are requested at once', async () => {
    const points = [POINTS.beta, POINTS.sea, POINTS.southWest, POINTS.beta];
    const context = contextOf(database.db);
    const found = await Promise.all(points.map((point) => districtsOfPoint.load(context, point)));
    const names = found.map((districts) => districts.map(({ name }) => name));
    expect(names).toEqual([
      ['Country', 'Beta'],
      [],
      ['Country', 'Congressional District 1', 'Alpha', 'First County'],
      ['Country', 'Beta'],
    ]);
  });
});
