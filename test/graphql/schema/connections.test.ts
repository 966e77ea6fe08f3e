import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { globalId } from '../../../src/graph/builder/global-id.ts';
import type { AccessGrant } from '../../../src/store/sql/tables.ts';
import { useDatabase } from '../../support/database.ts';
import { createElectionWorld, VOTE } from '../../support/election-world.ts';
import { ALL_GRANTS, request } from '../../support/graph.ts';
import { recordStatements } from '../../support/statements.ts';
import { insert, WORLD } from '../../support/world.ts';

const database = useDatabase();
beforeAll(async () => {
  await createElectionWorld(database.db);
  // Two of them have the same name.
  const names = ['Abe Abbot', 'Abel Moss', 'Abel Moss', 'Gabe Abbey', 'Abraham Green', 'Abraham Abbot'];
  await insert(
    database.db,
    'persons',
    names.map((name, index) => ({ id: 70 + index, name })),
  );
});

interface Page {
  totalCount: number;
  edges: { cursor: string; node: Record<string, unknown> }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

async function page(field: string, args: string, grants: readonly AccessGrant[] = ALL_GRANTS): Promise<Page> {
  const source = `{ ${field}${args && `(${args})`} {
    totalCount edges { cursor node { __typename } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
  const { data, errors } = await request(database.db, source, { grants });
  expect(errors).toBeUndefined();
  return data?.[field] as Page;
}

/** The position in a cursor ends with the number of the record, of an election with its key. */
const idOf = (cursor: string): number => JSON.parse(Buffer.from(cursor, 'base64url').toString()).at(-1);
const idsOf = ({ edges }: Page) => edges.map(({ cursor }) => idOf(cursor));
const ids = async (field: string, args = '') => idsOf(await page(field, args));

/** The connections with the orders that they have, the default first. */
const CONNECTIONS = [
  ['districts', ['TYPE', 'NAME'], ''],
  ['people', ['NAME', 'LAST_NAME'], ''],
  ['people', ['NAME'], 'name: "ab"'],
  ['offices', ['BALLOT', 'NAME'], ''],
  ['officeholders', ['BALLOT', 'NAME'], ''],
  ['parties', ['CODE', 'NAME'], ''],
  ['elections', ['DATE'], ''],
  ['races', ['DATE', 'BALLOT'], ''],
  ['candidates', ['NAME', 'DATE'], ''],
  ['ballotMeasures', ['DATE', 'NAME'], ''],
] as const;
/** Each connection in each of its orders, and descending. */
const ORDERED = [
  ...CONNECTIONS,
  // Those found by another form of the name come last in both directions.
  ['people', ['NAME', 'LAST_NAME'], 'name: "abe"'] as const,
].flatMap(([field, orders, args]) => [
  [field, args] as const,
  ...orders.flatMap((order) =>
    [order, `${order}_DESCENDING`].map((each) => [field, `${args} orderBy: ${each}`.trim()] as const),
  ),
]);

/** Reads all pages in one direction, and returns the ids in list order. */
async function walk(field: string, args: string, size: number, isBackward: boolean): Promise<number[]> {
  const found: number[] = [];
  let cursor: string | null = null;
  for (;;) {
    const bounds: string = cursor === null ? '' : `${isBackward ? 'before' : 'after'}: "${cursor}"`;
    const next: Page = await page(field, `${args} ${isBackward ? 'last' : 'first'}: ${size} ${bounds}`);
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = next.pageInfo;
    expect([startCursor, endCursor]).toEqual([next.edges[0]?.cursor, next.edges.at(-1)?.cursor]);
    expect(isBackward ? hasNextPage : hasPreviousPage).toBe(cursor !== null);
    if (isBackward) found.unshift(...idsOf(next));
    else found.push(...idsOf(next));
    if (!(isBackward ? hasPreviousPage : hasNextPage)) return found;
    cursor = isBackward ? startCursor : endCursor;
  }
}

describe('a connection', () => {
  it.each(ORDERED)('%s (%s) has the same records on pages of any size, in both directions', async (field, args) => {
    const all = await page(field, `${args} first: 100`);
    expect(all.totalCount).toBe(all.edges.length);
    expect(all.edges.length).toBeGreaterThan(3);
    expect(new Set(idsOf(all)).size).toBe(all.edges.length);
    for (const size of [1, 2, 3]) {
      for (const isBackward of [false, true]) expect(await walk(field, args, size, isBackward)).toEqual(idsOf(all));
    }
  });

  it.each(CONNECTIONS.flatMap(([field, orders, args]) => orders.map((order) => [field, order, args] as const)))(
    '%s is sorted by %s and reversed by the same descending',
    async (field, order, args) => {
      const ascending = await ids(field, `${args} orderBy: ${order}`);
      expect(await ids(field, `${args} orderBy: ${order}_DESCENDING`)).toEqual(ascending.reverse());
    },
  );

  it('uses its first order by default', async () => {
    for (const [field, [order], args] of CONNECTIONS) {
      const all = await ids(field, args);
      expect(all).toEqual(await ids(field, `${args} orderBy: ${order}`));
      const hasFilter = field !== 'parties' && field !== 'districts';
      expect(await ids(field, `${args} orderBy: null ${hasFilter ? 'filter: null' : ''}`)).toEqual(all);
    }
  });

  it('sorts people by family name, those without one by full name', async () => {
    const rows = await database.db.selectFrom('persons').selectAll().execute();
    expect(new Set(rows.map(({ last_name }) => last_name === null))).toEqual(new Set([true, false]));
    const key = ({ id, name, last_name }: (typeof rows)[number]) => [last_name ?? name, name, id] as const;
    const sorted = rows.toSorted((one, other) => {
      const [a, b] = [key(one), key(other)];
      const index = a.findIndex((part, each) => part !== b[each]);
      return (a[index] as string | number) < (b[index] as string | number) ? -1 : 1;
    });
    expect(await ids('people', 'orderBy: LAST_NAME')).toEqual(sorted.map(({ id }) => id));
  });

  it('has no edges outside of both cursors', async () => {
    const { edges } = await page('races', 'first: 100');
    const [start, end] = [edges[1]?.cursor, edges[5]?.cursor];
    const between = edges.slice(2, 5).map(({ cursor }) => idOf(cursor));
    for (const size of ['first: 10', 'last: 10', 'first: 3']) {
      const found = await page('races', `${size} after: "${start}" before: "${end}"`);
      expect(idsOf(found)).toEqual(between);
    }
    expect(await ids('races', `last: 2 after: "${start}" before: "${end}"`)).toEqual(between.slice(1));
    expect(await ids('races', `first: 10 after: "${end}" before: "${start}"`)).toEqual([]);
  });

  it.each([
    ['first: 1 last: 1', 'Give first or last, not both.'],
    ['last: -1', 'last must be from 0 to 100, not -1.'],
    ['last: 101', 'last must be from 0 to 100'],
    ['first: -1', 'first must be from 0 to 100'],
    ['before: "no"', 'before must be a cursor'],
    ['after: "no"', 'after must be a cursor'],
    ...[
      ['2024-11-05', 1.5],
      ['2024-11-05', 2 ** 31],
      ['2024-02-30', 1],
      ['infinity', 1],
      ['2024-11-05'],
      ['2024-11-05', 1, 2],
      [1, 1],
    ].map((position) => [
      `after: "${Buffer.from(JSON.stringify(position)).toString('base64url')}"`,
      'after must be a cursor that this connection returned.',
    ]),
    ['filter: { state: "Vermont" }', 'state must be a two-letter abbreviation'],
    ['filter: { district: "10" }', 'district must be a global ID'],
    [`filter: { district: "${globalId('Office', 100)}" }`, 'this is one of the type Office'],
    ['filter: { from: "2024-01-02", to: "2024-01-01" }', 'from must not be after to: 2024-01-02 is after 2024-01-01.'],
  ])('rejects %s', async (args, message) => {
    const { data, errors } = await request(database.db, `{ races(${args}) { totalCount } }`);
    expect(data).toEqual({ races: null });
    expect(errors?.[0]?.message).toContain(message);
  });

  it('is read in one statement, and counted in another only if the total is selected', async () => {
    const recorded = recordStatements(database);
    for (const [field, , args] of CONNECTIONS) {
      const given = args && `(${args})`;
      await request(recorded.db, `{ ${field}${given} { edges { cursor node { __typename } } } }`);
      expect(recorded.take(), field).toHaveLength(1);
      await request(recorded.db, `{ ${field}${given} { totalCount edges { cursor } } }`);
      expect(recorded.take(), field).toHaveLength(2);
    }
  });
});

describe('an import between two pages', () => {
  /** Records that an import adds before and after the first page, in every order of races, and one that it removes. */
  const added = [660, 661, 662];
  afterAll(() => database.db.deleteFrom('races').where('id', 'in', added).execute());

  it.each([false, true])('neither repeats nor omits races (backward: %s)', async (isBackward) => {
    const before = await ids('races', 'first: 100');
    const [edge, bound] = isBackward ? ['last', 'before'] : ['first', 'after'];
    const one = await page('races', `${edge}: 4`);
    const removed = VOTE.withoutCandidates;
    const row = await database.db.selectFrom('races').selectAll().where('id', '=', removed).executeTakeFirstOrThrow();
    await database.db
      .deleteFrom('races')
      .where('id', 'in', [...added, removed])
      .execute();
    await insert(
      database.db,
      'races',
      [VOTE.alpha2022, VOTE.alphaPrimary2024, VOTE.beta2024].map((election_id, index) => ({
        ...{ ...row, id: added[index] as number, election_id, office_position: 'Added' },
      })),
    );
    const cursor = isBackward ? one.pageInfo.startCursor : one.pageInfo.endCursor;
    const rest = await ids('races', `${edge}: 100 ${bound}: "${cursor}"`);
    const read = isBackward ? [...rest, ...idsOf(one)] : [...idsOf(one), ...rest];
    const inBoth = before.filter((id) => id !== removed);
    expect(new Set(read).size).toBe(read.length);
    expect(read.filter((id) => inBoth.includes(id))).toEqual(inBoth);
    expect(read.filter((id) => added.includes(id)).length).toBeGreaterThan(0);
    await insert(database.db, 'races', [row]);
    await database.db.deleteFrom('races').where('id', 'in', added).execute();
  });

  it('continues after the last record of a page although it was removed', async () => {
    const all = await ids('races', 'first: 100');
    const one = await page('races', 'first: 5');
    const last = idOf(one.pageInfo.endCursor ?? '');
    expect(last).toBe(VOTE.withoutCandidates);
    const row = await database.db.selectFrom('races').selectAll().where('id', '=', last).executeTakeFirstOrThrow();
    await database.db.deleteFrom('races').where('id', '=', last).execute();
    expect(await ids('races', `after: "${one.pageInfo.endCursor}"`)).toEqual(all.slice(5));
    await insert(database.db, 'races', [row]);
  });
});

describe('filters', () => {
  it.each([
    ['offices', 'state: "aa"', [WORLD.governor, WORLD.firstSeat, WORLD.secondSeat]],
    ['offices', 'levels: [FEDERAL], branches: [LEGISLATIVE]', [WORLD.firstSeat, WORLD.secondSeat]],
    ['offices', 'chambers: [LOWER]', [WORLD.firstSeat, WORLD.secondSeat]],
    ['offices', 'chambers: []', []],
    ['offices', 'districtTypes: [COUNTRY, STATE], name: "GOV"', [WORLD.governor, WORLD.vacant]],
    ['offices', 'state: "ZZ"', []],
    ['offices', `district: "${globalId('District', WORLD.alpha)}"`, [WORLD.governor]],
    ['races', `district: "${globalId('District', WORLD.beta)}"`, [VOTE.betaGovernor]],
    ['races', `district: "${globalId('District', 'x')}"`, []],
    ['candidates', `district: "${globalId('District', WORLD.alphaSecond)}"`, [805]],
    ['ballotMeasures', `district: "${globalId('District', WORLD.county)}"`, [VOTE.roads, VOTE.parks]],
    ['officeholders', 'state: "AA"', [2, 4, 5]],
    ['officeholders', 'state: "AA", on: "2022-06-01"', [2, 3]],
    ['officeholders', 'parties: [1, 2]', [1, 5]],
    ['officeholders', 'name: "DOG"', [4]],
    ['officeholders', 'chambers: [LOWER], on: "2023-01-03"', [4, 5]],
    ['races', `from: "${VOTE.primary2024}", to: "${VOTE.primary2024}"`, [VOTE.primaryFirst]],
    ['races', 'state: "BB"', [VOTE.betaGovernor]],
    ['races', 'stages: ["primary"]', [VOTE.primaryFirst]],
    ['races', 'state: "AA", levels: [STATE]', [VOTE.governor2022, VOTE.governor2024]],
    ['races', 'from: "2023-01-01", districtTypes: [COUNTRY]', [VOTE.alphaPresident]],
    ['candidates', 'name: "cleo"', [800, 802]],
    ['candidates', 'state: "AA", from: "2024-11-01", branches: [EXECUTIVE]', [810, 811, 812]],
    ['ballotMeasures', 'state: "AA"', [VOTE.water, VOTE.schools]],
    ['ballotMeasures', 'districtTypes: [COUNTY], text: "ROAD"', [VOTE.roads]],
    ['ballotMeasures', 'to: "2000-01-01"', []],
    ['people', 'state: "ZZ"', []],
    ['people', `district: "${globalId('District', WORLD.alphaSecond)}"`, [3, 5]],
    ['people', 'state: "BB"', [5]],
    ['people', 'districtTypes: [COUNTRY]', [1]],
    ['people', 'chambers: [LOWER]', [3, 4, 5, 6]],
    ['people', 'parties: [4]', [5]],
    ['people', 'parties: [2], levels: [STATE]', [1]],
    ['people', 'parties: []', []],
    ['people', 'chambers: [LOWER], from: "2021-06-01", to: "2022-06-01"', [3]],
    // On the last day of a term, which is the first of the next one, the successor is in office.
    ['people', `district: "${globalId('District', WORLD.alphaFirst)}", from: "2023-01-03", to: "2023-01-03"`, [4]],
    // The start of one term is not known, nor the end of another one that has ended.
    ['people', 'to: "2020-01-01"', [1, 2]],
    ['people', 'from: "2020-01-01", to: "2020-01-01"', [2]],
    ['people', 'from: "2029-01-21", levels: [FEDERAL]', [3]],
    ['people', 'state: null, from: null', [1, 2, 3, 4, 5, 6, 70, 71, 72, 73, 74, 75]],
  ])('%s (%s)', async (field, filter, expected) => {
    const found = await page(field, `filter: { ${filter} }`);
    expect([idsOf(found).sort((a, b) => a - b), found.totalCount]).toEqual([expected, expected.length]);
  });

  it('of people apply to a name too', async () => {
    expect((await ids('people', 'name: "da", filter: { chambers: [LOWER] }')).sort()).toEqual([4]);
    expect((await ids('people', 'name: "ab", filter: { levels: [STATE, FEDERAL] }')).sort()).toEqual([1]);
  });

  it('of people find those by terms only with officeholders, by candidacies only with elections', async () => {
    const without = (grant: AccessGrant) => ALL_GRANTS.filter((each) => each !== grant);
    const found = async (filter: string, hidden: AccessGrant) =>
      idsOf(await page('people', `filter: { ${filter} }`, without(hidden))).sort();
    expect(await found('parties: [2], state: "AA"', 'results')).toEqual([1, 4]);
    expect(await found('parties: [2], state: "AA"', 'elections')).toEqual([1]);
    expect(await found('parties: [2], state: "AA"', 'officeholders')).toEqual([4]);
    expect(await found('chambers: [LOWER]', 'elections')).toEqual([3, 4]);
    expect(await found('to: "2020-01-01"', 'officeholders')).toEqual([]);
  });

  it('find the candidates of a party, each once, also those of several parties', async () => {
    const rows = await database.db.selectFrom('candidate_parties').selectAll().execute();
    const of = (parties: number[]) =>
      [...new Set(rows.filter(({ party_id }) => parties.includes(party_id)).map((row) => row.candidate_id))].sort();
    expect(of([1, 2]).length).toBeGreaterThan(1);
    expect((await ids('candidates', 'filter: { parties: [1, 2] }')).sort()).toEqual(of([1, 2]));
    expect((await ids('candidates', 'filter: { parties: [5] }')).sort()).toEqual(of([5]));
  });
});

describe('without a grant', () => {
  it.each([
    ['races', 'elections'],
    ['candidates', 'elections'],
    ['ballotMeasures', 'elections'],
    ['officeholders', 'officeholders'],
  ] as const)('%s are null, whatever the filter', async (field, grant) => {
    const others = ALL_GRANTS.filter((each) => each !== grant);
    const recorded = recordStatements(database);
    const source = `{ ${field}(filter: { state: "AA" }) { totalCount } }`;
    expect((await request(recorded.db, source, { grants: others })).data).toEqual({ [field]: null });
    expect(recorded.take()).toEqual([]);
  });

  it('candidates and measures are in the same order, and show no results', async () => {
    const without = ALL_GRANTS.filter((grant) => grant !== 'results');
    for (const field of ['candidates', 'ballotMeasures']) {
      expect(await page(field, 'first: 100', without)).toEqual(await page(field, 'first: 100'));
    }
    const source =
      '{ candidates { edges { node { status votes isWinner } } } ballotMeasures { edges { node { status } } } }';
    const { data } = await request(database.db, source, { grants: without });
    expect(JSON.stringify(data)).not.toMatch(/Won|Lost|Advanced|Approved|Defeated|"votes":\d|"isWinner":(true|false)/);
  });
});
