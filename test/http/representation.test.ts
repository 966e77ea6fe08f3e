import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/gateway/graphql/documents/trusted-documents.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';

const database = useDatabase();
const services = [
  useApp(database, { RESPONSE_CACHE_BYTES: '0' }),
  useApp(database, { RESPONSE_CACHE_BYTES: '1000000' }),
];
const addresses: string[] = [];
beforeAll(async () => {
  await createElectionWorld(database.db);
  for (const { app } of services) addresses.push(await app.listen({ port: 0, host: '127.0.0.1' }));
});

interface TestResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** Sends a request over a socket and returns the response undecoded. */
function send(path: string, headers: Record<string, string> = {}, { method = 'GET', body = '', service = 1 } = {}) {
  return new Promise<TestResponse>((resolve, reject) => {
    const key = headers['x-api-key'] ?? services[service]?.key('full') ?? '';
    const sent = request(
      addresses[service] + path,
      { method, headers: { ...headers, 'x-api-key': key } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    sent.on('error', reject).end(body);
  });
}

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };
const operation = `query ($day: Date!) { location(latitude: 42, longitude: -98) {
  ballot(electionDate: $day) { districts { races { id: databaseId type stageType year office { id: databaseId name level branch }
  candidates { id: databaseId status votes share person { id: databaseId name firstName lastName url contacts { type value } } } } } } } }`;
const persisted = new URLSearchParams({
  variables: '{"day":"2022-11-08"}',
  extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash: sha256(operation) } }),
});
const PATHS = {
  'a ballot over REST': '/data/elections_by_point?lat=42&long=-98&election_date=2022-11-08&collections=contact',
  'a persisted operation': `/graphql?${persisted}`,
};
const JSON_ACCEPTED = { accept: 'application/json' };
/** An Accept header that has the same meaning but is rarely sent. */
const UNCOMMON = { accept: 'application/json;q=0.9, text/x-other' };
beforeAll(async () => {
  const extensions = JSON.parse(persisted.get('extensions') ?? '');
  const body = JSON.stringify({ query: operation, variables: { day: '2022-11-08' }, extensions });
  for (const service of services.keys()) {
    const registered = await send(
      '/graphql',
      { 'content-type': 'application/json' },
      { method: 'POST', body, service },
    );
    expect(registered.status).toBe(200);
  }
});

// With @fastify/etag and @fastify/compress most of these fail, and most of late-response.test.ts.
describe.each(Object.entries(PATHS))('%s', (_, path) => {
  it.each(['br', 'gzip', 'identity'] as const)(
    'in the coding %s has the same bytes, and its own strong tag',
    async (coding) => {
      const plain = await send(path, JSON_ACCEPTED);
      const coded = await send(path, { ...JSON_ACCEPTED, 'accept-encoding': coding });
      expect(plain.body.length).toBeGreaterThan(1_024);
      expect(DECODERS[coding](coded.body)).toEqual(plain.body);
      expect(coded.headers['content-length']).toBe(String(coded.body.length));
      expect(coded.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
      expect(coded.headers.etag).toMatch(/^"[^"]+"$/);
      if (coding !== 'identity') {
        expect(coded.body.length).toBeLessThan(plain.body.length / 2);
        expect(coded.headers.etag).not.toBe(plain.headers.etag);
      }
      for (const { headers } of [plain, coded]) {
        expect(headers['cache-control']).toBe('private, no-cache');
        expect(headers.vary).toMatch(/^Origin, X-API-Key.*, Accept-Encoding$/);
      }
    },
  );

  it('is 304 for a client that has this representation, but not for another one', async () => {
    for (const coding of ['br', 'gzip', 'identity']) {
      const headers = { ...JSON_ACCEPTED, 'accept-encoding': coding };
      const { etag = '' } = (await send(path, headers)).headers;
      const known = await send(path, { ...headers, 'if-none-match': `"other", W/${etag}` });
      expect([known.status, known.body.length]).toEqual([304, 0]);
      expect(known.headers).toMatchObject({ etag, 'cache-control': 'private, no-cache' });
      expect(known.headers).not.toHaveProperty('content-encoding');
      expect(known.headers).not.toHaveProperty('content-type');
      expect(known.headers.vary).toContain('Accept-Encoding');
      const head = await send(path, { ...headers, 'if-none-match': String(etag) }, { method: 'HEAD' });
      expect([head.status, head.headers.etag, head.headers['content-length']]).toEqual([304, etag, undefined]);
      const other = coding === 'br' ? 'gzip' : 'br';
      const mixed = await send(path, { ...headers, 'accept-encoding': other, 'if-none-match': String(etag) });
      expect(mixed.status).toBe(200);
    }
  });

  it('is not 304 for the tag of another package', async () => {
    const { etag = '' } = (await send(path, JSON_ACCEPTED)).headers;
    const other = await send(path, {
      ...JSON_ACCEPTED,
      'if-none-match': String(etag),
      'x-api-key': services[1]?.key('no-results') ?? '',
    });
    expect(other.status).toBe(200);
  });

  it('is the same, including its tag, with and without cached responses, the first and the second time', async () => {
    const responses = [];
    for (const service of [0, 1, 1]) responses.push(await send(path, JSON_ACCEPTED, { service }));
    for (const { headers, body } of responses) {
      expect(body).toEqual(responses[0]?.body);
      expect(headers.etag).toBe(responses[0]?.headers.etag);
    }
  });

  it('responds to HEAD with the headers of GET', async () => {
    for (const coding of ['gzip', 'identity']) {
      const headers = { ...JSON_ACCEPTED, 'accept-encoding': coding };
      const [got, head] = [await send(path, headers), await send(path, headers, { method: 'HEAD' })];
      expect([head.status, head.body.length]).toEqual([200, 0]);
      for (const name of ['etag', 'vary', 'content-type', 'content-length', 'content-encoding']) {
        expect(head.headers[name], name).toBe(got.headers[name]);
      }
    }
  });

  it('is compressed only if the client requests it', async () => {
    for (const accepted of ['identity', 'gzip;q=0', '*;q=0', 'nonsense', '']) {
      const { status, headers } = await send(path, { ...JSON_ACCEPTED, 'accept-encoding': accepted });
      expect([status, headers['content-encoding']]).toEqual([200, undefined]);
    }
    const preferred = await send(path, { ...JSON_ACCEPTED, 'accept-encoding': 'br;q=0.5, GZIP' });
    expect(preferred.headers['content-encoding']).toBe('gzip');
  });
});

it('a persisted operation has the same tag for all accepted media types', async () => {
  const path = PATHS['a persisted operation'];
  const [usual, uncommon] = [await send(path, JSON_ACCEPTED), await send(path, UNCOMMON)];
  expect(uncommon.body).toEqual(usual.body);
  expect(uncommon.headers.etag).toBe(usual.headers.etag);
  expect(uncommon.headers.vary).toBe('Origin, X-API-Key, Accept, Accept-Encoding');
});

it('a POST is compressed too, and has no tag', async () => {
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'br' };
  const body = JSON.stringify({ query: operation, variables: { day: '2022-11-08' } });
  const response = await send('/graphql', headers, { method: 'POST', body });
  expect(response.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Origin, Accept-Encoding' });
  expect(response.headers).not.toHaveProperty('etag');
  expect(JSON.parse(brotliDecompressSync(response.body).toString())).toHaveProperty('data.location.ballot');
});

it('neither small responses nor errors are compressed, and errors are not cached', async () => {
  const small = await send('/graphql?query={__typename}', { ...JSON_ACCEPTED, 'accept-encoding': 'br' });
  expect(small.headers).not.toHaveProperty('content-encoding');
  expect(small.headers.etag).toBeDefined();
  for (const path of ['/data/elections_by_point?lat=x', '/graphql?query={nothing}']) {
    const rejected = await send(path, { ...JSON_ACCEPTED, 'accept-encoding': 'br', 'if-none-match': '*' });
    expect(rejected.body.toString()).toMatch(/"errors":\[\{/);
    expect(rejected.headers).not.toHaveProperty('etag');
    expect(rejected.headers).not.toHaveProperty('content-encoding');
  }
});

it('pages are compressed too', async () => {
  const page = await send('/docs', { 'accept-encoding': 'gzip' });
  expect(gunzipSync(page.body).toString()).toContain('</html>');
});
