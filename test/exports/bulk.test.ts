import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { addOrigin } from '../../src/gateway/access/access.store.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createWorld } from '../support/world.ts';
import { BACKEND, useFolder } from './support.ts';

const QUERIES = {
  people: '-- title: People\n-- description: All of them\nselect id, name from persons order by id',
  offices: '-- title: Offices\n-- description: By id\n-- grants: elections\nselect id, name from offices order by id',
  secrets: '-- title: Secrets\n-- description: Not to be had\nselect prefix from api_keys',
  places: '-- title: Places\n-- description: d\n-- grants: boundaries\nselect id, geometry from boundaries order by id',
  winners: '-- title: Winners\n-- description: d\n-- grants: results\nselect 1 as one',
  slow: `-- title: Slow\n-- description: d\n-- grants: results\nselect g, repeat(md5(g::text), 200) as text
    from generate_series(1, 60000) g`,
  broken: '-- title: Broken\nselect 1',
};

const database = useDatabase();
const folder = useFolder();
beforeAll(async () => {
  await mkdir(join(folder.path, 'queries'));
  for (const [id, text] of Object.entries(QUERIES)) await writeFile(join(folder.path, 'queries', `${id}.sql`), text);
  await createWorld(database.db);
  await addOrigin(database.db, 'https://page.example');
});
const environment = {
  get QUERIES_DIR() {
    return join(folder.path, 'queries');
  },
  get FILES_DIR() {
    return join(folder.path, 'files');
  },
};
const service = useApp(database, environment, BACKEND);

type Headers = Record<string, string>;
const list = (headers: Headers) => service.app.inject({ url: '/getQueryList', headers });
const request = (payload: unknown, headers: Headers = { 'x-api-key': service.key('full') }) =>
  service.app.inject({
    method: 'POST',
    url: '/getQueryResults',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
const fetchFile = (url: string) =>
  service.app.inject({ url: new URL(url, 'http://localhost').pathname + new URL(url, 'http://localhost').search });

describe('the list', () => {
  it('has the queries of the package, in the envelope', async () => {
    const response = await list({ 'x-api-key': service.key('full') });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      success: true,
      data: [
        { id: 'offices', title: 'Offices', description: 'By id' },
        { id: 'people', title: 'People', description: 'All of them' },
        { id: 'places', title: 'Places', description: 'd' },
        { id: 'secrets', title: 'Secrets', description: 'Not to be had' },
        { id: 'slow', title: 'Slow', description: 'd' },
        { id: 'winners', title: 'Winners', description: 'd' },
      ],
      message: null,
    });
    const without = await list({ 'x-api-key': service.key('no-results') });
    expect(without.json().data.map(({ id }: { id: string }) => id)).toEqual(['offices', 'people', 'places', 'secrets']);
  });

  it('is available in GraphQL by the same rules', async () => {
    const inGraph = async (key: string) => {
      const response = await service.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': service.key(key) },
        payload: { query: '{ bulkQueries { id title description } }' },
      });
      return response.json().data.bulkQueries;
    };
    expect(await inGraph('full')).toEqual((await list({ 'x-api-key': service.key('full') })).json().data);
    expect(await inGraph('no-results')).toHaveLength(4);
    expect(await inGraph('lookup')).toBeNull();
  });
});

describe('a download', () => {
  it('is a link to the file, with the three parameters, for five minutes', async () => {
    const before = Date.now() / 1_000;
    const response = await request({ id: 'people', format: 'json', more: 'is passed over' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toContain('no-store');
    expect(response.json()).toEqual({ success: true, data: { url: expect.any(String) }, message: 'Success' });
    const url = new URL(response.json().data.url, 'http://localhost');
    expect([...url.searchParams.keys()]).toEqual(['AWSAccessKeyId', 'Expires', 'Signature']);
    expect(Number(url.searchParams.get('Expires')) - before).toBeGreaterThan(298);
    expect(Number(url.searchParams.get('Expires')) - before).toBeLessThan(302);
    expect(url.pathname).toMatch(/^\/files\/\d+\/[0-9a-f-]{36}\/people_2026-07-01\.json$/);
    expect((await request({ id: 'people', format: 'json' })).json().data.url).not.toBe(url.href);
  });

  it('contains every row, the same in every format', async () => {
    const counted = await database.db
      .selectFrom('persons')
      .select((all) => all.fn.countAll<number>().as('n'))
      .execute();
    const files = await Promise.all(
      ['json', 'csv', 'ndjson'].map(async (format) =>
        fetchFile((await request({ id: 'people', format })).json().data.url),
      ),
    );
    const [json, csv, ndjson] = files.map((file) => file.body);
    const rows = JSON.parse(json ?? '');
    expect(rows).toHaveLength(counted[0]?.n ?? 0);
    expect(rows[0]).toEqual({ id: 1, name: 'Ada Able' });
    expect(parse(csv ?? '', { columns: true })).toEqual(
      rows.map((row: object) => ({ ...row, id: String(rows.indexOf(row) + 1) })),
    );
    expect(
      ndjson
        ?.trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(rows);
    expect(files.map((file) => file.headers['content-type'])).toEqual([
      'application/json',
      'text/csv; charset=utf-8; header=present',
      'application/x-ndjson',
    ]);
  });

  it('is a separate link to one file for each of a hundred concurrent callers', async () => {
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => request({ id: 'offices', format: 'ndjson' })),
    );
    const urls: string[] = responses.map((response) => response.json().data.url);
    expect(new Set(urls).size).toBe(100);
    expect(new Set(urls.map((url) => new URL(url, 'http://localhost').pathname)).size).toBe(1);
  });

  it('ends its query after all clients have disconnected', async () => {
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    const leaving = new AbortController();
    const requested = fetch(`${address}/getQueryResults`, {
      method: 'POST',
      headers: { 'x-api-key': service.key('full'), 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'slow', format: 'csv' }),
      signal: leaving.signal,
    });
    const left = expect(requested).rejects.toThrow();
    const unfinished = async () => {
      const names = await readdir(environment.FILES_DIR);
      const own = names.find((name) => name.startsWith('.unfinished'));
      return own ? (await readdir(join(environment.FILES_DIR, own))).length : 0;
    };
    await expect.poll(unfinished, { timeout: 5_000 }).toBe(1);
    leaving.abort();
    await left;
    await expect.poll(unfinished, { timeout: BACKEND === 'server' ? 1_500 : 10_000 }).toBe(0);
  });

  it('of a geometry is GeoJSON', async () => {
    const file = await fetchFile((await request({ id: 'places', format: 'geojson' })).json().data.url);
    expect(file.headers['content-type']).toBe('application/geo+json');
    expect(file.json()).toMatchObject({ type: 'FeatureCollection', features: expect.any(Array) });
    expect(file.json().features).toHaveLength(8);
    expect(file.json().features[0].geometry.type).toBe('MultiPolygon');
  });
});

describe('rejections, in the envelope', () => {
  const rejected = (status: number, message: RegExp) => ({
    success: false,
    data: {},
    status,
    message: expect.stringMatching(message),
  });

  it.each([
    ['no key', {}],
    ['an unknown key', { 'x-api-key': `bg_abcdefgh_${'x'.repeat(43)}` }],
  ])('%s, before anything else is checked', async (_, headers: Headers) => {
    for (const response of [await list(headers), await request('{ no json', headers), await request({}, headers)]) {
      expect(response.statusCode).toBe(401);
      expect(response.headers['www-authenticate']).toBe('ApiKey');
      expect(response.json()).toMatchObject(rejected(401, /x-api-key/));
    }
  });

  it('a package without the grant, before the body is read', async () => {
    const headers = { 'x-api-key': service.key('lookup') };
    for (const response of [
      await list(headers),
      await request({ id: 'people', format: 'json' }, headers),
      await request('{', headers),
    ]) {
      expect(response.json()).toMatchObject(rejected(403, /bulk download endpoint is not available in your package/));
    }
  });

  it.each([
    ['no id', { format: 'json' }, /^id must/, ['id']],
    ['no format', { id: 'people' }, /^format must be one of json, csv, ndjson, geojson/, ['format']],
    ['neither', {}, /^id .* format /, ['id', 'format']],
    ['a format that does not exist', { id: 'people', format: 'xml' }, /^format must be one of json, csv/, ['format']],
    ['a format in capitals', { id: 'people', format: 'CSV' }, /^format must/, ['format']],
    ['a list of formats', { id: 'people', format: ['csv'] }, /^format must/, ['format']],
    ['a number as id', { id: 1, format: 'csv' }, /^id must/, ['id']],
    ['a path as id', { id: '../../etc/passwd', format: 'csv' }, /^id must/, ['id']],
    ['an encoded path as id', { id: 'q%2f..', format: 'csv' }, /^id must/, ['id']],
    ['an id of 10 KB', { id: 'x'.repeat(10_000), format: 'csv' }, /^id must/, ['id']],
    ['an id in another script', { id: 'pеople', format: 'csv' }, /^id must/, ['id']],
    ['an id with a line break', { id: 'people\n', format: 'csv' }, /^id must/, ['id']],
    ['a list', [], /^body must/, ['body']],
    ['null', 'null', /^body must/, ['body']],
    ['a format that the query has no column for', { id: 'people', format: 'geojson' }, /no(ne)?/, ['format']],
  ])('%s', async (_, body, message, names) => {
    const response = await request(body);
    expect(response.json()).toMatchObject(rejected(400, message));
    expect(response.json().errors.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(response.body).not.toContain('etc/passwd');
  });

  it.each([
    ['unknown', 'nothing', 'full'],
    ['a property of every object', '__proto__', 'full'],
    ['not for the package', 'winners', 'no-results'],
    ['left out because its file is wrong', 'broken', 'full'],
  ])('a query that is %s', async (_, id, key) => {
    const response = await request({ id, format: 'csv' }, { 'x-api-key': service.key(key) });
    expect(response.json()).toMatchObject(rejected(404, /getQueryList/));
  });

  it.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'id=people', 415],
    ['plain text', { 'content-type': 'text/plain' }, '{"id":"people","format":"csv"}', 415],
    ['no JSON', {}, '{"id":', 400],
    ['a prototype', {}, '{"__proto__":{},"id":"people","format":"csv"}', 400],
    ['too much', {}, JSON.stringify({ id: 'x'.repeat(100_000) }), 413],
  ])('a body that is %s', async (_, headers: Headers, body, status) => {
    const response = await request(body, { 'x-api-key': service.key('full'), ...headers });
    expect(response.json()).toMatchObject(rejected(status, /./));
  });

  it('another method', async () => {
    const headers = { 'x-api-key': service.key('full') };
    for (const [method, url, allow] of [
      ['GET', '/getQueryResults', 'POST, OPTIONS'],
      ['POST', '/getQueryList', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/files/x', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const response = await service.app.inject({ method, url, headers });
      expect(response.json()).toMatchObject(rejected(405, /./));
      expect(response.headers.allow?.toString().split(', ').sort()).toEqual(allow.split(', ').sort());
    }
  });

  it('a query that fails internally, without the reason', async () => {
    const response = await request({ id: 'secrets', format: 'csv' });
    expect(response.json()).toMatchObject(rejected(500, /our side/));
    expect(response.body).not.toMatch(/api_keys|permission|42501|select/);
  });
});

it('no page of another origin gets a CORS header', async () => {
  const headers = { 'x-api-key': service.key('full'), origin: 'https://page.example' };
  const responses = [
    await list(headers),
    await request({ id: 'people', format: 'csv' }, headers),
    await service.app.inject({
      method: 'OPTIONS',
      url: '/getQueryResults',
      headers: { ...headers, 'access-control-request-method': 'POST' },
    }),
  ];
  for (const response of responses) {
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
  expect(responses[0]?.statusCode).toBe(200);
});

describe('what links begin with', () => {
  it.each([
    ['the address of the gateway, not another port of the machine', 'localhost:8080', 'http://127.0.0.1:'],
    ['never with another Host', 'evil.example', 'http://127.0.0.1:'],
  ])('%s', async (_, host, base) => {
    const address = service.app.listeningOrigin;
    expect(address).toBeTruthy();
    const response = await request({ id: 'people', format: 'csv' }, { 'x-api-key': service.key('full'), host });
    expect(response.json().data.url.startsWith(base)).toBe(true);
    expect(response.body).not.toContain('evil');
  });
});

it('is rejected with a message for the caller while the database has no sandbox for stored queries', async () => {
  await sql`alter function ballotgraph_export_rows security invoker`.execute(database.db);
  const rejected = await request({ id: 'winners', format: 'ndjson' });
  await sql`alter function ballotgraph_export_rows security definer`.execute(database.db);
  expect(rejected.statusCode).toBe(503);
  expect(rejected.headers['retry-after']).toBeDefined();
  expect(rejected.json()).toMatchObject({
    success: false,
    message: expect.stringContaining('Bulk download is not available'),
  });
  expect(rejected.body).not.toMatch(/ballotgraph_export|definer/);
  expect((await request({ id: 'winners', format: 'ndjson' })).statusCode).toBe(200);
});
