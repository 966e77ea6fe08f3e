import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BallotgraphError, createClient, type TypedDocument } from '../../clients/typescript/src/index.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createWorld, POINTS } from '../support/world.ts';

const database = useDatabase();
const service = useApp(database);
const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}
const DISTRICTS: TypedDocument<{ location: { districts: { name: string }[] } }, Point> =
  'query ($latitude: Latitude!, $longitude: Longitude!) { location(latitude: $latitude, longitude: $longitude) { districts { name } } }';

let url: string;
beforeAll(async () => {
  await createWorld(database.db);
  url = `${await service.app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
});

/** Returns a fetch function that notes the status of each response. */
function noted() {
  const statuses: number[] = [];
  const fetchNoted: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    statuses.push(response.status);
    return response;
  };
  return { statuses, fetch: fetchNoted };
}

/** Returns a fetch function whose first responses are rejections with these headers. */
function rejecting(times: number, headers: Record<string, string>): typeof fetch & { count(): number } {
  let count = 0;
  const respond = async () =>
    ++count > times
      ? Response.json({ data: { count } })
      : Response.json({ errors: [{ message: 'Too many requests' }] }, { status: 429, headers });
  return Object.assign(respond as typeof fetch, { count: () => count });
}

describe('a query', () => {
  it('has a typed result, and is revalidated by its tag', async () => {
    const { statuses, fetch } = noted();
    const client = createClient({ url, apiKey: service.key('full'), fetch });
    const first = await client.query(DISTRICTS, POINTS.southWest);
    const second = await client.query(DISTRICTS, POINTS.southWest);
    expect(first.data.location.districts.map(({ name }) => name)).toContain('Alpha');
    expect(second).toEqual(first);
    expect(statuses).toEqual([200, 304]);
  });

  it('of one point does not return the result of another', async () => {
    const client = createClient({ url, apiKey: service.key('full') });
    const [one, other] = [POINTS.southWest, POINTS.beta].map((point) => client.query(DISTRICTS, point));
    expect((await one)?.data).not.toEqual((await other)?.data);
  });

  it('that is too long for an address is sent as POST', async () => {
    const client = createClient({ url, apiKey: service.key('full') });
    const { data } = await client.query(`${DISTRICTS} #${'x'.repeat(9_000)}`, POINTS.southWest);
    expect(data).toMatchObject({ location: { districts: expect.any(Array) } });
  });

  it('reports which fields the package does not include', async () => {
    const client = createClient({ url, apiKey: service.key('lookup') });
    const { data, notInPackage } = await client.query(
      '{ location(latitude: 42, longitude: -98) { elections { date } } }',
    );
    expect(data).toEqual({ location: { elections: null } });
    expect(notInPackage).toEqual([{ grant: 'election_dates', paths: [['location', 'elections']] }]);
  });

  it.each([
    ['a wrong key', 'wrong', '{ __typename }', 401, 'UNAUTHENTICATED', /API key/],
    ['an unknown field', undefined, '{ nothing }', 400, 'GRAPHQL_VALIDATION_FAILED', /Cannot query field "nothing"/],
  ])('with %s fails with the message of the gateway', async (_, apiKey, document, status, code, message) => {
    const client = createClient({ url, apiKey: apiKey ?? service.key('full') });
    const error = await client.query(document).catch((reason) => reason);
    expect(error).toBeInstanceOf(BallotgraphError);
    expect(error).toMatchObject({ status, code, message: expect.stringMatching(message) });
    expect(error.requestId).toMatch(/^[\w-]{8,36}$/);
  });
});

describe('a rejected query', () => {
  it.each(['0', new Date(0).toUTCString()])('is sent again after Retry-After: %s', async (retryAfter) => {
    const send = rejecting(2, { 'retry-after': retryAfter });
    const { data } = await createClient({ url, apiKey: 'x', fetch: send }).query('{ count }');
    expect(data).toEqual({ count: 3 });
  });

  it('fails after the last retry', async () => {
    const send = rejecting(5, { 'retry-after': '0' });
    const query = createClient({ url, apiKey: 'x', fetch: send, retries: 1 }).query('{ count }');
    await expect(query).rejects.toMatchObject({ status: 429, message: 'Too many requests' });
    expect(send.count()).toBe(2);
  });

  it('is not sent again without Retry-After', async () => {
    const send = rejecting(1, {});
    await expect(createClient({ url, apiKey: 'x', fetch: send }).query('{ count }')).rejects.toMatchObject({
      status: 429,
    });
    expect(send.count()).toBe(1);
  });

  it('fails when the time limit is exceeded, also while it waits', async () => {
    const send = rejecting(1, { 'retry-after': '60' });
    const query = createClient({ url, apiKey: 'x', fetch: send, timeoutMs: 50 }).query('{ count }');
    await expect(query).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('fails when its signal is aborted', async () => {
    const controller = new AbortController();
    const send = rejecting(1, { 'retry-after': '60' });
    const client = createClient({ url, apiKey: 'x', fetch: send });
    const query = client.query('{ count }', {}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('left the page')), 20);
    await expect(query).rejects.toThrow('left the page');
  });
});

describe('the package', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ballotgraph-client-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is installed from its file and type-checks in an empty project', async () => {
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: join(ROOT, 'clients/typescript'),
    });
    const file = packed.stdout.trim().split('\n').at(-1) ?? '';
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, file)], { cwd: folder });
    const options = {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'dom'],
      types: [],
      noEmit: true,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['page.ts'] }));
    const page = (variables: string) => `
      import { createClient, type TypedDocument } from '@ballotgraph/client';
      declare const document: TypedDocument<{ location: { latitude: number } }, { latitude: number }>;
      const { data } = await createClient({ url: '/graphql', apiKey: 'key' }).query(document, ${variables});
      export const latitude: number = data.location.latitude;`;
    const check = () => run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch(({ stdout }) => ({ stdout }));
    await writeFile(join(folder, 'page.ts'), page('{ latitude: 1 }'));
    expect((await check()).stdout).toBe('');
    await writeFile(join(folder, 'page.ts'), page("{ latitude: 'north' }"));
    expect((await check()).stdout).toContain("Type 'string' is not assignable to type 'number'");
    const imported = "import { createClient } from '@ballotgraph/client'; console.log(typeof createClient);";
    const { stdout } = await run('node', ['--input-type=module', '--eval', imported], { cwd: folder });
    expect(stdout.trim()).toBe('function');
  }, 60_000);
});
