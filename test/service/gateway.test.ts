import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApiKey } from '../../src/gateway/access/access.store.ts';
import { generateApiKey } from '../../src/gateway/access/api-key.ts';
import { useDatabase } from '../support/database.ts';
import { useProxy } from '../support/proxy.ts';
import { type Gateway, runCommand, startGateway, startProcess } from './support/process.ts';

const database = useDatabase();
const proxy = useProxy(database);
/** The embedded database has one session for all clients, so each gateway gets one connection. */
const environment = () => ({ DATABASE_URL: proxy.url, POOL_SIZE: '1', STATEMENT_TIMEOUT_MS: '60000' });

const request = (gateway: Gateway, key: string, query = '{ __typename }') =>
  fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
/** The error that PostgreSQL sends to a client that it rejects. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E....');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a request that waits for the locked table of keys until the lock is released. */
async function withSlowRequest(gateway: Gateway, work: (response: Promise<Response>) => Promise<void>): Promise<void> {
  await gateway.becomes(200);
  const key = await createApiKey(database.db, 'full');
  await database.db.transaction().execute(async (transaction) => {
    await sql`lock table api_keys in access exclusive mode`.execute(transaction);
    const response = request(gateway, key);
    response.catch(() => undefined);
    await pause(1_500);
    await work(response);
  });
}

describe('the start', () => {
  it('lists all errors in the configuration, without a stack, and exits 2', async () => {
    const wrong = {
      PORT: '70000',
      DATABASE_URL: 'mysql://x',
      TODAY: '2023-02-30',
      TIME_ZONE: 'Mars',
      LOG_LEVEL: 'loud',
    };
    const { code, stderr, stdout } = await startProcess('main', [], wrong).ended;
    expect(code).toBe(2);
    for (const name of Object.keys(wrong)) expect(stderr).toMatch(new RegExp(`^ {2}${name}: `, 'm'));
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).toBe('');
  });

  it('fails if retrying cannot help', async () => {
    const refusing = createServer((socket) =>
      socket.once('data', () => socket.end(errorResponse('28P01', 'wrong password'))),
    );
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void refusing.close());
    const { port } = refusing.address() as AddressInfo;
    const url = `postgres://me:hunter2@127.0.0.1:${port}/x`;
    const { code, stdout, stderr } = await startProcess('main', [], { PORT: '0', DATABASE_URL: url }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/wrong password/);
    expect(`${stdout}${stderr}`).not.toContain('hunter2');
  });

  it('fails if its port is in use', async () => {
    const first = await startGateway(environment());
    const { code, stderr } = await startProcess('main', [], { ...environment(), PORT: new URL(first.url).port }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/PORT/);
  });

  it.runIf(process.platform === 'linux')('shares its port with another gateway that has the same setting', async () => {
    const shared = { ...environment(), REUSE_PORT: 'true' };
    const first = await startGateway(shared);
    const second = await startGateway({ ...shared, PORT: new URL(first.url).port });
    expect(second.url).toBe(first.url);
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    // Each request opens a new connection.
    for (let n = 0; n < 5; n++) {
      const response = await fetch(`${first.url}/health`, { headers: { connection: 'close' } });
      expect(response.status).toBe(200);
    }
    const alone = await startProcess('main', [], { ...environment(), PORT: new URL(first.url).port }).ended;
    expect(alone.code).toBe(1);
    expect(alone.stderr).toMatch(/is taken by another program/);
  });
});

describe('a running gateway', () => {
  it('rejects a revoked key within 5 seconds', async () => {
    const gateway = await startGateway(environment());
    await gateway.becomes(200);
    const key = (await runCommand(['keys', 'create', '--package', 'full'], environment())).stdout.trim();
    expect((await request(gateway, key)).status).toBe(200);
    expect((await runCommand(['keys', 'revoke', key.slice(0, 11)], environment())).code).toBe(0);
    const revokedAt = performance.now();
    let status = 200;
    while (status === 200 && performance.now() - revokedAt < 6_000) {
      await pause(100);
      status = (await request(gateway, key)).status;
    }
    expect(status).toBe(401);
    expect(performance.now() - revokedAt).toBeLessThan(5_000);
  });

  it('survives the loss of its database and recovers', async () => {
    const key = await createApiKey(database.db, 'full');
    await proxy.cut();
    const gateway = await startGateway(environment());
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(503);
    const rejected = await request(gateway, key);
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/);

    await proxy.restore();
    await gateway.becomes(200);
    expect((await request(gateway, key)).status).toBe(200);

    await proxy.cut();
    await gateway.becomes(503);
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
    expect((await request(gateway, key)).status).toBe(200);
    expect((await request(gateway, generateApiKey())).status).toBe(503);

    await proxy.restore();
    const began = performance.now();
    await gateway.becomes(200);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect((await request(gateway, await createApiKey(database.db, 'full'))).status).toBe(200);
    expect(gateway.child.exitCode).toBeNull();
  });

  it('survives the loss of its database while a statement runs', async () => {
    const gateway = await startGateway(environment());
    await withSlowRequest(gateway, async (response) => {
      await proxy.cut();
      expect((await response).status).toBe(503);
    });
    await proxy.restore();
    await gateway.becomes(200);
    expect(gateway.child.exitCode).toBeNull();
  });

  it('logs a request in one line, and no key and no point anywhere', async () => {
    const gateway = await startGateway({ ...environment(), LOG_LEVEL: 'trace' });
    await gateway.becomes(200);
    const [known, unknown] = [await createApiKey(database.db, 'full'), generateApiKey()];
    const point = { latitude: 39.123987, longitude: -105.987123 };
    const query = `{ location(latitude: ${point.latitude}, longitude: ${point.longitude}) { nothing } }`;
    const get = (path: string, headers = {}) => fetch(`${gateway.url}${path}`, { headers });
    for (const key of [known, unknown]) {
      await request(gateway, key, query);
      await request(gateway, key, `{ location(latitude: "${key}", longitude: ${point.longitude}) { latitude } }`);
      await get(`/data/districts/point?lat=${point.latitude}&long=${point.longitude}`, { 'x-api-key': key });
      await get(`/data/districts/point?lat=${point.latitude}&long=${point.longitude}&x-api-key=${key}`);
      await get(`/${key}/${point.latitude}`, { referer: `https://x/?key=${key}`, cookie: key, 'x-request-id': key });
      await get(`/%zz?${key}=${point.latitude}`, { 'x-api-key': key });
      await get('/health', { 'x-api-key': `${key}, ${key}`, origin: `https://${key}` });
      await get('/data/districts/point', { 'x-api-key': key, origin: `https://${key}` });
    }
    const lines = gateway.log().filter((line) => line.msg === 'request');
    expect(lines.length).toBeGreaterThanOrEqual(16);
    expect(lines.find((line) => line.package === 'full')).toMatchObject({ method: 'POST', route: '/graphql' });
    gateway.child.kill('SIGTERM');
    const { stdout, stderr } = await gateway.ended;
    for (const key of [known, unknown]) expect(`${stdout}${stderr}`).not.toContain(key.slice(12));
    expect(`${stdout}${stderr}`).not.toMatch(/39\.1239|105\.9871|123987|987123/);
  });
});

describe('the stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s completes requests in flight and exits 0', async (signal) => {
    const gateway = await startGateway(environment());
    let slow: Promise<Response> | undefined;
    await withSlowRequest(gateway, async (response) => {
      slow = response;
      gateway.child.kill(signal);
      await gateway.becomes(503);
      expect(await (await fetch(`${gateway.url}/ready`)).json()).toEqual({ status: 'not ready', reason: 'stopping' });
      await pause(700);
      await expect(fetch(`${gateway.url}/health`)).rejects.toThrow();
      expect(gateway.child.exitCode).toBeNull();
    });
    const response = await slow;
    expect(response?.status).toBe(200);
    expect(await response?.json()).toEqual({ data: { __typename: 'Query' } });
    const { code } = await gateway.ended;
    expect(code).toBe(0);
    expect(gateway.log().at(-1)).toMatchObject({ msg: 'stopped' });
  });

  it('is immediate on a second signal', async () => {
    const gateway = await startGateway(environment());
    await withSlowRequest(gateway, async () => {
      gateway.child.kill('SIGTERM');
      await pause(300);
      const began = performance.now();
      gateway.child.kill('SIGTERM');
      expect((await gateway.ended).code).toBe(1);
      expect(performance.now() - began).toBeLessThan(5_000);
    });
  });

  it('treats the two signals that npm sends as one', async () => {
    const gateway = await startGateway(environment());
    await gateway.becomes(200);
    gateway.child.kill('SIGINT');
    gateway.child.kill('SIGTERM');
    expect((await gateway.ended).code).toBe(0);
  });

  it('does not wait longer than 10 seconds for requests in flight', async () => {
    const gateway = await startGateway({ ...environment(), STATEMENT_TIMEOUT_MS: '600000' });
    await withSlowRequest(gateway, async () => {
      const began = performance.now();
      gateway.child.kill('SIGTERM');
      await Promise.race([gateway.ended, pause(20_000)]);
      expect(gateway.child.exitCode).toBe(0);
      expect(performance.now() - began).toBeLessThan(15_000);
    });
  }, 60_000);
});
