import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/base/config/config.ts';
import { Caches } from '../../../src/base/lru-caches.ts';
import { createDocuments, type Prepare } from '../../../src/gateway/graphql/documents/documents.ts';
import { globalId } from '../../../src/graph/builder/global-id.ts';
import { locationId } from '../../../src/graph/districts/location-id.ts';
import { schema } from '../../../src/graph/schema.ts';

const LIMITS = readConfig({}).limits.operation;
const BY = { caller: { keyId: 1 } };

it('a document has the same result each time, with and without errors', async () => {
  const prepare = createDocuments(schema, LIMITS);
  const [first, second] = [await prepare('{ __typename }', {}, BY), await prepare('{ __typename }', {}, BY)];
  expect('document' in first && 'document' in second && first.document === second.document).toBe(true);
  for (let turn = 0; turn < 2; turn++) {
    expect(await prepare('{ unknown }', {}, BY)).toMatchObject({
      errors: [{ message: expect.stringContaining('unknown') }],
    });
    expect(await prepare('{ unfinished', {}, BY)).toMatchObject({
      errors: [{ message: expect.stringContaining('Syntax') }],
    });
  }
});

it.each([
  ['cannot be parsed', '{ unfinished'],
  ['is not valid', '{ unknown other district { nothing } }'],
  ['is too long', `{ ${'id '.repeat(1_100)} }`],
])('a document that %s is read once, and has the same errors each time', async (_, source) => {
  const caches = new Caches();
  const prepare = createDocuments(schema, LIMITS, { caches });
  const [, documents] = [...caches][0] ?? [];
  const responses = [await prepare(source, {}, BY), await prepare(source, {}, BY)].map((prepared) =>
    JSON.stringify(prepared),
  );
  expect(responses[0]).toMatch(/"locations":\[\{"line":1,|QUERY_TOO_LONG/);
  expect(responses[1]).toBe(responses[0]);
  expect(documents).toMatchObject({ misses: 1, hits: 1, entries: 1 });
});

it('checks the limits of a document with errors first, with the variables of each request', async () => {
  const prepare = createDocuments(schema, { ...LIMITS, cost: 200 });
  const source = 'query ($first: Int) { districts(first: $first) { edges { node { unknown } } } }';
  expect(await prepare(source, { first: 1 }, BY)).toHaveProperty('errors');
  expect(await prepare(source, { first: 100 }, BY)).toHaveProperty('exceeded');
  expect(await prepare(source, { first: 1 }, BY)).toHaveProperty('errors');
});

it.each([
  ['query ($v: Int) { districts(first: $v) { edges { node { name } } } }', [1, 50, 1, undefined]],
  [
    'query ($v: Boolean!) { districts { edges { node { name @skip(if: $v) offices @skip(if: $v) { name } } } } }',
    [true, false],
  ],
  [
    'query ($v: [PointInput!]!) { locations(points: $v) { latitude } }',
    [1, 2, 1].map((count) => Array(count).fill({ latitude: 1, longitude: 1 })),
  ],
])('the cost of a cached document is that of the variables of each request: %s', async (source, values) => {
  const prepare = createDocuments(schema, LIMITS);
  const costOf = async (documents: Prepare, v: unknown) => {
    const prepared = await documents(source, { v }, BY);
    return 'cost' in prepared ? prepared.cost : prepared;
  };
  for (const v of values) expect(await costOf(prepare, v)).toBe(await costOf(createDocuments(schema, LIMITS), v));
});

describe('a document with an address or a point as a literal', () => {
  const isCached = async (source: string) => {
    const prepare = createDocuments(schema, LIMITS);
    const [first, second] = [await prepare(source, {}, BY), await prepare(source, {}, BY)];
    if (!('document' in first) || !('document' in second)) throw new Error('The document is not valid');
    return first.document === second.document;
  };

  it.each([
    ['{ location(address: "1 Main St") { id } }', false],
    ['{ geocode(text: "1 Main St") { ambiguous } }', false],
    ['query ($a: String!) { location(address: $a) { id } geocode(text: $a) { ambiguous } }', true],
    ['query ($a: String! = "1 Main St") { geocode(text: $a) { ambiguous } }', false],
    ['query ($a: String!) { geocode(text: $a, first: 5) { ambiguous } }', true],
    ['{ location(latitude: 42, longitude: -98) { id } }', false],
    ['query ($y: Latitude = 42.5, $x: Longitude = -98) { location(latitude: $y, longitude: $x) { id } }', false],
    ['query ($y: Latitude, $x: Longitude) { location(latitude: $y, longitude: $x) { id } }', true],
    ['{ locations(points: [{ latitude: 42, longitude: -98 }]) { id } }', false],
    ['query ($y: Latitude!) { locations(points: [{ latitude: $y, longitude: -98 }]) { id } }', false],
    ['query ($p: [PointInput!]!) { locations(points: $p) { id } }', true],
    [
      'query ($p: [PointInput!] = [{ latitude: 1, longitude: 2 }]) { area(polygon: $p) { districts { areaShare } } }',
      false,
    ],
    ['{ zip(code: "05602") { isSplit } }', false],
    [`{ node(id: "${locationId({ latitude: 42, longitude: -98 })}") { id } }`, false],
    [`{ nodes(ids: ["${locationId({ latitude: 42, longitude: -98 })}"]) { id } }`, false],
    [
      `query A($id: ID! = "${locationId({ latitude: 42, longitude: -98 })}") { node(id: $id) { id } }
       query B($id: ID! = "${globalId('District', 1)}") { node(id: $id) { id } }`,
      false,
    ],
    [`{ node(id: "${globalId('District', 1)}") { id } }`, true],
    ['query ($n: Int = 1) { district(databaseId: $n) { name } }', true],
    [
      'query ($y: Latitude!, $x: Longitude!, $d: Date = "2026-11-03") { location(latitude: $y, longitude: $x) { ballots(from: $d, to: $d) { date } } }',
      true,
    ],
    ['{ coverage(state: "VT") { layer } }', true],
  ])('is not cached, but one with a variable is: %s', async (source, expected) => {
    expect(await isCached(source)).toBe(expected);
  });
});

describe('a document is measured before it is validated', () => {
  const repeated = (count: number, text: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => text(n)).join(' ');
  const district = (selections: string) => `{ district(databaseId: 1) { ${selections} } }`;
  const whole = getIntrospectionQuery()
    .replace(/^\s*query IntrospectionQuery \{\s*__schema/, 'fragment S on __Schema')
    .replace(/\}\s*\}\s*fragment FullType/, '} fragment FullType');

  it.each<[string, string, string | undefined]>([
    ['introspection of all that the schema has', getIntrospectionQuery(), undefined],
    [
      'introspection of a type',
      '{ __type(name: "District") { fields { name args { name type { name } } type { name ofType { name } } } } }',
      undefined,
    ],
    [
      'the same 25 times',
      `{ ${repeated(25, (n) => `a${n}: __schema { types { fields { args { type { name } } type { name } } } }`)} }`,
      'QUERY_TOO_COSTLY',
    ],
    [
      'all of the schema 24 times, by a fragment',
      `${whole} { ${repeated(24, (n) => `a${n}: __schema { ...S }`)} }`,
      'QUERY_TOO_COSTLY',
    ],
    [
      'a type 30 times',
      `{ ${repeated(30, (n) => `a${n}: __type(name: "Query") { fields { args { type { name } } type { fields { name type { name } } } } }`)} }`,
      'QUERY_TOO_COSTLY',
    ],
    ['a list 240 times', district(repeated(240, () => 'offices { name }')), 'QUERY_TOO_LONG'],
    [
      'a list 240 times, by inline fragments',
      district(repeated(110, () => '... on District { offices { name } }')),
      'QUERY_TOO_LONG',
    ],
    [
      'lists of lists that are merged',
      district(repeated(20, () => `offices { ${repeated(5, () => 'officeholders { id }')} }`)),
      'QUERY_TOO_LONG',
    ],
    ['a leaf 900 times', district('name '.repeat(900)), 'QUERY_TOO_LONG'],
    [
      'a hundred fragments',
      `${district(repeated(100, (n) => `...F${n}`))} ${repeated(100, (n) => `fragment F${n} on District { id }`)}`,
      'QUERY_TOO_LONG',
    ],
    [
      'fragments that multiply',
      `${district('...F0')} ${repeated(8, (n) => `fragment F${n} on District { ${['parent', 'offices', 'officeholders', 'contains'].map((name, m) => `a${m}: ${name} { ...F${n + 1} }`).join(' ')} }`)} fragment F8 on District { id }`,
      'TOO_MANY_ALIASES',
    ],
    [
      'thirty fragments of components that select the id',
      `${district(repeated(30, (n) => `...F${n}`))} ${repeated(30, (n) => `fragment F${n} on District { id name }`)}`,
      undefined,
    ],
    [
      'a fragment in itself',
      `${district('...F')} fragment F on District { offices { district { ...F } } }`,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['unknown fields', `{ ${repeated(70, (n) => `unknown${n}`)} }`, 'GRAPHQL_VALIDATION_FAILED'],
    ['unused variables', `query (${repeated(60, (n) => `$v${n}: Int`)}) { __typename }`, 'GRAPHQL_VALIDATION_FAILED'],
  ])('%s', async (_, source, code) => {
    const prepared = await createDocuments(schema, LIMITS)(source, {}, BY);
    const errors = 'exceeded' in prepared ? [prepared.exceeded] : 'errors' in prepared ? prepared.errors : [];
    expect(errors[0]?.extensions.code, errors[0]?.message).toBe(code);
    expect(errors.length).toBeLessThanOrEqual(6);
  });
});

it('documents that are not known take turns, so that one of another key waits for one', async () => {
  const prepare = createDocuments(schema, LIMITS);
  const ended: number[] = [];
  const send = async (keyId: number, n: number) => {
    await prepare(`query Q${n} { district(databaseId: 1) { name } }`, {}, { caller: { keyId } });
    ended.push(keyId);
  };
  await Promise.all([...Array.from({ length: 30 }, (_, n) => send(1, n)), send(2, 100)]);
  expect(ended.indexOf(2)).toBeLessThan(3);
});
