import {
  buildSchema,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  parse,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/base/config/config.ts';
import { checkLimits, computeComplexity } from '../../../src/gateway/graphql/documents/query-complexity.ts';
import { definitionsOf } from '../../../src/gateway/graphql/documents/selections.ts';
import { examples } from '../../../src/gateway/graphql/graphiql/graphiql-examples.ts';
import { ROOT_COSTS } from '../../../src/graph/builder/field-costs.ts';
import { schema } from '../../../src/graph/schema.ts';
import { useApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';

const LIMITS = readConfig({}).limits.operation;

const small = buildSchema(`
  type Query { node: Node, nodes: [Node!]!, page(first: Int): PageConnection!, at(points: [Int!]!): [Node!]! }
  type PageConnection { edges: [Edge!]!, totalCount: Int! }
  type Edge { node: Node }
  type Node { name: String, names: [String!], node: Node, nodes: [Node!] }
`);
// As the fields of the schema say it.
const ofPage = (small.getType('PageConnection') as GraphQLObjectType).getFields();
Object.assign(ofPage.edges?.extensions ?? {}, { listLength: 1 });
Object.assign(ofPage.totalCount?.extensions ?? {}, { wholeListCost: 1_000 });
const { field, connection } = ROOT_COSTS;
const of = (source: string, variables = {}) => computeComplexity(small, definitionsOf(parse(source)), variables);

describe('the complexity of an operation is computed', () => {
  it.each([
    ['{ __typename }', { depth: 1, cost: 0 }],
    ['{ node { name names } }', { depth: 2, cost: field + 1 }],
    ['{ node { node { node { name } } } }', { depth: 4, cost: field + 3 }],
    ['{ nodes { nodes { name } } }', { depth: 3, cost: field + 3 + 9 }],
    ['{ page { totalCount } }', { cost: connection + 25 + 1_000 }],
    ['{ page(first: 2) { edges { node { name } } } }', { depth: 4, cost: connection + 2 * (1 + 1 + 1) }],
    ['{ page(first: 2000000000) { totalCount } }', { cost: connection + 100 + 1_000 }],
    ['{ at(points: [1, 2, 3, 4]) { name } }', { cost: field + 4 }],
    ['query ($first: Int) { page(first: $first) { totalCount } }', { cost: connection + 7 + 1_000 }],
    ['query ($points: [Int!]!) { at(points: $points) { name } }', { cost: field + 5 }],
    ['{ a: node { b: name } node { ... on Node { c: name } } }', { aliases: 3, depth: 2 }],
    ['{ node { name @include(if: true) @skip(if: false) ... @include(if: true) { name } } }', { directives: 3 }],
    [
      '{ node { ...F } node { ...F } } fragment F on Node { a: name nodes { name } }',
      { aliases: 2, cost: 2 * field + 8, depth: 3 },
    ],
    ['{ __schema { types { fields { type { name } } } } }', { depth: 0, cost: 20_410 }],
    ['{ unknown { deeper { still } } }', { depth: 3, cost: 2 }],
    ['{ node { ...Self } } fragment Self on Node { node { ...Self } }', { depth: 2 }],
    ['{ ...Missing }', { depth: 0, cost: 0 }],
  ])('%s', (source, expected) => {
    expect(of(source, { first: 7, points: [1, 2, 3, 4, 5] })).toMatchObject(expected);
  });

  it('in time that grows with its length, not with what its fragments expand to', () => {
    const bomb = Array.from(
      { length: 60 },
      (_, n) => `fragment F${n} on Node { a: nodes { ...F${n + 1} } b: nodes { ...F${n + 1} } }`,
    );
    const source = `{ node { ...F0 } } ${bomb.join('\n')} fragment F60 on Node { name }`;
    expect(of(source)).toMatchObject({ cost: 1e12, aliases: 1e12, depth: 62 });
  });
});

describe('the cost of an operation', () => {
  const costOf = (source: string, variables = {}) =>
    computeComplexity(schema, definitionsOf(parse(source)), variables).cost;
  const { cost: limit } = LIMITS;
  const page = (first: number, selection: string) =>
    `{ districts(first: ${first}) { edges { node { boundary { ${selection} } } } } }`;

  it('has a length for every list of objects of the schema, and for no leaf', () => {
    const fields = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => !name.startsWith('__'))
      .flatMap((type) =>
        Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })),
      );
    const isList = ({ field: { type } }: (typeof fields)[number]) =>
      isListType(getNullableType(type)) && isObjectType(getNamedType(type));
    const lists = fields.filter(isList).filter(({ field }) => !field.args.some(({ name }) => name === 'points'));
    const withoutLength = lists.filter(({ field }) => field.extensions.listLength === undefined);
    expect(lists.length).toBeGreaterThan(50);
    expect(withoutLength.map(({ name }) => name)).toEqual([]);
    const leaves = fields.filter(({ field }) => !isObjectType(getNamedType(field.type)));
    expect(leaves.filter(({ field }) => field.extensions.listLength).map(({ name }) => name)).toEqual([]);
  });

  it('counts the points of each geometry, once per alias and by its tolerance', () => {
    const one = costOf(page(1, 'geometry'));
    expect(costOf(page(1, 'a: geometry b: geometry')) - one).toBeGreaterThan(1_000);
    expect(costOf(`${page(1, '...F ...F')} fragment F on Boundary { geometry }`) - one).toBeGreaterThan(1_000);
    const byTolerance = [0, 10, 100, 1_000, 1e9].map((tolerance) =>
      costOf(page(1, `geometry(tolerance: ${tolerance})`)),
    );
    expect(byTolerance).toEqual([...byTolerance].sort((a, b) => b - a));
    expect(byTolerance.at(-1)).toBeGreaterThan(50);
    for (const tolerance of ['-5', 'null', '1e-9']) {
      expect(costOf(page(1, `geometry(tolerance: ${tolerance})`))).toBe(one);
    }
  });

  it('counts the comparison of outlines for every district', () => {
    const districts = (first: number, selection: string) =>
      `{ districts(first: ${first}) { edges { node { ${selection} } } } }`;
    for (const field of ['contains', 'containedIn']) {
      const comparison = costOf(districts(1, `${field}(first: 1) { totalCount }`));
      expect(comparison).toBeGreaterThan(1_000);
      expect(
        costOf(districts(1, `a: ${field}(first: 1) { totalCount } b: ${field}(first: 1) { totalCount }`)),
      ).toBeGreaterThan(2_000);
      expect(costOf(districts(50, `${field} { edges { areaShare } }`))).toBeLessThan(limit);
      expect(costOf(districts(100, `${field} { edges { areaShare } }`))).toBeGreaterThan(limit);
    }
  });

  it.each([
    ['query ($on: Date) { districts(first: 5) { nodes { offices { name } boundary(on: $on) { id } } } }', {}, []],
    ['query ($first: Int) { districts(first: $first) { nodes { name } } }', { first: 3 }, [['first', 3]]],
    ['query ($first: Int) { districts(first: $first) { nodes { name } } }', {}, [['first', undefined]]],
    ['query ($if: Boolean!) { parties { name @skip(if: $if) } }', { if: true, other: 1 }, [['if', true]]],
    ['query ($first: Int) { districts(first: $first) { nodes { name } } }', { first: 'many' }, undefined],
    [
      'query ($points: [PointInput!]!) { ...all } fragment all on Query { locations(points: $points) { latitude } }',
      { points: [{ latitude: 1, longitude: 1 }] },
      undefined,
    ],
  ])('reports which values of variables the complexity of %s depends on: %j', (source, variables, inputs) => {
    const found = computeComplexity(schema, definitionsOf(parse(source)), variables);
    expect(found.inputs && [...found.inputs]).toEqual(inputs);
  });

  it('looks up variables, and their defaults', () => {
    const query = (declared: string) =>
      `query (${declared}) { districts(first: $n) { edges { node { boundary { geometry(tolerance: $t) } } } } }`;
    const most = costOf(page(100, 'geometry'));
    expect(costOf(query('$n: Int, $t: Float'), { n: 100, t: 0 })).toBe(most);
    expect(costOf(query('$n: Int = 100, $t: Float = 0'))).toBe(most);
    expect(costOf(query('$n: Int = 100, $t: Float = 0'), { n: 100, t: null })).toBe(most);
    expect(costOf(query('$n: Int = 1, $t: Float = 1000'), { n: 100, t: 0 })).toBe(most);
    const two = `${query('$n: Int = 1, $t: Float = 1000')} query B($n: Int = 100, $t: Float = 0) { __typename }`;
    expect(costOf(two)).toBeGreaterThanOrEqual(most);
  });

  const deep = (selection: string) =>
    `{ people(name: "Don Young", first: 1) { edges { node { officeholders { office { officeholders(on: "2020-01-01") {
      person { officeholders { office { district { boundary { ${selection} } } } } } } } } } } } }`;
  const hundred = { points: Array(100).fill({ latitude: 44, longitude: -72 }) };
  it.each([
    ['geometries of all terms of all colleagues', deep('geometry')],
    ['the same, simplified', deep('geometry(tolerance: 500)')],
    ['the same, simplified as much as possible', deep('geometry(tolerance: 1e9)')],
    ['a page of 100 whole geometries', page(100, 'geometry')],
    ['a page of 25, three times', page(25, 'a: geometry b: geometry c: geometry')],
  ])('rejects %s', (_, source) => {
    expect(costOf(source)).toBeGreaterThan(limit);
  });

  it.each([
    ['the terms of all colleagues without geometries', deep('id area')],
    ['a page of 25 whole geometries', page(25, 'geometry')],
    ['a page of 100 geometries for a map of a state', page(100, 'geometry(tolerance: 1000)')],
    ['a page of 100 geometries for a map of a county', page(100, 'geometry(tolerance: 100)')],
    [
      'all districts of a point with their geometries',
      '{ location(latitude: 44, longitude: -72) { districts { name boundary { geometry } } } }',
    ],
    [
      'the representatives of 100 points',
      'query ($points: [PointInput!]!) { locations(points: $points) { districts { name offices { name officeholders { person { name contacts { value } } party { name } contacts { value } } } } } }',
    ],
    [
      'the ballots of 100 points',
      'query ($points: [PointInput!]!) { locations(points: $points) { ballot(electionDate: "2022-11-08") { districts { district { name } races { office { name } candidates { votes person { name } parties { name } } } ballotMeasures { name } } } } }',
    ],
    [
      'the largest page of the ballot of a state',
      '{ stateBallot(state: "VT", electionDate: "2022-11-08", first: 100) { edges { node { district { name boundary { id: databaseId } } races { office { name } candidates { votes person { name contacts { value } } parties { name } rankedChoiceRounds { round } } } ballotMeasures { name } } } } }',
    ],
  ])('allows %s', (_, source) => {
    expect(costOf(source, hundred)).toBeLessThanOrEqual(limit);
  });
});

describe('the limits', () => {
  it.each(examples)('allow the examples with a wide margin', (example) => {
    const measured = computeComplexity(schema, definitionsOf(parse(example)), {});
    expect(measured.cost * 5).toBeLessThan(LIMITS.cost);
    expect(checkLimits(measured, LIMITS)).toBeUndefined();
  });

  const database = useDatabase();
  const service = useApp(database);
  const deep = (levels: number) =>
    `{ district(databaseId: 1) { ${'offices { district { '.repeat(levels)}id${' } }'.repeat(levels)} } }`;
  const bomb = Array.from(
    { length: 24 },
    (_, n) => `fragment F${n} on District { offices { district { ...F${n + 1} } } ...F${n + 1} }`,
  );

  it.each([
    ['depth', deep(8), 'QUERY_TOO_DEEP', /has 18 levels of fields; at most 12/],
    [
      'aliases',
      `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
      'TOO_MANY_ALIASES',
      /has 31 aliases; at most 30/,
    ],
    [
      'directives',
      `{ __typename ${'@include(if: true) '.repeat(11)} }`,
      'TOO_MANY_DIRECTIVES',
      /has 11 directives; at most 10/,
    ],
    [
      'cost',
      '{ districts(first: 100) { edges { node { offices { officeholders { person { officeholders { office { officeholders { contacts { type } socialLinks { url } } } } } } } } } } }',
      'QUERY_TOO_COSTLY',
      /records; at most/,
    ],
    [
      'a fragment bomb',
      `{ district(databaseId: 1) { ...F0 } } ${bomb.join('\n')} fragment F24 on District { id: databaseId }`,
      'QUERY_TOO_DEEP',
      /levels/,
    ],
  ])('reject %s with a coded 400 that names the limit and the value', async (_, query, code, message) => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const began = performance.now();
      const response = await service.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': service.key('full'), accept },
        payload: { query },
      });
      expect(response.statusCode, response.body).toBe(400);
      expect(response.json().errors).toEqual([
        {
          message: expect.stringMatching(message),
          extensions: { code, limit: expect.any(Number), value: expect.any(Number) },
        },
      ]);
      // Twenty times the usual duration: an effective query bomb takes seconds.
      expect(performance.now() - began).toBeLessThan(1_000);
    }
  });
});
