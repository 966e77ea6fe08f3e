import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { recordStatements } from '../support/statements.ts';
import { createWorld, POINTS } from '../support/world.ts';

const database = useDatabase();
beforeAll(() => createWorld(database.db));

const TREE = `query ($points: [PointInput!]!) {
  locations(points: $points) {
    districtsWithBoundary { id boundary { startDate precise } district {
      id name type
      offices {
        name
        officeholders {
          status
          party { name }
          person { name contacts { value } socialLinks { url } }
          contacts { value }
          socialLinks { url }
        }
      }
    } }
  }
}`;

/** Every second point is in Alpha, so that any number of points above one leads to the same offices. */
const points = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const { latitude, longitude } = index % 2 ? POINTS.beta : POINTS.southWest;
    return { latitude: latitude + index / 1000, longitude };
  });

async function statementsFor(count: number): Promise<string[]> {
  const recorded = recordStatements(database);
  const { errors } = await request(recorded.db, TREE, { variables: { points: points(count) } });
  expect(errors).toBeUndefined();
  return recorded.take().sort();
}

it('runs the same statements for 1, 10 and 100 points', async () => {
  const one = await statementsFor(1);
  expect(one).toMatchSnapshot();
  expect(await statementsFor(10)).toEqual(one);
  expect(await statementsFor(100)).toEqual(one);
});

it('does not read fields that are not selected or not granted', async () => {
  const recorded = recordStatements(database);
  const one = { variables: { points: points(1) } };
  await request(
    recorded.db,
    'query ($points: [PointInput!]!) { locations(points: $points) { districtsWithBoundary { district { name } boundary { startDate } } } }',
    one,
  );
  expect(recorded.take()).toHaveLength(1);
  await request(recorded.db, TREE, { ...one, grants: ['districts'] });
  expect(recorded.take()).toHaveLength(1);
  await request(recorded.db, TREE, { ...one, grants: ['officeholders'] });
  expect(recorded.take().filter((statement) => statement.includes('contacts'))).toEqual([]);
});

it('reads a selection in one statement with the same result, alone, twice, and below a list', async () => {
  const { latitude, longitude } = POINTS.southWest;
  const selection = '{ districts { id: databaseId name boundary { startDate } offices { name } } }';
  const point = `latitude: ${latitude}, longitude: ${longitude}`;
  const read = async (document: string) => {
    const recorded = recordStatements(database);
    const { data, errors } = await request(recorded.db, document);
    expect(errors).toBeUndefined();
    return { data: JSON.parse(JSON.stringify(data)), statements: recorded.take().length };
  };
  const alone = await read(`{ location(${point}) ${selection} }`);
  const twice = await read(`{ location(${point}) ${selection} other: location(${point}) ${selection} }`);
  const listed = await read(`{ locations(points: [{ ${point} }, { ${point} }]) ${selection} }`);
  expect(alone.data.location.districts.length).toBeGreaterThan(1);
  expect(twice.data).toEqual({ location: alone.data.location, other: alone.data.location });
  expect(listed.data.locations).toEqual([alone.data.location, alone.data.location]);
  expect([twice.statements, listed.statements]).toEqual([alone.statements, alone.statements]);
});
