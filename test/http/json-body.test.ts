import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { nestingOf, readJsonBodies } from '../../src/gateway/http/json-body.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';

describe('nesting is counted', () => {
  it.each([
    ['null', 0],
    ['{}', 1],
    ['[[],{"a":[]}]', 3],
    ['{"a":"[[[["}', 1],
    [String.raw`{"a":"\"[[[","b":[]}`, 2],
    [String.raw`{"a":"\\","b":[[]]}`, 3],
    ['"[[[', 0],
    ['[[[', 3],
    [']]]][', 0],
  ])('%s', (json, depth) => {
    expect(nestingOf(json)).toBe(depth);
  });

  it('in time that grows with the length of what is counted', () => {
    const began = performance.now();
    expect(nestingOf(`{"a":"${'\\"'.repeat(1_000_000)}"}`)).toBe(1);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

it('a body of 16 MiB that is nested as deeply as possible is rejected without parsing it', async () => {
  const app = fastify({ bodyLimit: 16 * 1_024 * 1_024 });
  readJsonBodies(app, 32);
  app.post('/', () => 'parsed');
  const depth = 8 * 1_024 * 1_024;
  const payload = '['.repeat(depth) + ']'.repeat(depth);
  const began = performance.now();
  const response = await app.inject({
    ...{ method: 'POST', url: '/', payload },
    headers: { 'content-type': 'application/json' },
  });
  // Parsing takes 4 s.
  expect(performance.now() - began).toBeLessThan(2_000);
  expect(response.json().message).toBe(`The JSON is nested ${depth} levels deep; at most 32 are allowed.`);
});

describe('the service', () => {
  const database = useDatabase();
  const service = useApp(database, { MAX_JSON_DEPTH: '10', INTROSPECTION: 'false', MAX_QUERY_DEPTH: '3' });
  const request = (payload: string | Buffer) =>
    service.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': service.key('full'), 'content-type': 'application/json' },
      payload,
    });
  it.each([
    ['a lone byte', '22ff22'],
    ['half a character', '22e2822c22'],
    ['an overlong slash', '22c0af22'],
    ['a surrogate', '22eda08022'],
    ['a code point above U+10FFFF', '22f490808022'],
    ['Latin-1', Buffer.from('"é"', 'latin1').toString('hex')],
    ['UTF-16', Buffer.from('\ufeff"a"', 'utf16le').toString('hex')],
  ])('rejects a body that is not UTF-8: %s', async (_, hex) => {
    const body = Buffer.concat([
      Buffer.from('{"query":"{ __typename }","operationName":'),
      Buffer.from(hex, 'hex'),
      Buffer.from('}'),
    ]);
    const response = await request(body);
    expect(response.statusCode).toBe(400);
    expect(response.json().errors).toEqual([
      { message: 'The request body is not valid UTF-8.', extensions: { code: 'INVALID_REQUEST' } },
    ]);
  });

  it('accepts every character of UTF-8', async () => {
    const query = 'query ($t: String!) { people(name: $t) { totalCount } }';
    const response = await request(JSON.stringify({ query, variables: { t: 'é ab ∀ 𝄞 \ufffd' } }));
    expect(response.json()).toEqual({ data: { people: { totalCount: 0 } } });
  });

  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const withVariables = (depth: number) => `{"query":"{ __typename }","variables":{"a":${nested(depth - 2)}}}`;

  it('accepts a body with the maximum nesting depth', async () => {
    expect((await request(withVariables(10))).json()).toEqual({ data: { __typename: 'Query' } });
  });

  it.each([11, 50, 30_000])('rejects %d levels, with the actual and the allowed number', async (depth) => {
    const response = await request(withVariables(depth));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      errors: [
        {
          message: `The JSON is nested ${depth} levels deep; at most 10 are allowed.`,
          extensions: { code: 'INVALID_REQUEST' },
        },
      ],
    });
  });

  it('reports the size of a body that is too large', async () => {
    const response = await request(' '.repeat(70_000));
    expect(response.statusCode).toBe(413);
    expect(response.json().errors[0].message).toBe(
      'The request body has 70000 bytes; at most 65536 bytes are allowed.',
    );
  });

  it('does not reveal its schema if introspection is disabled', async () => {
    for (const query of ['{ __schema { types { name } } }', '{ __type(name: "Query") { name } }']) {
      const response = await request(JSON.stringify({ query }));
      expect(response.json().data).toBeUndefined();
      expect(response.json().errors[0].message).toMatch(/introspection/);
    }
    expect((await request('{"query":"{ __typename }"}')).json()).toEqual({ data: { __typename: 'Query' } });
  });

  it('applies the limits of its configuration', async () => {
    const query = '{ district(databaseId: 1) { offices { officeholders { id: databaseId } } } }';
    expect((await request(JSON.stringify({ query }))).json().errors[0].message).toMatch(
      /has 4 levels of fields; at most 3/,
    );
  });
});
