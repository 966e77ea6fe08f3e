import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { examples } from '../../src/graphql/graphiql-examples.ts';
import { beyondLimits, DEFAULT_OPERATION_LIMITS } from '../../src/graphql/limits.ts';
import { measure } from '../../src/graphql/measure.ts';
import { schema } from '../../src/graphql/schema.ts';
import { useApp } from '../support/app.ts';
import { useStore } from '../support/store.ts';

const small = buildSchema(`
  type Query { node: Node, nodes: [Node!]!, page(first: Int): Page!, at(points: [Int!]!): [Node!]! }
  type Page { edges: [Edge!]!, totalCount: Int! }
  type Edge { node: Node }
  type Node { name: String, names: [String!], node: Node, nodes: [Node!] }
`);
const of = (source: string, variables = {}) => measure(small, parse(source), variables);

describe('an operation is measured', () => {
  it.each([
    ['{ __typename }', { depth: 1, cost: 0 }],
    ['{ node { name names } }', { depth: 2, cost: 1 }],
    ['{ node { node { node { name } } } }', { depth: 4, cost: 3 }],
    ['{ nodes { nodes { name } } }', { depth: 3, cost: 3 + 9 }],
    ['{ page { totalCount } }', { cost: 25 }],
    ['{ page(first: 2) { edges { node { name } } } }', { depth: 4, cost: 2 * (1 + 1 + 1) }],
    ['{ page(first: 2000000000) { totalCount } }', { cost: 100 }],
    ['{ at(points: [1, 2, 3, 4]) { name } }', { cost: 4 }],
    ['query ($first: Int) { page(first: $first) { totalCount } }', { cost: 7 }],
    ['query ($points: [Int!]!) { at(points: $points) { name } }', { cost: 5 }],
    ['{ a: node { b: name } node { ... on Node { c: name } } }', { aliases: 3, depth: 2 }],
    ['{ node { name @include(if: true) @skip(if: false) ... @include(if: true) { name } } }', { directives: 3 }],
    [
      '{ node { ...F } node { ...F } } fragment F on Node { a: name nodes { name } }',
      { aliases: 2, cost: 8, depth: 3 },
    ],
    ['{ __schema { types { fields { type { name } } } } }', { depth: 0, cost: 0 }],
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

describe('the limits', () => {
  it.each(examples)('let the examples pass with room to spare', (example) => {
    const measured = measure(schema, parse(example), {});
    expect(measured.cost * 5).toBeLessThan(DEFAULT_OPERATION_LIMITS.cost);
    expect(beyondLimits(measured, DEFAULT_OPERATION_LIMITS)).toBeUndefined();
  });

  const store = useStore();
  const service = useApp(store);
  const deep = (levels: number) =>
    `{ district(id: 1) { ${'offices { district { '.repeat(levels)}id${' } }'.repeat(levels)} } }`;
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
      `{ district(id: 1) { ...F0 } } ${bomb.join('\n')} fragment F24 on District { id }`,
      'QUERY_TOO_DEEP',
      /levels/,
    ],
  ])('refuse %s with a coded 400 that says which and how much', async (_, query, code, message) => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const began = performance.now();
      const answer = await service.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': service.key('full'), accept },
        payload: { query },
      });
      expect(answer.statusCode, answer.body).toBe(400);
      expect(answer.json().errors).toEqual([
        {
          message: expect.stringMatching(message),
          extensions: { code, limit: expect.any(Number), value: expect.any(Number) },
        },
      ]);
      // Twenty times what it takes: a bomb that goes off takes seconds.
      expect(performance.now() - began).toBeLessThan(1_000);
    }
  });
});
