import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, setPackage } from '../../../src/gateway/access/access.store.ts';
import { useApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { createElectionWorld } from '../../support/election-world.ts';
import { ALL_GRANTS, prepare } from '../../support/graph.ts';

const database = useDatabase();
const CONFIGURATIONS = {
  'the planner with the cache': useApp(database, { QUERY_PLANS: 'true', RESPONSE_CACHE_BYTES: '1000000' }),
  'the planner alone': useApp(database, { QUERY_PLANS: 'true', RESPONSE_CACHE_BYTES: '0' }),
  'the resolvers': useApp(database, { QUERY_PLANS: 'false', RESPONSE_CACHE_BYTES: '0' }),
};
const keys = new Map<string, string>();

beforeAll(async () => {
  await createElectionWorld(database.db);
  const without = (...missing: string[]) => ALL_GRANTS.filter((grant) => !missing.includes(grant));
  const packages = {
    all: ALL_GRANTS,
    'without-results': without('results'),
    'without-contact': without('contact', 'boundaries'),
    'without-holders': without('election_districts', 'election_ids'),
    'without-elections': without('elections', 'election_districts'),
    'without-points': without('districts', 'officeholders'),
  };
  for (const [name, grants] of Object.entries(packages)) {
    await setPackage(database.db, { name, grants });
    keys.set(name, await createApiKey(database.db, name));
  }
});

type Service = (typeof CONFIGURATIONS)['the resolvers'];
async function ask({ app }: Service, key: string, query: string, variables = {}, operationName?: string) {
  const headers = { 'x-api-key': keys.get(key) };
  const payload = { query, variables, operationName };
  const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
  expect(response.json().errors).toBeUndefined();
  return response;
}

const POINT = 'latitude: 42, longitude: -98';
const OFFICEHOLDERS = `query ($contact: Boolean = true) { location(${POINT}) { districts { name
  map: boundary { id: databaseId area } offices { officeholders { person { name reach: contacts @include(if: $contact) { type } } ...Contacts } } } } }
  fragment Contacts on Officeholder { contacts { type } contacts { type } }`;
const OFFICES = ['location', 'districts', 'offices', 'officeholders'];
const BALLOT =
  '{ stateBallot(state: "AA", electionDate: "2022-11-08") { edges { node { races { margin candidates { id: databaseId status votes } } } } } }';
const RACES = ['stateBallot', 'edges', 'node', 'races'];

const DISTRICT_ELECTIONS =
  '{ district(databaseId: 10) { elections(from: "2022-01-01") { date databaseId district { name } } } }';

describe.each(Object.entries(CONFIGURATIONS))('with %s', (_, service) => {
  it.each<[string, string, string, object, unknown]>([
    ['nothing', 'all', OFFICEHOLDERS, {}, undefined],
    ['nothing', 'without-results', OFFICEHOLDERS, {}, undefined],
    [
      'every hidden field of a point once',
      'without-contact',
      OFFICEHOLDERS,
      {},
      [
        { grant: 'boundaries', paths: [['location', 'districts', 'map', 'area']] },
        {
          grant: 'contact',
          paths: [
            [...OFFICES, 'person', 'reach'],
            [...OFFICES, 'contacts'],
          ],
        },
      ],
    ],
    [
      'no field that is not included',
      'without-contact',
      OFFICEHOLDERS,
      { contact: false },
      [
        { grant: 'boundaries', paths: [['location', 'districts', 'map', 'area']] },
        { grant: 'contact', paths: [[...OFFICES, 'contacts']] },
      ],
    ],
    [
      'a field that one of several grants would show, and nothing below it',
      'without-points',
      OFFICEHOLDERS,
      {},
      [{ grant: ['districts', 'officeholders'], paths: [['location', 'districts']] }],
    ],
    [
      'the fields of a page, also those of which some values are visible',
      'without-results',
      BALLOT,
      {},
      [
        {
          grant: 'results',
          paths: [
            [...RACES, 'margin'],
            [...RACES, 'candidates', 'status'],
            [...RACES, 'candidates', 'votes'],
          ],
        },
      ],
    ],
    [
      'a list that may omit elections of the district, and what is hidden in the others',
      'without-holders',
      DISTRICT_ELECTIONS,
      {},
      [
        {
          grant: 'election_districts',
          paths: [
            ['district', 'elections'],
            ['district', 'elections', 'district'],
          ],
        },
        { grant: 'election_ids', paths: [['district', 'elections', 'databaseId']] },
      ],
    ],
    [
      'people whom a filter would find by candidacies, and no others',
      'without-elections',
      '{ people(filter: { state: "AA" }) { totalCount } all: people { totalCount } named: people(name: "an", filter: null) { totalCount } }',
      {},
      [{ grant: 'elections', paths: [['people']] }],
    ],
    [
      'the coverage that lacks layers',
      'without-results',
      '{ coverage(state: "AA") { layer } }',
      {},
      [{ grant: 'results', paths: [['coverage']] }],
    ],
    [
      'a list that is null once',
      'without-elections',
      DISTRICT_ELECTIONS,
      {},
      [{ grant: 'elections', paths: [['district', 'elections']] }],
    ],
  ])('a response names %s: %s', async (_, key, query, variables, expected) => {
    // The second response is from the cache, if there is one.
    const [first, second] = [await ask(service, key, query, variables), await ask(service, key, query, variables)];
    expect(first.json().extensions).toEqual(expected && { notInPackage: expected });
    expect(second.body).toBe(first.body);
  });

  it('a response is the same whether a hidden value exists or not', async () => {
    const query =
      '{ location(latitude: 0, longitude: 0) { districts { offices { officeholders { contacts { type } } } } } }';
    const nowhere = await ask(service, 'without-contact', query);
    expect(nowhere.json()).toEqual({
      data: { location: { districts: [] } },
      extensions: { notInPackage: [{ grant: 'contact', paths: [[...OFFICES, 'contacts']] }] },
    });
    const before = await ask(service, 'without-results', BALLOT);
    await sql`update candidates set votes_for_cand = null, cand_status = null where cand_status = 'Won'`.execute(
      database.db,
    );
    await ask(service, 'all', BALLOT);
    expect((await ask(service, 'without-results', BALLOT)).body).toBe(before.body);
  });

  it('names the fields of the executed operation only', async () => {
    const query = 'query A { people(name: "an") { totalCount } } query B { race(databaseId: 1) { margin } }';
    expect((await ask(service, 'without-results', query, {}, 'A')).json().extensions).toBeUndefined();
    expect((await ask(service, 'without-results', query, {}, 'B')).json().extensions).toEqual({
      notInPackage: [{ grant: 'results', paths: [['race', 'margin']] }],
    });
  });

  it('several points have the paths once', async () => {
    const query = `{ locations(points: [{ ${POINT} }, { ${POINT} }]) { latitude districts { boundary { area } } } }`;
    const { data, extensions } = (await ask(service, 'without-contact', query)).json();
    expect(data.locations).toHaveLength(2);
    expect(extensions.notInPackage).toEqual([
      { grant: 'boundaries', paths: [['locations', 'districts', 'boundary', 'area']] },
    ]);
  });
});

it('lists at most 100 paths', () => {
  const fields = Array.from({ length: 150 }, (_, index) => `c${index}: margin`);
  const { findNotInPackage } = prepare(`{ race(databaseId: 1) { ${fields.join(' ')} } }`).analysis;
  const found = findNotInPackage({}, new Set(['elections']));
  expect(found?.notInPackage).toMatchObject([{ grant: 'results' }]);
  expect(found?.notInPackage[0]?.paths).toHaveLength(100);
});

it('returns nothing for operations that the executor rejects', () => {
  const { findNotInPackage } = prepare(
    'query Margin($if: Boolean!) { race(id: 1) { margin @include(if: $if) } }',
  ).analysis;
  const grants = new Set(['elections'] as const);
  const found = (operationName: string, condition: unknown) =>
    findNotInPackage({ operationName, variableValues: { if: condition } }, grants)?.notInPackage;
  expect(found('Margin', true)).toMatchObject([{ grant: 'results', paths: [['race', 'margin']] }]);
  expect(found('Margin', false)).toBeUndefined();
  expect(found('Margin', 'true')).toBeUndefined();
  expect(found('Unknown', true)).toBeUndefined();
});

it('reads a fragment once for each object, however often it is spread', () => {
  const doubled = Array.from({ length: 30 }, (_, n) => `fragment F${n} on Race { ...F${n + 1} ...F${n + 1} }`);
  const { findNotInPackage } = prepare(
    `{ race(databaseId: 1) { ...F0 again: margin } } ${doubled.join(' ')} fragment F30 on Race { margin }`,
  ).analysis;
  const paths = [
    ['race', 'margin'],
    ['race', 'again'],
  ];
  expect(findNotInPackage({}, new Set(['elections']))).toEqual({ notInPackage: [{ grant: 'results', paths }] });
});

it('ignores the conditions of other operations of the document', () => {
  const { findNotInPackage } = prepare(`
    query Margin { race(id: 1) { margin } }
    query Optional($if: Boolean!) { race(id: 1) { margin @include(if: $if) } }
  `).analysis;
  const found = findNotInPackage({ operationName: 'Margin', variableValues: {} }, new Set(['elections']));
  expect(found?.notInPackage).toMatchObject([{ paths: [['race', 'margin']] }]);
});
