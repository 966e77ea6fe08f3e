import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { locationId } from '../../../src/districts/location-id.ts';
import { createDocuments } from '../../../src/graphql/documents/documents.ts';
import { globalId } from '../../../src/graphql/schema/global-id.ts';
import { Caches } from '../../../src/lru-caches.ts';
import { schema } from '../../../src/schema.ts';

const LIMITS = readConfig({}).limits.operation;

it('a document has the same result each time, with and without errors', () => {
  const prepare = createDocuments(schema, LIMITS);
  const [first, second] = [prepare('{ __typename }', {}), prepare('{ __typename }', {})];
  expect('document' in first && 'document' in second && first.document === second.document).toBe(true);
  for (let turn = 0; turn < 2; turn++) {
    expect(prepare('{ unknown }', {})).toMatchObject({ errors: [{ message: expect.stringContaining('unknown') }] });
    expect(prepare('{ unfinished', {})).toMatchObject({ errors: [{ message: expect.stringContaining('Syntax') }] });
  }
});

it.each([
  ['cannot be parsed', '{ unfinished'],
  ['is not valid', '{ unknown other district { nothing } }'],
  ['is too long', `{ ${'id '.repeat(1_100)} }`],
])('a document that %s is read once, and has the same errors each time', (_, source) => {
  const caches = new Caches();
  const prepare = createDocuments(schema, LIMITS, { caches });
  const [, documents] = [...caches][0] ?? [];
  const responses = [prepare(source, {}), prepare(source, {})].map((prepared) => JSON.stringify(prepared));
  expect(responses[0]).toMatch(/"locations":\[\{"line":1,|QUERY_TOO_LONG/);
  expect(responses[1]).toBe(responses[0]);
  expect(documents).toMatchObject({ misses: 1, hits: 1, entries: 1 });
});

it('checks the limits of a document with errors first, with the variables of each request', () => {
  const prepare = createDocuments(schema, { ...LIMITS, cost: 200 });
  const source = 'query ($first: Int) { districts(first: $first) { edges { node { unknown } } } }';
  expect(prepare(source, { first: 1 })).toHaveProperty('errors');
  expect(prepare(source, { first: 100 })).toHaveProperty('exceeded');
  expect(prepare(source, { first: 1 })).toHaveProperty('errors');
});

describe('a document with an address or a point as a literal', () => {
  const isCached = (source: string) => {
    const prepare = createDocuments(schema, LIMITS);
    const [first, second] = [prepare(source, {}), prepare(source, {})];
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
  ])('is not cached, but one with a variable is: %s', (source, expected) => {
    expect(isCached(source)).toBe(expected);
  });
});
