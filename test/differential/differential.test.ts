import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { schema } from '../../src/graph/schema.ts';
import { drawDocument } from '../drawn/documents.ts';
import { seeded } from '../drawn/random.ts';
import { useDatabase } from '../support/database.ts';
import { createRichWorld } from '../support/rich-world.ts';
import { runDifferential } from './run.ts';
import { isSameResult } from './same-result.ts';
import { type Differential, openDifferential } from './services.ts';
import { shrink } from './shrink.ts';
import { typeErrors } from './type-check.ts';

// A short, deterministic run; test/resilience/differential.ts compares many more documents.
const [DOCUMENTS, SEED] = [300, 20_241_105];

const database = useDatabase();
let differential: Differential;
beforeAll(async () => {
  await createRichWorld(database.db);
  differential = await openDifferential(database, inject('backend').kind);
});
afterAll(() => differential?.close());

it(`${DOCUMENTS} random documents have the same results as with graphql-js, with and without planner and cache`, async () => {
  const { documents, failure } = await runDifferential(differential, { documents: DOCUMENTS, seed: SEED });
  expect(failure).toBeUndefined();
  expect(documents).toBe(DOCUMENTS);
  expect(differential.compared.withData).toBeGreaterThan(DOCUMENTS);
  expect(differential.compared.withErrors).toBeGreaterThan(DOCUMENTS / 20);
}, 600_000);

const point = 'latitude: 42, longitude: -98';
it.each([
  {
    query: `{ location(${point}) { ballot(electionDate: "2022-11-08") { elections { id: databaseId } districts { races { id: databaseId } } } } }`,
    variables: {},
  },
  {
    query: 'query ($s: String = "AA") { stateBallot(electionDate: "2024-03-05", state: $s) { totalCount } }',
    variables: { s: null },
  },
  { query: `query ($s: Boolean = false) { location(${point}) { latitude @skip(if: $s) } }`, variables: { s: null } },
  {
    query: `query ($s: Boolean!) { location(${point}) { latitude constructor: longitude @include(if: $s) } }`,
    variables: { s: false },
  },
  // Names of `Object.prototype` as variables, with a value and without, and as response names.
  ...['constructor', 'toString', '__proto__', 'hasOwnProperty'].flatMap((name) => {
    const places = [
      `query ($${name}: Boolean!) { district(databaseId: 20) { type name @include(if: $${name}) offices { level } } }`,
      `query ($${name}: Boolean = true) { district(databaseId: 20) { type name @skip(if: $${name}) offices { level } } }`,
    ];
    return [
      ...places.flatMap((query) => [true, false].map((value) => ({ query, variables: { [name]: value } }))),
      { query: places[1] as string, variables: {} },
      {
        query: `query ($${name}: Int = 2) { districts(first: $${name}) { totalCount edges { node { ${name}: name } } } }`,
        variables: {},
      },
      {
        query: `query ($from: Date = "2030-01-01", $${name}: Date = "2020-01-01") { location(${point}) { elections(from: $from, to: $${name}) { date } } }`,
        variables: {},
      },
      {
        query: `query ($${name}: Latitude!) { location(latitude: $${name}, longitude: -98) { ${name}: latitude districts { ${name}: name } } }`,
        variables: { [name]: 42 },
      },
    ];
  }),
  {
    query: `{ locations(points: [{ ${point} }, { ${point} }, { ${point} }]) { elections(first: 100) { districts { races { boundary { boundary { geometry again: geometry } } } } } } }`,
    variables: {},
  },
  ...[
    'mapChanges(state: "AA", type: CONGRESS, on: "2023-01-03") { redrawnCount successors { kind parts { areaShare district { name offices { name } } } } predecessors { day boundary { geometry } } }',
    'district(databaseId: 20) { successors(on: "2023-01-03") { kind parts { addressShare otherAreaShare isSliver district { officeholders: offices { officeholders { person { name } } } } } } }',
    `location(${point}) { changes(from: "2022-01-01") { isCovered changes { kind before { district { name } } officeholdersBefore { person { name } } firstRace { boundary { reason } } } } nearestLines(on: "2022-06-01") { distance isCertain neighbors { name offices { name } } } }`,
    'coverage(state: "AA") { kind mapDays { day isStored } }',
  ].map((fields) => ({ query: `{ ${fields} }`, variables: {} })),
])('$query with $variables has the same result as with graphql-js', async (request) => {
  expect(await differential.differencesOf(request)).toEqual([]);
});

it('the documents use every field and argument of the schema', () => {
  const random = seeded(SEED);
  const texts = Array.from({ length: 3_000 }, () => drawDocument(schema, random).request().query);
  const all = texts.join('\n');
  const missing = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__') || !('getFields' in type)) return [];
    return Object.keys(type.getFields()).filter((name) => !new RegExp(`\\b${name}\\b`).test(all));
  });
  expect(missing).toEqual([]);
  expect(texts.every((text) => validate(schema, parse(text)).length === 0)).toBe(true);
});

describe('the type check', () => {
  const query =
    'query ($s: Boolean!) { district(databaseId: 10) { id: databaseId @skip(if: $s) again: name type offices { level } } }';
  const problemsOf = (district: unknown, s = false) =>
    typeErrors(schema, parse(query), { query, variables: { s } }, { district });
  const good = { id: 10, again: 'Alpha', type: 'STATE', offices: [{ level: 'STATE' }] };

  it.each([
    [good, []],
    [null, []],
    [{ ...good, offices: null }, []],
    [{ ...good, again: null }, ['data.district.again is null']],
    [{ ...good, type: 'State' }, ['data.district.type is no DistrictType']],
    [{ ...good, id: '10' }, ['data.district.id is no Int']],
    [{ ...good, offices: [null] }, ['data.district.offices.0 is null']],
    [{ ...good, offices: [{ level: null }] }, ['data.district.offices.0.level is null']],
    [{ ...good, offices: {} }, ['data.district.offices is no list']],
    [
      { again: 'Alpha', id: 10, type: 'STATE', offices: [] },
      ['data.district has again,id,type,offices, not id,again,type,offices'],
    ],
  ])('of %j finds %j', (district, problems) => {
    expect(problemsOf(district)).toEqual(problems);
  });
});

describe('two results', () => {
  const result = (data: unknown, ...errors: [message: string, path: (string | number)[]][]) =>
    JSON.stringify({ errors: errors.map(([message, path]) => ({ message, path })), data });
  const nulled = { a: null, b: 1 };
  const first = result(nulled, ['one', ['a', 'x']], ['two', ['a', 0, 'y']]);

  it('are equal if one of them lacks an error below the same null', () => {
    expect(isSameResult(first, result(nulled, ['two', ['a', 0, 'y']]))).toBe(true);
    expect(isSameResult(first, result(nulled, ['two', ['a', 0, 'y']], ['one', ['a', 'x']]))).toBe(true);
  });

  it.each([
    ['no error', JSON.stringify({ data: nulled })],
    ['an error elsewhere', result(nulled, ['one', ['b', 'x']])],
    ['an error at the null itself', result(nulled, ['one', ['a']])],
    ['other data', result({ a: null, b: 2 }, ['one', ['a', 'x']])],
    ['data in another order', result({ b: 1, a: null }, ['one', ['a', 'x']])],
    ['an additional null', result({ a: null, b: null }, ['one', ['a', 'x']], ['two', ['b']])],
    ['broken JSON', '{"data":{"a":}}'],
  ])('differ with %s', (_, other) => {
    expect(isSameResult(first, other)).toBe(false);
  });

  it('differ with another message at the same null', () => {
    expect(isSameResult(result(nulled, ['one', ['a']]), result(nulled, ['two', ['a']]))).toBe(false);
  });
});

it('a failing request is minimised', async () => {
  const query = `query ($a: Int!, $b: Boolean!) { person(databaseId: 1) { name ...F } district(databaseId: $a) { id: databaseId ... @include(if: $b) { x: name } } }
    fragment F on Person { id: databaseId officeholders { id: databaseId } }`;
  const fails = async (smaller: { query: string }) => /x: name/.test(smaller.query);
  const smallest = await shrink(schema, { query, variables: { a: 1, b: true } }, fails);
  expect(smallest.query.replace(/\s+/g, ' ')).toBe('{ district { ... { x: name } } }');
  expect(smallest.variables).toEqual({});
});
