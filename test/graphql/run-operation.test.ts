import { buildSchema, type GraphQLObjectType, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createPlainRunner, createPlannedRunner } from '../../src/graphql/run-operation.ts';

const schema = buildSchema(`
  type Query { trees(count: Int! = 2): [Tree!]! tree(id: Int): Tree broken: Int! }
  type Tree {
    id: Int! name: String kind: Kind height: Float rings: [Int!]! bark(rough: Boolean = true): String
    branches: [Branch] left: Branch sick: String sure: String! leaf: Leaf! path: String
  }
  type Branch { length: Int tree: Tree! leaves: [Leaf!] }
  type Leaf { colour: String! }
  enum Kind { OAK ASH }
`);

interface Row {
  readonly id: number;
}

/** Objects that were resolved by a plan: the fourth argument of graphql-js is not there. */
let planned = 0;

function resolve(
  type: string,
  resolvers: Record<string, (parent: Row, args: Record<string, number | undefined>, info: { path: object }) => unknown>,
) {
  const fields = (schema.getType(type) as GraphQLObjectType).getFields();
  for (const [name, resolver] of Object.entries(resolvers)) {
    const field = fields[name];
    if (!field) throw new Error(name);
    field.resolve = (parent, args, _context, info) => {
      if (info === undefined) planned++;
      return resolver(parent, args, info);
    };
  }
}

const treeOf = (id: number) => ({
  id,
  name: `tree ${id}`,
  kind: id % 2 ? 'OAK' : 'ASH',
  height: id / 4,
  rings: [1, id],
});
resolve('Query', {
  trees: async (_, { count }) => Array.from({ length: count ?? 0 }, (_each, index) => treeOf(index + 1)),
  tree: (_, { id }) => (id === 0 ? null : treeOf(id ?? 7)),
  broken: () => {
    throw new Error('broken');
  },
});
resolve('Tree', {
  bark: (_, { rough }) => (rough ? 'rough' : 'smooth'),
  branches: ({ id }) => (id === 3 ? null : [{ id, length: 1 }, null]),
  left: async ({ id }) => (id % 2 ? { id, length: id } : null),
  sick: ({ id }) => {
    if (id === 2) throw new Error('sick');
    return 'well';
  },
  sure: async ({ id }) => (id === 2 ? null : 'sure'),
  leaf: () => ({ colour: 'green' }),
  // The planner gives no such argument: to it, this resolver is broken.
  path: (_, __, info) => typeof info.path,
});
resolve('Branch', {
  tree: async ({ id }) => treeOf(id),
  leaves: ({ id }) => [{ colour: `${id}` }, { colour: '"\u2028' }],
});

const runPlanned = createPlannedRunner(schema);
const runPlainly = createPlainRunner(schema);

async function both(source: string, variableValues?: Record<string, unknown>, operationName?: string) {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  planned = 0;
  const operation = { document, variableValues, operationName, contextValue: {} };
  const answers = [JSON.stringify(await runPlanned(operation)), JSON.stringify(await runPlainly(operation))];
  return { answers, planned };
}

describe('a planned operation is answered as graphql-js answers it', () => {
  it.each([
    [
      'lists, leaves and null',
      '{ trees { id name kind height rings branches { length } left { length } } tree(id: 0) { id } }',
    ],
    [
      'aliases, and what is asked for twice',
      '{ a: trees { one: id id leaf { colour } leaf { again: colour __typename } } a: trees { name } }',
    ],
    [
      'fragments',
      '{ trees { ...F ... on Tree { name } ... { kind } } } fragment F on Tree { left { ...B } id } fragment B on Branch { tree { left { length } } }',
    ],
    [
      'arguments, given and left out',
      '{ trees(count: 3) { bark smooth: bark(rough: false) null: bark(rough: null) } tree { id } }',
    ],
    ['names that objects have by themselves', '{ trees { constructor: id toString: name leaf { valueOf: colour } } }'],
    ['nothing at all in a list', '{ trees(count: 0) { branches { leaves { colour } } } }'],
    ['depth', '{ trees { branches { tree { branches { tree { branches { leaves { colour } } } } } } } }'],
  ])('%s', async (_, source) => {
    const { answers, planned } = await both(source);
    expect(answers[0]).toBe(answers[1]);
    expect(planned).toBeGreaterThan(0);
  });

  it('a name that would change the answer itself', async () => {
    const { answers } = await both('{ __proto__: trees { __proto__: leaf { colour } } tree { __proto__: id } }');
    expect(answers[0]).toContain('{"__proto__":[{"__proto__":{');
    expect(answers[0]).toBe(answers[1]);
  });

  const CONDITIONS = `query ($a: Boolean!, $b: Boolean! = true, $count: Int) { trees(count: 2) {
    id @include(if: $a) name @skip(if: $a) ... @include(if: $b) { left { length @skip(if: false) } left { tree { id @skip(if: $b) name } } } }
    tree(id: $count) { id } }`;
  it.each([[{ a: true }], [{ a: false, b: false }], [{ a: true, b: true, count: 0 }], [{ a: false, count: 3 }]])(
    'variables %j',
    async (variables) => {
      const { answers, planned } = await both(CONDITIONS, variables);
      expect(answers[0]).toBe(answers[1]);
      expect(planned).toBeGreaterThan(0);
    },
  );

  it('more values of conditions than are kept', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const source = `query (${names.map((name) => `$${name}: Boolean!`).join(' ')}) { tree { ${names
      .map((name) => `${name}: id @include(if: $${name})`)
      .join(' ')} name } }`;
    const document = parse(source);
    for (let bits = 0; bits < 2 ** names.length; bits++) {
      const variableValues = Object.fromEntries(names.map((name, at) => [name, (bits & (1 << at)) !== 0]));
      planned = 0;
      const operation = { document, variableValues, contextValue: {} };
      const [one, other] = [await runPlanned(operation), await runPlainly(operation)];
      expect(JSON.stringify(one)).toBe(JSON.stringify(other));
      expect(planned, String(bits)).toBeGreaterThan(0);
    }
  });

  it.each([
    'query ($s: Boolean = false) { tree { id name @skip(if: $s) } }',
    'query ($s: Boolean = true) { tree { id ... @include(if: $s) { name } } }',
    'query ($s: Boolean = true) { tree { ...F @include(if: $s) } } fragment F on Tree { id }',
    'query ($s: Boolean = true) { tree @skip(if: $s) { id } }',
  ])('a condition that is null in spite of its default: %s', async (source) => {
    for (const variables of [{ s: null }, {}, { s: true }, { s: false }]) {
      const { answers } = await both(source, variables);
      expect(answers[0]).toBe(answers[1]);
      expect(answers[0]?.includes('"errors"')).toBe(variables.s === null);
    }
  });

  it('one of several operations', async () => {
    const { answers } = await both('query A { tree { id } } query B { tree { name } }', {}, 'B');
    expect(answers[0]).toBe('{"data":{"tree":{"name":"tree 7"}}}');
    expect(answers[1]).toBe(answers[0]);
  });

  it.each([
    ['a field fails', '{ trees { id sick } }'],
    ['what must not be null is', '{ trees { id sure } tree(id: 2) { id sure } }'],
    ['the root fails', '{ tree { id } broken }'],
  ])('where %s', async (_, source) => {
    const { answers } = await both(source);
    expect(answers[0]).toContain('"errors"');
    expect(answers[0]).toBe(answers[1]);
  });

  it('variables that do not fit', async () => {
    const { answers, planned } = await both('query ($id: Int) { tree(id: $id) { id } }', { id: 'x' });
    expect(answers[0]).toContain('"errors"');
    expect(answers[0]).toBe(answers[1]);
    expect(planned).toBe(0);
  });
});

it('runs an operation that has errors by graphql-js alone, as long as it has some', async () => {
  const document = parse('query ($id: Int) { tree(id: $id) { id sick } }');
  const run = async (id: number) => {
    planned = 0;
    await runPlanned({ document, variableValues: { id }, contextValue: {} });
    return planned > 0;
  };
  expect([await run(2), await run(2), await run(1), await run(1)]).toEqual([true, false, false, true]);
});

it('ends with the request', async () => {
  const ending = AbortSignal.abort(new Error('over'));
  const operation = { document: parse('{ tree { id } }'), contextValue: {}, abortSignal: ending };
  await expect(runPlanned(operation)).rejects.toThrow('over');
});

describe('a failure of the planner', () => {
  const source = '{ tree { id path } }';
  const answer = '{"data":{"tree":{"id":7,"path":"object"}}}';

  it('is reported, answered by graphql-js, and not repeated for a minute', async () => {
    const failures: unknown[] = [];
    let now = 0;
    const run = createPlannedRunner(schema, { onFailure: (error) => failures.push(error), now: () => now });
    const document = parse(source);
    const ask = async () => JSON.stringify(await run({ document, contextValue: {} }));
    expect([await ask(), await ask(), failures.length]).toEqual([answer, answer, 1]);
    expect(failures[0]).toBeInstanceOf(TypeError);
    now = 61_000;
    expect([await ask(), await ask(), failures.length]).toEqual([answer, answer, 2]);
  });

  it('is none where graphql-js has the same error, or knows that it cannot be planned', async () => {
    const failures: unknown[] = [];
    const run = createPlannedRunner(schema, { onFailure: (error) => failures.push(error) });
    const documents = [
      '{ trees { id sick } }',
      '{ trees { id sure } tree(id: 2) { id sure } }',
      '{ tree { id } broken }',
      '{ __schema { types { name } } }',
      '{ __proto__: tree { id } }',
      'query ($s: Boolean = false) { tree { id @skip(if: $s) name } }',
    ];
    for (const each of documents) {
      await run({ document: parse(each), variableValues: { s: null }, contextValue: {} });
    }
    expect(failures).toEqual([]);
  });

  it('is none where the database does not answer: graphql-js is not tried', async () => {
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    let calls = 0;
    const run = createPlannedRunner(schema);
    const contextValue = {};
    const field = (schema.getType('Query') as GraphQLObjectType).getFields().broken;
    if (!field) throw new Error('broken');
    const { resolve: before } = field;
    field.resolve = () => {
      calls++;
      throw away;
    };
    await expect(run({ document: parse('{ broken }'), contextValue })).rejects.toBe(away);
    field.resolve = before;
    expect(calls).toBe(1);
  });
});
