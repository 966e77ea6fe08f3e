import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLObjectType,
  GraphQLString,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { lengthLimitOf } from '../../src/gateway/graphql/documents/text-arguments.ts';
import { schema } from '../../src/graph/schema.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { expectHarmless } from './expect-harmless.ts';

const database = useDatabase();
const service = useApp(database);
beforeAll(() => createElectionWorld(database.db));

async function send(query: string, variables: Record<string, unknown> = {}) {
  const key = service.key('full');
  const began = performance.now();
  const response = await service.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    payload: JSON.stringify({ query, variables }),
  });
  expectHarmless(response, { key, ms: performance.now() - began });
  return response;
}

const REQUIRED: Readonly<Record<string, string>> = {
  ID: '"AA"',
  IdentifierInput: '[{ scheme: "AA", value: "AA" }]',
  Int: '1',
  String: '"AA"',
  Date: '"2022-11-08"',
  DistrictType: 'CONGRESS',
  Latitude: '42',
  Longitude: '-98',
  ResultUnit: 'PRECINCT',
  PointInput: '[{ latitude: 42, longitude: -98 }]',
};

/** `name(arguments) { below }` of a field, the arguments that it requires filled in. */
function select(field: GraphQLField<unknown, unknown>, given: Record<string, string>, below: string): string {
  const required = field.args
    .filter(isRequiredArgument)
    .map(({ name, type }) => [name, REQUIRED[getNamedType(type).name]]);
  const args = Object.entries({ ...Object.fromEntries(required), ...given }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${isCompositeType(getNamedType(field.type)) ? ` { ${below} }` : ''}`;
}

/** A position that accepts a text: an argument, or a field within an input object. */
interface TextPosition {
  /** As errors name it. */
  readonly name: string;
  readonly limit: number;
  /** A document with the text as a literal, or as the variable `$t` of a type. */
  document(value: string): string;
  readonly type: string;
}

/** Returns every such position in the schema, with the path to it. */
function textPositions(): TextPosition[] {
  const positions: TextPosition[] = [];
  const seen = new Set<string>();
  const open: { type: GraphQLObjectType; wrap: (inner: string) => string }[] = [
    { type: schema.getQueryType() as GraphQLObjectType, wrap: (inner) => inner },
  ];
  for (let next = open.shift(); next; next = open.shift()) {
    const { type, wrap } = next;
    for (const field of Object.values(type.getFields())) {
      for (const argument of field.args) {
        const document = (value: string) => wrap(select(field, { [argument.name]: value }, '__typename'));
        positions.push(...positionsIn(argument, argument.name, argument.type, (value) => value, document));
      }
      const inner = getNamedType(field.type);
      if (!isObjectType(inner) || seen.has(inner.name)) continue;
      seen.add(inner.name);
      open.push({ type: inner, wrap: (below) => wrap(select(field, {}, below)) });
    }
  }
  return positions;
}

function positionsIn(
  input: Pick<GraphQLArgument, 'extensions'>,
  name: string,
  type: GraphQLInputType,
  within: (value: string) => string,
  document: (value: string) => string,
): TextPosition[] {
  const named = getNamedType(type);
  if (named === GraphQLString) {
    const isList = isListType(type) || String(type).startsWith('[');
    const put = (value: string) => document(within(isList && !value.startsWith('$') ? `[${value}]` : value));
    return [{ name, limit: lengthLimitOf(input), document: put, type: String(type) }];
  }
  if (!isInputObjectType(named)) return [];
  const fields = Object.values(named.getFields());
  return fields.flatMap((field) => {
    const others = fields.filter((other) => other !== field && isRequiredInputField(other));
    const required = others.map((other) => `, ${other.name}: ${REQUIRED[getNamedType(other.type).name]}`).join('');
    const put = (value: string) => within(`{ ${field.name}: ${value}${required} }`);
    // A variable for the only field of an input may not be null.
    const type = named.isOneOf ? new GraphQLNonNull(getNullableType(field.type)) : field.type;
    return positionsIn(field, `${name}.${field.name}`, type, put, document);
  });
}

const positions = textPositions();
const HOSTILE = {
  NUL: { text: 'ab\0', literal: '"ab\\u0000"', reason: /NUL/ },
  '60,000 characters': {
    text: 'x'.repeat(60_000),
    literal: `"${'x'.repeat(60_000)}"`,
    reason: /at most \d+ characters/,
  },
  'half of a surrogate pair': { text: 'ab\ud800', literal: undefined, reason: /surrogate/ },
} as const;

it('finds the text arguments of the schema', () => {
  expect(positions.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['name', 'ocdId', 'geoId', 'state', 'after', 'filter.state', 'filter.types']),
  );
});

describe.each(positions.map((position) => [position.document('…').slice(0, 80), position] as const))(
  '%s',
  (_, position) => {
    it.each(Object.entries(HOSTILE))('%s: rejected with 400, by name', async (__, { text, literal, reason }) => {
      const isList = position.type.startsWith('[');
      const withVariable = `query ($t: ${position.type}) { ${position.document('$t')} }`;
      const withDefault = `query ($t: ${position.type.replace(/!$/, '')} = ${literal}) { ${position.document('$t')} }`;
      const responses = [
        await send(withVariable, { t: isList ? ['General', text] : text }),
        ...(literal ? [await send(`{ ${position.document(literal)} }`)] : []),
        ...(literal && !position.type.endsWith('!') ? [await send(withDefault)] : []),
      ];
      for (const response of responses) {
        expect(response.statusCode, response.body).toBe(400);
        const [error] = response.json().errors;
        expect(error.message).toMatch(reason);
        expect(error.extensions).toMatchObject({ code: 'INVALID_PARAMETER', parameters: [{ name: position.name }] });
        if (text.length > 1_000) expect(error.message).toContain(`at most ${position.limit} characters`);
        expect(response.body.length).toBeLessThan(1_000);
      }
    });

    it('one character more than its limit: rejected; as many as its limit: not for its length', async () => {
      const withVariable = `query ($t: ${position.type}) { ${position.document('$t')} }`;
      const of = (length: number) => (position.type.startsWith('[') ? ['x'.repeat(length)] : 'x'.repeat(length));
      expect((await send(withVariable, { t: of(position.limit + 1) })).statusCode).toBe(400);
      expect((await send(withVariable, { t: of(position.limit) })).body).not.toContain('characters');
    });

    it('a literal lone surrogate: a syntax error', async () => {
      const { data, errors } = (await send(`{ ${position.document('"\\uD800"')} }`)).json();
      expect(data).toBeUndefined();
      expect(errors).toHaveLength(1);
    });
  },
);

describe('forged cursors', () => {
  const cursors: readonly unknown[] = [
    ['County', 'x', 2_147_483_648],
    ['County', 'x', -2_147_483_649],
    ['County', 'x', 1.5],
    ['County', 'x', 1e308],
    ['County', 'x', null],
    ['County', 'x', '1'],
    ['County', 'a\0', 1],
    ['County', 'a\ud800', 1],
    ['Bogus', 'x', 1],
    ['County', 'x', 1, 2],
    ['a', 2_147_483_648],
    ['a\0', 1],
    ['a\ud800', 1],
    [1, 'a'],
    ['a'],
    [9_007_199_254_740_991],
    [-1],
    [0.5],
    [],
    {},
    null,
    'text',
    JSON.parse('['.repeat(700) + ']'.repeat(700)),
  ];
  const connections = Object.values((schema.getQueryType() as GraphQLObjectType).getFields()).filter(
    ({ args, type }) => args.some(({ name }) => name === 'after') && String(type).includes('Connection'),
  );
  const texts = [
    ...cursors.map((cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url')),
    ...['!', '%00', 'bm9uc2Vuc2U', '\u{1F600}'],
  ];

  it.each(connections.map((field) => [field.name, field] as const))('of %s: rejected by name', async (_, field) => {
    const document = select(field, { after: '$after' }, 'edges { cursor }');
    for (const after of texts) {
      // Every integer is a position in the order of party codes, and of the numbers of districts.
      if (['parties', 'stateBallot'].includes(field.name) && after === Buffer.from('[-1]').toString('base64url'))
        continue;
      const response = await send(`query ($after: String) { ${document} }`, { after });
      const [error] = response.json().errors ?? [];
      expect(error?.extensions.code, `${after}: ${response.body}`).toBe('INVALID_PARAMETER');
      expect(error?.message).toMatch(/^after must be a cursor/);
    }
  });
});
