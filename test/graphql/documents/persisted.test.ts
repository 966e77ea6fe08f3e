import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  MANIFEST,
  readTrustedDocuments,
  sha256,
  writeManifest,
} from '../../../src/gateway/graphql/documents/trusted-documents.ts';
import { schema } from '../../../src/graph/schema.ts';
import { type TestApp, useApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { knowDocuments } from '../../support/responses/check.ts';

const folder = await mkdtemp(join(tmpdir(), 'persisted-'));
afterAll(() => rm(folder, { recursive: true }));
await writeFile(
  join(folder, 'client.graphql'),
  `query CountOfDistricts($state: String) { districts(state: $state) { ...Count } }
   query Nothing { __typename }
   fragment Count on DistrictConnection { totalCount }`,
);
await writeManifest(folder, schema);
const ids = Object.entries(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Record<string, string>);
knowDocuments(ids.map(([, text]) => text));
const idOf = (name: string) => ids.find(([, text]) => text.includes(`query ${name}`))?.[0] ?? '';

const database = useDatabase();
const open = useApp(database, { PERSISTED_DIR: folder });
const closed = useApp(database, { PERSISTED_DIR: folder, PERSISTED_ONLY: 'true' });

const post = (service: TestApp, payload: object, key = service.key('full')) =>
  service.app.inject({ method: 'POST', url: '/graphql', headers: { 'x-api-key': key }, payload });
const get = (service: TestApp, parameters: Record<string, string>) =>
  service.app.inject({
    url: `/graphql?${new URLSearchParams(parameters)}`,
    headers: { 'x-api-key': service.key('full'), accept: 'application/json' },
  });
const codeOf = (response: { json(): { errors: { extensions: { code: string } }[] } }) =>
  response.json().errors[0]?.extensions.code;

describe('a manifest', () => {
  it('has each operation with its fragments, by the hash of its text', () => {
    expect(ids).toHaveLength(2);
    for (const [id, text] of ids) expect(id).toBe(`sha256:${sha256(text)}`);
    expect(ids.map(([, text]) => text).join()).toContain('fragment Count');
  });

  it("is also accepted in Apollo's format, and rejected if it is invalid or does not match the schema", async () => {
    const other = await mkdtemp(join(tmpdir(), 'persisted-'));
    const file = join(other, 'm.json');
    const operations = [{ id: 'abc', type: 'query', name: 'A', body: 'query A { __typename }' }];
    await writeFile(file, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
    expect([...(await readTrustedDocuments(other, schema))]).toEqual([
      ['abc', { name: 'A', text: 'query A { __typename }' }],
    ]);
    await writeFile(file, '{"a":1}');
    await expect(readTrustedDocuments(other, schema)).rejects.toThrow(/m\.json: it is not a manifest/);
    await writeFile(file, '{"a":"{ secret }"}');
    await expect(readTrustedDocuments(other, schema)).rejects.toThrow(/m\.json: Cannot query field "secret"/);
    await rm(other, { recursive: true });
  });
});

describe('a trusted document', () => {
  it('is executed by its id, by POST and by GET, with variables', async () => {
    const [documentId, variables] = [idOf('CountOfDistricts'), { state: 'VT' }];
    const expected = { data: { districts: { totalCount: 0 } } };
    for (const service of [open, closed]) {
      expect((await post(service, { documentId, variables })).json()).toEqual(expected);
      expect((await post(service, { documentId: documentId.slice(7), variables })).json()).toEqual(expected);
      for (const sha256Hash of [documentId, documentId.slice(7)]) {
        const extensions = { persistedQuery: { version: 1, sha256Hash } };
        expect((await post(service, { extensions, variables })).json()).toEqual(expected);
        const inAddress = { extensions: JSON.stringify(extensions), variables: JSON.stringify(variables) };
        expect((await get(service, inAddress)).json()).toEqual(expected);
      }
      expect((await get(service, { documentId, variables: JSON.stringify(variables) })).json()).toEqual(expected);
    }
  });

  it('needs a key like any other', async () => {
    expect((await post(closed, { documentId: idOf('Nothing') }, 'none')).statusCode).toBe(401);
  });

  it.each([['sha256:0000'], ['../../etc/passwd'], ['__proto__'], [1], [{}]])(
    'is not found by %j',
    async (documentId) => {
      const response = await post(open, { documentId });
      expect(response.statusCode).toBe(400);
      expect(codeOf(response)).toBe('PERSISTED_DOCUMENT_NOT_FOUND');
    },
  );

  it('is not requested by null, and null beside its id or hash is no other document', async () => {
    const expected = { data: { __typename: 'Query' } };
    const documentId = idOf('Nothing');
    const extensions = { persistedQuery: { version: 1, sha256Hash: documentId } };
    expect((await post(open, { query: '{ __typename }', documentId: null })).json()).toEqual(expected);
    expect((await post(open, { query: null, documentId })).json()).toEqual(expected);
    expect((await post(open, { query: null, extensions })).json()).toEqual(expected);
    const neither = await post(open, { query: null, documentId: null });
    expect([neither.statusCode, codeOf(neither)]).toEqual([400, 'INVALID_REQUEST']);
    expect(codeOf(await post(closed, { query: '{ __typename }', documentId: null }))).toBe('PERSISTED_DOCUMENTS_ONLY');
  });

  it('is the only kind of document that is executed in the restricted mode', async () => {
    const query = '{ __typename }';
    const registered = { query, extensions: { persistedQuery: { version: 1, sha256Hash: sha256(query) } } };
    for (const payload of [{ query }, registered, {}, { query, documentId: idOf('Nothing') }]) {
      const response = await post(closed, payload);
      expect(response.statusCode).toBe(400);
      expect(codeOf(response)).toMatch(/^PERSISTED_DOCUMENT/);
    }
    expect((await get(closed, { query })).statusCode).toBe(400);
    expect((await post(open, { query })).statusCode).toBe(200);
  });
});

describe('an automatic persisted query', () => {
  const persistedQuery = (query: string) => ({ persistedQuery: { version: 1, sha256Hash: sha256(query) } });

  it('is registered once and then found by its hash, by POST and by GET', async () => {
    const query = '{ districts(state: "VT") { totalCount } }';
    const extensions = persistedQuery(query);
    const unknown = await post(open, { extensions });
    expect(unknown.statusCode).toBe(200);
    expect(unknown.json()).toEqual({
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    });
    const expected = { data: { districts: { totalCount: 0 } } };
    expect((await post(open, { query, extensions })).json()).toEqual(expected);
    expect((await post(open, { extensions })).json()).toEqual(expected);
    expect((await get(open, { extensions: JSON.stringify(extensions) })).json()).toEqual(expected);
  });

  it('is the same with and without the prefix of its hash', async () => {
    const query = '{ races { totalCount } }';
    const hashOf = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });
    const expected = { data: { races: { totalCount: 0 } } };
    const wrong = await post(open, { query: '{ __typename }', extensions: hashOf(`sha256:${sha256(query)}`) });
    expect(codeOf(wrong)).toBe('PERSISTED_QUERY_HASH_MISMATCH');
    expect((await post(open, { query, extensions: hashOf(`sha256:${sha256(query)}`) })).json()).toEqual(expected);
    for (const hash of [sha256(query), `sha256:${sha256(query)}`]) {
      expect((await post(open, { extensions: hashOf(hash) })).json()).toEqual(expected);
    }
  });

  it('is not registered by a rejected request: another hash, an error, a limit, no key', async () => {
    const wrong = await post(open, { query: '{ __typename }', extensions: persistedQuery('{ other }') });
    expect(wrong.statusCode).toBe(400);
    expect(codeOf(wrong)).toBe('PERSISTED_QUERY_HASH_MISMATCH');
    for (const [query, key] of [
      ['{ secret }'],
      ['{ a'],
      [`{ ${Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(' ')} }`],
      ['{ __typename @skip(if: false) }', 'none'],
    ]) {
      await post(open, { query, extensions: persistedQuery(query ?? '') }, key);
      expect(codeOf(await post(open, { extensions: persistedQuery(query ?? '') }))).toBe('PERSISTED_QUERY_NOT_FOUND');
    }
  });

  it.each([
    [{ persistedQuery: { version: 2, sha256Hash: 'a'.repeat(64) } }],
    [{ persistedQuery: { version: 1, sha256Hash: 'short' } }],
    [{ persistedQuery: { version: 1, sha256Hash: 1 } }],
    [{ persistedQuery: { version: 1, sha256Hash: 'sha256:' } }],
    [{ persistedQuery: { version: 1, sha256Hash: `sha256:sha256:${'a'.repeat(64)}` } }],
    [{ persistedQuery: { version: 1, sha256Hash: `md5:${'a'.repeat(64)}` } }],
    [{ persistedQuery: { version: 1, sha256Hash: 'A'.repeat(64) } }],
    [{ persistedQuery: 'x' }],
  ])('in another format is rejected: %j', async (extensions) => {
    const response = await post(open, { query: '{ __typename }', extensions });
    expect(response.statusCode).toBe(400);
    expect(codeOf(response)).toBe('INVALID_REQUEST');
  });

  it('is evicted after a thousand others were registered', async () => {
    const register = (query: string) => post(open, { query, extensions: persistedQuery(query) });
    await register('{ a0: __typename }');
    for (let n = 1; n <= 1_000; n++) await register(`{ a${n}: __typename }`);
    const first = await post(open, { extensions: persistedQuery('{ a0: __typename }') });
    expect(codeOf(first)).toBe('PERSISTED_QUERY_NOT_FOUND');
    const last = await post(open, { extensions: persistedQuery('{ a1000: __typename }') });
    expect(last.json()).toEqual({ data: { a1000: 'Query' } });
  });
});

it('JSON in a URL is subject to the limits of a body', async () => {
  const nested = `${'['.repeat(100)}${']'.repeat(100)}`;
  for (const name of ['variables', 'extensions']) {
    const deep = await get(open, { query: '{ __typename }', [name]: `{"a":${nested}}` });
    expect(deep.statusCode).toBe(400);
    expect(deep.json().errors[0].message).toMatch(/nested 101 levels deep; at most 32/);
    expect((await get(open, { query: '{ __typename }', [name]: '{' })).statusCode).toBe(400);
  }
});

it('a hash that is sent with the id of a trusted document is not registered for its text', async () => {
  const text = '{ elections(first: 1) { totalCount } }';
  const extensions = { persistedQuery: { version: 1, sha256Hash: sha256(text) } };
  expect((await post(open, { documentId: idOf('Nothing'), extensions })).json()).toEqual({
    data: { __typename: 'Query' },
  });
  expect(codeOf(await post(open, { extensions }))).toBe('PERSISTED_QUERY_NOT_FOUND');
  expect((await post(open, { query: text, extensions })).json()).toEqual({ data: { elections: { totalCount: 0 } } });
  expect((await post(open, { extensions })).json()).toEqual({ data: { elections: { totalCount: 0 } } });
});
