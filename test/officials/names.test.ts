import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, connect } from '../mcp/client.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { request } from '../support/graph.ts';
import { insert, WORLD } from '../support/world.ts';

/** How people type names, and what each list finds, in the order of its ranks. */
const database = useDatabase();
const service = useApp(database);

const PERSONS: readonly (readonly [name: string, first?: string, last?: string])[] = [
  ['Susan M. Collins', 'Susan', 'Collins'],
  ['Susan Q. Collins', 'Susan', 'Collins'],
  ['Bernard Sanders', 'Bernard', 'Sanders'],
  ['J.D. Vance'],
  ['Rau\u0301l Torrez'],
  ['José Núñez'],
  ['Patrick O’Brien', 'Patrick', 'O’Brien'],
  ["Kay O'Brien"],
  ['Olivia Brien'],
  ['Alexandria Ocasio-Cortez'],
  ['Angus S. King, Jr.'],
  ['Rick Strauß', 'Richard', 'Strauß'],
  ['Łukasz Ægir'],
  ['Oﬃce Weiss'],
  ['William "Zack" Fields'],
  ['王小明'],
  ['Жанна Иванова'],
  ["Ka'ala Hawaiʻi"],
  ['Zed\u200bd Soft\u00adly'],
];
const DISTRICTS = [
  'Doña Ana County',
  'O’Brien County',
  'Cafe\u0301 County',
  'St. Louis County',
  'West County',
  'D.C. Ward 3',
];
const FIRST_ID = 9_001;
let client: Client;
beforeAll(async () => {
  const { db } = database;
  await createElectionWorld(db);
  await insert(
    db,
    'persons',
    PERSONS.map(([name, first_name, last_name], index) => ({ id: FIRST_ID + index, name, first_name, last_name })),
  );
  const person_ids = PERSONS.map((_, index) => FIRST_ID + index);
  await insert(
    db,
    'officeholders',
    person_ids.map((id) => ({
      id,
      person_id: id,
      office_id: WORLD.governor,
      status: 'Current',
      start_date: '2020-01-01',
    })),
  );
  await insert(
    db,
    'candidates',
    person_ids.map((id) => ({ id, person_id: id, race_id: VOTE.governor2024, cand_status: 'On the Ballot' })),
  );
  await insert(
    db,
    'districts',
    DISTRICTS.map((name, index) => ({ id: FIRST_ID + index, type: 'County', name, state: 'DE' })),
  );
  client = await connect(service, service.key('full'));
});
afterAll(() => client.close());

const named = { people: 'name', officeholders: 'person { name }', candidates: 'person { name }' } as const;

async function find(field: string, name: string, args = ''): Promise<string[]> {
  const isFilter = field !== 'people' && field !== 'districts' && field !== 'parties';
  const argument = isFilter ? 'filter: { name: $name }' : 'name: $name';
  const node = field === 'officeholders' || field === 'candidates' ? named[field] : 'name';
  const source = `query ($name: String!) { ${field}(${argument} first: 100 ${args}) { totalCount edges { node { ${node} } } } }`;
  const { data, errors } = await request(database.db, source, { variables: { name } });
  expect(errors ?? []).toEqual([]);
  type Node = { readonly name: string } | { readonly person: { readonly name: string } };
  const found = data?.[field] as { totalCount: number; edges: { node: Node }[] };
  expect(found.totalCount).toBe(found.edges.length);
  return found.edges.map(({ node }) => ('person' in node ? node.person.name : node.name));
}

/** Texts, and the names that they find in order. */
const SPELLINGS: readonly (readonly [text: string, ...found: string[]])[] = [
  ['Susan M Collins', 'Susan M. Collins', 'Susan Q. Collins'],
  ['Susan Collins', 'Susan M. Collins', 'Susan Q. Collins'],
  ['collins, susan', 'Susan M. Collins', 'Susan Q. Collins'],
  ['  SUSAN   coll ', 'Susan M. Collins', 'Susan Q. Collins'],
  ['Sue Collins', 'Susan M. Collins', 'Susan Q. Collins'],
  ['Bernie Sanders', 'Bernard Sanders'],
  ['Bernard Sanders', 'Bernard Sanders'],
  ['JD Vance', 'J.D. Vance'],
  ['J D Vance', 'J.D. Vance'],
  ['j. d. vance', 'J.D. Vance'],
  ['J Vance', 'J.D. Vance'],
  ['Raul Torrez', 'Rau\u0301l Torrez'],
  ['Raúl Torrez', 'Rau\u0301l Torrez'],
  ['JOSÉ NÚÑEZ', 'José Núñez'],
  ['Jose\u0301 Nun\u0303ez', 'José Núñez'],
  ["O'Brien", "Kay O'Brien", 'Patrick O’Brien', 'Olivia Brien'],
  ['O’Brien Patrick', 'Patrick O’Brien'],
  ['OBrien', "Kay O'Brien", 'Patrick O’Brien'],
  ['patrick o´brien', 'Patrick O’Brien'],
  ['Pat O`Brien', 'Patrick O’Brien'],
  ['ocasio cortez', 'Alexandria Ocasio-Cortez'],
  ['Cortez-Ocasio', 'Alexandria Ocasio-Cortez'],
  ['Angus King', 'Angus S. King, Jr.'],
  ['King Jr', 'Angus S. King, Jr.'],
  ['Richard Strauss', 'Rick Strauß'],
  ['Dick STRAUẞ', 'Rick Strauß'],
  ['Lukasz Aegir', 'Łukasz Ægir'],
  ['ＯＦＦＩＣＥ weiß', 'Oﬃce Weiss'],
  ['Zack Fields', 'William "Zack" Fields'],
  ['Bill Fields', 'William "Zack" Fields'],
  ['王小', '王小明'],
  ['Иванова Жанна', 'Жанна Иванова'],
  ['Hawaii', "Ka'ala Hawaiʻi"],
  ["hawai'i kaala", "Ka'ala Hawaiʻi"],
  ['Zedd Softly', 'Zed\u200bd Soft\u00adly'],
  ['ollins'],
  ['Susan Sanders'],
  ["'); drop table persons; --"],
  ['a & !b | c:*'],
  ['x'.repeat(100)],
];

describe.each(['people', 'officeholders', 'candidates'])('%s', (field) => {
  it.each(SPELLINGS)('finds by %j', async (text, ...names) => {
    expect(await find(field, text, 'orderBy: NAME')).toEqual(names);
  });
});

it.each(SPELLINGS)('the tool find_person finds by %j', async (name, ...names) => {
  const { structured } = await call(client, 'find_person', { name });
  expect(structured?.found).toBe(names.length);
  const people = (structured?.people ?? []) as { name: string }[];
  expect(people.map((person) => person.name)).toEqual(names);
});

it.each([
  ['Dona Ana', 'Doña Ana County'],
  ['doña ana', 'Doña Ana County'],
  ['county ana', 'Doña Ana County'],
  ["O'Brien", 'O’Brien County'],
  ['OBrien county', 'O’Brien County'],
  ['Café', 'Cafe\u0301 County'],
  ['CAFE', 'Cafe\u0301 County'],
  ['st louis', 'St. Louis County'],
  [' west county ', 'West County'],
  ['DC ward', 'D.C. Ward 3'],
])('districts finds by %j', async (text, name) => {
  expect(await find('districts', text)).toEqual([name]);
});

it('keeps the rank before the order, in both directions', async () => {
  const order = "Kay O'Brien, Patrick O’Brien, Olivia Brien".split(', ');
  expect(await find('people', "O'Brien", 'orderBy: NAME')).toEqual(order);
  expect(await find('people', "O'Brien", 'orderBy: NAME_DESCENDING')).toEqual([order[1], order[0], order[2]]);
});

it.each(['people', 'districts', 'parties', 'offices', 'officeholders', 'candidates', 'ballotMeasures'])(
  '%s rejects a text without letters and digits by name',
  async (field) => {
    const isFilter = !['people', 'districts', 'parties'].includes(field);
    const name = field === 'ballotMeasures' ? 'text' : 'name';
    for (const text of ['', '   ', "…'—", '%', '💥']) {
      const argument = isFilter ? `filter: { ${name}: ${JSON.stringify(text)} }` : `name: ${JSON.stringify(text)}`;
      const { errors } = await request(database.db, `{ ${field}(${argument}) { totalCount } }`);
      expect(errors?.[0]?.message, text).toMatch(/^(filter\.)?(name|text) must have at least/);
    }
  },
);
