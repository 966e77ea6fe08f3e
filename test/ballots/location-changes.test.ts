import { beforeAll, describe, expect, it } from 'vitest';
import type { DistrictType } from '../../src/store/sql/tables.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { type ExecuteOptions, request } from '../support/graph.ts';
import { nameOf, recordStatements } from '../support/statements.ts';
import { boundary, insert, POINTS, WORLD } from '../support/world.ts';

const database = useDatabase();

const [CITY, OTHER_CITY, OLD_SCHOOLS, NEW_SCHOOLS, ENDED] = [300, 301, 302, 303, 304];

beforeAll(async () => {
  await createElectionWorld(database.db);
  const district = (id: number, type: DistrictType) => ({ id, type, name: `District ${id}`, state: 'AA' });
  await insert(database.db, 'districts', [
    district(CITY, 'City-town'),
    district(OTHER_CITY, 'City-town'),
    district(OLD_SCHOOLS, 'School District'),
    district(NEW_SCHOOLS, 'School District'),
    district(ENDED, 'Special District'),
  ]);
  // A city that annexed the north-west in 2015 and lost it in 2018, and another one elsewhere.
  await boundary(database.db, OTHER_CITY, ['2000-01-01', null], [-92, 41, -91, 42]);
  await boundary(database.db, CITY, ['2015-01-01', '2018-01-01'], [-99, 47, -97, 49]);
  await boundary(database.db, CITY, ['2018-01-01', null], [-99, 47, -98.5, 49]);
  // A gap of two years between two maps.
  await boundary(database.db, OLD_SCHOOLS, ['2005-07-01', '2012-06-30'], [-99, 47, -97, 49]);
  await boundary(database.db, NEW_SCHOOLS, ['2014-07-01', null], [-99, 47, -97, 49]);
  // A district that ends without a successor of its own on the day on which another one begins.
  await boundary(database.db, ENDED, ['2001-01-01', '2009-03-01'], [-99, 47, -97, 49]);
  await insert(database.db, 'districts', [district(305, 'Special District')]);
  await boundary(database.db, 305, ['2009-03-01', null], [-99, 47, -97, 49]);
});

interface Change {
  day: string;
  kind: string;
  before: { district: { databaseId: number } }[];
  after: { district: { databaseId: number } }[];
}
interface Layer {
  type: string;
  state: string | null;
  isCovered: boolean;
  changes: Change[];
}

const FIELDS = `type state isCovered changes { day kind before { district { databaseId } boundary { startDate } }
  after { district { databaseId } boundary { startDate } } }`;

async function layersAt(point: object, range = '', options: ExecuteOptions = {}): Promise<Layer[]> {
  const source = `query ($latitude: Latitude!, $longitude: Longitude!) {
    location(latitude: $latitude, longitude: $longitude) { changes${range && `(${range})`} { ${FIELDS} } } }`;
  const { data, errors } = await request(database.db, source, { ...options, variables: { ...point } });
  expect(errors).toBeUndefined();
  return (data as { location: { changes: Layer[] } }).location.changes;
}

const idsOf = (districts: Change['before']) => districts.map(({ district }) => district.databaseId);
const changesIn = (layers: readonly Layer[], type: string) =>
  layers
    .find((layer) => layer.type === type)
    ?.changes.map(({ day, kind, before, after }) => [day, kind, idsOf(before), idsOf(after)]);

describe('the changes of a point', () => {
  it('are a move or none, on the day on which the newer map begins', async () => {
    const range = 'from: "2020-01-01", to: "2025-01-01"';
    const [north, west] = [await layersAt(POINTS.northWest, range), await layersAt(POINTS.southWest, range)];
    expect(changesIn(north, 'CONGRESS')).toEqual([[WORLD.redrawn, 'MOVED', [WORLD.alphaSecond], [WORLD.alphaFirst]]]);
    expect(changesIn(west, 'CONGRESS')).toEqual([[WORLD.redrawn, 'STAYED', [WORLD.alphaFirst], [WORLD.alphaFirst]]]);
    expect(changesIn(west, 'STATE')).toEqual([]);
    expect(west.map(({ type, isCovered }) => [type, isCovered])).toEqual([
      ['COUNTRY', true],
      ['CONGRESS', true],
      ['STATE', true],
      ['COUNTY', true],
    ]);
  });

  it('are unknown where no map of the layer is loaded, and not where the map has no district at the point', async () => {
    const layers = await layersAt(POINTS.northWest);
    expect(changesIn(layers, 'CONGRESS')?.[0]).toEqual(['2013-01-03', 'NO_DATA', [], [WORLD.alphaSecond]]);
    expect(changesIn(layers, 'CITY_TOWN')).toEqual([
      ['2015-01-01', 'ENTERED', [], [CITY]],
      ['2018-01-01', 'LEFT', [CITY], []],
    ]);
    expect(changesIn(layers, 'SCHOOL_DISTRICT')).toEqual([
      ['2005-07-01', 'NO_DATA', [], [OLD_SCHOOLS]],
      ['2012-07-01', 'NO_DATA', [OLD_SCHOOLS], []],
      ['2014-07-01', 'NO_DATA', [], [NEW_SCHOOLS]],
    ]);
    expect(changesIn(layers, 'SPECIAL_DISTRICT')?.[1]).toEqual(['2009-03-01', 'MOVED', [ENDED], [305]]);
  });

  it('say whether a district is known for the whole range', async () => {
    const covered = async (range: string) =>
      (await layersAt(POINTS.northWest, range)).filter(({ isCovered }) => isCovered).map(({ type }) => type);
    expect(await covered('from: "1990-01-01", to: "1991-01-01"')).toEqual([]);
    expect(await covered('from: "2013-01-01", to: "2013-06-01"')).not.toContain('SCHOOL_DISTRICT');
    expect(await covered('from: "2014-07-01"')).toContain('SCHOOL_DISTRICT');
    expect(await covered('from: "2014-07-01"')).not.toContain('CITY_TOWN');
  });

  it('agree with the districts of each day', async () => {
    for (const point of [POINTS.northWest, POINTS.southEast, POINTS.sharedEdge]) {
      const layers = await layersAt(point);
      for (const { type, changes } of layers) {
        for (const { day, after } of changes) {
          const { data } = await request(
            database.db,
            `query ($latitude: Latitude!, $longitude: Longitude!, $on: Date) {
              location(latitude: $latitude, longitude: $longitude) { districts(on: $on, types: [${type}]) { databaseId state } } }`,
            { variables: { ...point, on: day } },
          );
          const found = (data as { location: { districts: { databaseId: number }[] } }).location.districts;
          for (const id of idsOf(after)) expect(found.map(({ databaseId }) => databaseId)).toContain(id);
        }
      }
    }
  });

  it('refuse a range without a day', async () => {
    const { errors } = await request(
      database.db,
      '{ location(latitude: 42, longitude: -98) { changes(from: "2024-01-02", to: "2024-01-01") { type } } }',
    );
    expect(errors?.[0]?.message).toBe('from must not be after to: 2024-01-02 is after 2024-01-01.');
  });
});

describe('a change', () => {
  const source = `query ($points: [PointInput!]!) { locations(points: $points) { changes(from: "2020-01-01") { type changes {
    day kind officeholdersBefore { databaseId } officeholdersAfter { databaseId }
    firstRace { databaseId election { date } boundary { reason referenceDay } } } } } }`;
  const read = async (points: readonly object[], options: ExecuteOptions = {}, db = database.db) => {
    const { data, errors } = await request(db, source, { ...options, variables: { points } });
    expect(errors).toBeUndefined();
    return (data as { locations: { changes: { type: string; changes: object[] }[] }[] }).locations.map(
      ({ changes }) => changes.find(({ type }) => type === 'CONGRESS')?.changes[0],
    );
  };

  it('says who held and who holds, and which election already used the newer map', async () => {
    const [northWest, southEast] = await read([POINTS.northWest, POINTS.southEast]);
    // The second district has no known officeholder on the day before.
    expect(northWest).toEqual({
      day: WORLD.redrawn,
      kind: 'MOVED',
      officeholdersBefore: [],
      officeholdersAfter: [{ databaseId: 4 }],
      firstRace: {
        databaseId: VOTE.regularFirst,
        election: { date: VOTE.date2022 },
        boundary: { reason: 'SWORN_IN_AFTER_END_OF_OLDER_MAP', referenceDay: WORLD.redrawn },
      },
    });
    expect(southEast).toMatchObject({
      kind: 'MOVED',
      officeholdersBefore: [{ databaseId: 3 }],
      officeholdersAfter: [{ databaseId: 5 }],
      firstRace: { boundary: { reason: 'SWEARING_IN_DATE_NOT_KNOWN' } },
    });
  });

  it('needs the grants of people and elections for them only', async () => {
    const [found] = await read([POINTS.northWest], { grants: ['districts'] });
    expect(found).toMatchObject({
      kind: 'MOVED',
      officeholdersBefore: null,
      officeholdersAfter: null,
      firstRace: null,
    });
  });

  it('takes the same statements for any number of points', async () => {
    const statements = async (points: readonly object[]) => {
      const recorded = recordStatements(database);
      await read(points, {}, recorded.db);
      return recorded.take().map(nameOf).sort();
    };
    const one = await statements([POINTS.northWest]);
    const random = Array.from({ length: 60 }, (_, index) => ({
      latitude: 40.5 + (index % 10),
      longitude: -99.5 + Math.floor(index / 10) * 1.5,
    }));
    expect(await statements(random)).toEqual(one);
    expect(one.length).toBeLessThan(9);
  });
});
