import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema as ownSchema } from '../../../src/graph/schema.ts';
import { graphqlViolations } from './graphql.ts';

const schema = buildSchema(`
  type Query { thing: Thing  must: Thing!  things: [Thing!]!  named: Named }
  interface Named { id: ID! }
  type Place implements Named { id: ID!  area: Int! }
  type Thing implements Named { id: ID!  count: Int  share: Float  name: String  isNew: Boolean  kind: Kind  tags: [String!]  below: [Thing] }
  enum Kind { ONE TWO }
`);
const find = (query: string | undefined, response: unknown, variables = {}) =>
  graphqlViolations(schema, { query, variables }, response);
const within = (selection: string, thing: unknown) => find(`{ thing { ${selection} } }`, { data: { thing } });

describe('a response that fits', () => {
  it.each([
    [
      'every type',
      'id count share name isNew kind tags',
      {
        ...{ id: 'a', count: -(2 ** 31), share: 0.5, name: '', isNew: false, kind: 'TWO', tags: [] },
      },
    ],
    [
      'nulls in nullable fields',
      'count kind tags below { id }',
      { count: null, kind: null, tags: null, below: [null] },
    ],
    ['an alias', 'other: count', { other: 1 }],
    ['the type name', '__typename', { __typename: 'Thing' }],
  ])('%s', (_, selection, thing) => {
    expect(within(selection, thing)).toEqual([]);
  });

  it.each([
    ['a request error', { errors: [{ message: 'no' }] }],
    ['the error of a field', { data: { thing: null }, errors: [{ message: 'no', path: ['thing', 'id'] }] }],
    ['data lost to an error', { data: null, errors: [{ message: 'no', path: ['must'] }] }],
    ['extensions', { data: { thing: null }, extensions: { a: 1 } }],
  ])('%s', (_, response) => {
    expect(find('{ thing { id } }', response)).toEqual([]);
  });

  it('with one of the types of an interface', () => {
    const query = '{ named { id ... on Place { area } ... on Thing { count } } }';
    expect(find(query, { data: { named: { id: 'a', area: 1 } } })).toEqual([]);
    expect(find(query, { data: { named: { id: 'a', count: null } } })).toEqual([]);
    for (const named of [{ id: 'a' }, { id: 'a', area: null }, { id: 'a', area: 1, count: 1 }, [], 'a'])
      expect(find(query, { data: { named } })).toHaveLength(1);
  });

  it('with fragments, merged fields and conditions', () => {
    const query = `query ($yes: Boolean!, $preset: Boolean = false) {
      thing { ...A name @skip(if: $yes) ... on Thing { below { count } } ... @include(if: $preset) { kind } }
    } fragment A on Thing { below { id } count @include(if: $yes) }`;
    const thing = { below: [{ id: 'b', count: 1 }], count: 2 };
    expect(find(query, { data: { thing } }, { yes: true })).toEqual([]);
    expect(find(query, { data: { thing: { ...thing, name: 'n' } } }, { yes: true })).not.toEqual([]);
    expect(find(query, { data: { thing } }, { yes: true, preset: true })).toEqual(['data.thing has no key kind']);
    expect(find(query, { data: { thing: { below: [{ id: 'b' }], count: 2 } } }, { yes: true })).not.toEqual([]);
  });
});

describe('a violation', () => {
  it.each([
    ['an Int with a fraction', 'count', { count: 1.5 }],
    ['an Int out of range', 'count', { count: 2 ** 31 }],
    ['an Int as a text', 'count', { count: '1' }],
    ['a Float that is infinite', 'share', { share: Number.POSITIVE_INFINITY }],
    ['a Float as a text', 'share', { share: '0.5' }],
    ['a String that is a number', 'name', { name: 1 }],
    ['a Boolean that is a number', 'isNew', { isNew: 1 }],
    ['an ID that is a number', 'id', { id: 1 }],
    ['an unknown enum value', 'kind', { kind: 'THREE' }],
    ['an enum value in the form of the database', 'kind', { kind: 'One' }],
    ['a null in a non-null position', 'id', { id: null }],
    ['a null in a list', 'tags', { tags: [null] }],
    ['an object for a list', 'tags', { tags: {} }],
    ['a value for a list', 'tags', { tags: 'a' }],
    ['a list for an object', 'id', [{ id: 'a' }]],
    ['a list for a leaf', 'name', { name: ['a'] }],
    ['an object for a leaf', 'name', { name: {} }],
    ['a leaf for an object', 'id', 'a'],
    ['a key that is missing', 'id name', { id: 'a' }],
    ['a key that is not selected', 'id', { id: 'a', name: 'b' }],
    ['keys in another order', 'id name', { name: 'b', id: 'a' }],
    ['a violation in a nested object', 'below { below { id } }', { below: [null, { below: [{ id: 1 }] }] }],
    ['a key next to the type name', '__typename', { __typename: 'Thing', id: 1 }],
    ['another type name', '__typename', { __typename: 'Query' }],
    ['data of a field that does not exist', 'size', { size: 1 }],
  ])('%s', (_, selection, thing) => {
    expect(within(selection, thing)).toHaveLength(1);
  });

  it.each([
    ['no object', []],
    ['neither data nor errors', {}],
    ['another member', { data: { thing: null }, status: 200 }],
    ['data that is null without an error', { data: null }],
    ['data that is a list', { data: [] }],
    ['extensions that are a text', { data: { thing: null }, extensions: 'a' }],
    ['errors without an error', { data: { thing: null }, errors: [] }],
    ['an error that is a text', { errors: ['no'] }],
    ['an error without a message', { errors: [{ message: '' }] }],
    ['an error with another member', { errors: [{ message: 'no', stack: 'a' }] }],
    ['an error with malformed locations', { errors: [{ message: 'no', locations: [{ line: 0, column: 1 }] }] }],
    ['a path that is malformed', { data: { thing: null }, errors: [{ message: 'no', path: [null] }] }],
    ['a path without data', { errors: [{ message: 'no', path: ['thing'] }] }],
    ['an error without a path next to data', { data: { thing: null }, errors: [{ message: 'no' }] }],
    ['a path to what is not null', { data: { thing: { id: 'a' } }, errors: [{ message: 'no', path: ['thing'] }] }],
    ['a path to nothing', { data: { thing: { id: 'a' } }, errors: [{ message: 'no', path: ['thing', 'name'] }] }],
  ])('%s', (_, response) => {
    expect(find('{ thing { id } }', response)).toHaveLength(1);
  });

  it.each([
    [
      'a list that is null, without an error',
      { data: { things: null } },
      'data.things is null, though it is [Thing!]!',
    ],
    ['an item that is null', { data: { things: [null] } }, 'data.things[0] is null, though it is Thing!'],
  ])('%s', (_, response, violation) => {
    expect(find('{ things { id } }', response)).toEqual([violation]);
  });

  it('the name of a field instead of its alias', () => {
    expect(within('other: count', { count: 1 })).toEqual([
      'data.thing has the key count, which is not selected',
      'data.thing has no key other',
    ]);
  });

  it('data of an unknown document, and of no operation', () => {
    expect(find(undefined, { data: {} })).toHaveLength(1);
    expect(find('query A { thing { id } } query B { thing { id } }', { data: {} })).toHaveLength(1);
  });
});

describe('the scalars of the schema', () => {
  const inLocation = (selection: string, location: unknown) =>
    graphqlViolations(
      ownSchema,
      { query: `{ location(latitude: 1, longitude: 2) { ${selection} } }` },
      { data: { location } },
    );
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  const outline = (geometry: unknown) =>
    inLocation('districts { boundary { geometry } }', { districts: [{ boundary: { geometry } }] });
  const ballot = (date: unknown) => inLocation('ballot(electionDate: "2022-11-08") { date }', { ballot: { date } });

  it('fit', () => {
    expect(inLocation('latitude longitude', { latitude: 90, longitude: -180 })).toEqual([]);
    expect(ballot('2024-02-29')).toEqual([]);
    expect(outline({ type: 'Polygon', coordinates: [ring] })).toEqual([]);
    expect(outline({ type: 'MultiPolygon', coordinates: [[ring], [ring]] })).toEqual([]);
  });

  it.each([
    ['a latitude out of range', inLocation('latitude', { latitude: 91 })],
    ['a latitude as a text', inLocation('latitude', { latitude: '1' })],
    ['a day that does not exist', ballot('2023-02-29')],
    ['a day with a time', ballot('2024-02-29T00:00:00.000Z')],
    ['a geometry as a text', outline('POLYGON EMPTY')],
    ['a geometry of another type', outline({ type: 'Point', coordinates: [0, 0] })],
    ['a ring that is open', outline({ type: 'Polygon', coordinates: [ring.slice(0, 3)] })],
    ['a position out of range', outline({ type: 'Polygon', coordinates: [[[0, 91], ...ring.slice(1, 3), [0, 91]]] })],
    ['a member next to the coordinates', outline({ type: 'Polygon', coordinates: [ring], crs: {} })],
  ])('%s', (_, violations) => {
    expect(violations).toHaveLength(1);
  });
});
