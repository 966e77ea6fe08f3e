import { beforeAll, describe, expect, it } from 'vitest';
import { toServiceError } from '../../src/base/errors.ts';
import { createApiKey, listApiKeys, revokeApiKey, setPackage } from '../../src/gateway/access/access.store.ts';
import { generateApiKey } from '../../src/gateway/access/api-key.ts';
import { createAuthenticator } from '../../src/gateway/access/authenticator.ts';
import { requireGrant } from '../../src/graph/builder/caller.ts';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { useProxy } from '../support/proxy.ts';
import { recordStatements } from '../support/statements.ts';

const database = useDatabase();
const service = useApp(database);
const proxy = useProxy(database);

/** Creates an authenticator whose clock the test sets, and records its statements. */
function setUp() {
  const recorded = recordStatements(database);
  const clock = { time: 1_000 };
  return { ...recorded, clock, authenticate: createAuthenticator(recorded.db, { now: () => clock.time }) };
}

const inactive = generateApiKey();
beforeAll(async () => {
  await createApiKey(database.db, 'full', { key: inactive });
  await revokeApiKey(database.db, inactive);
});

describe('the caller of a key', () => {
  it('is found with package and grants, in one statement for many requests', async () => {
    const { authenticate, take } = setUp();
    const callers = await Promise.all(Array.from({ length: 50 }, () => authenticate(service.key('lookup'))));
    expect(new Set(callers).size).toBe(1);
    expect(callers[0]).toEqual({
      packageName: 'lookup',
      grants: new Set(['districts', 'officeholders', 'contact']),
      keyId: expect.any(Number),
      secret: { id: callers[0]?.keyId, prefix: service.key('lookup').slice(3, 11) },
      rateLimits: { perSecond: null, burst: null, perDay: null },
    });
    expect(take()).toHaveLength(1);
  });

  it('is found with others in one statement, also when they are refreshed', async () => {
    const { authenticate, take, clock } = setUp();
    const packages = ['full', 'lookup', 'no-results'] as const;
    const authenticateAll = () => Promise.all(packages.map((name) => authenticate(service.key(name))));
    await authenticateAll();
    expect(take()).toHaveLength(1);
    clock.time += 3_500;
    await authenticateAll();
    expect(take()).toEqual([]);
    await expect.poll(take).toHaveLength(1);
    clock.time += 1_000;
    await authenticateAll();
    expect(take()).toEqual([]);
  });

  it('is removed within 5 seconds after the key is revoked', async () => {
    const { authenticate, clock } = setUp();
    const key = await createApiKey(database.db, 'full');
    await authenticate(key);
    expect(await revokeApiKey(database.db, key)).toMatchObject([{ packageName: 'full', active: false }]);
    clock.time += 4_500;
    await expect(authenticate(key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('has the new grants of a changed package within 5 seconds', async () => {
    const { authenticate, clock } = setUp();
    await setPackage(database.db, { name: 'changing', grants: ['districts'], description: 'Changes' });
    const key = await createApiKey(database.db, 'changing');
    const before = await authenticate(key);
    expect(() => requireGrant(before, 'officeholders', 'officeholders')).toThrow(
      'The officeholders endpoint is not available in your package.',
    );
    await setPackage(database.db, { name: 'changing', grants: ['officeholders'] });
    clock.time += 4_500;
    const after = await authenticate(key);
    expect(() => requireGrant(after, 'officeholders', 'officeholders')).not.toThrow();
    expect(() => requireGrant(after, 'districts', 'districts')).toThrow('districts endpoint');
  });

  it('is served from memory for a minute while the database is unavailable; an unknown key gets 503', async () => {
    const db = openDatabase(
      openPool({ at: { connectionString: proxy.url }, size: 1, statementTimeoutMs: 0, waitMs: 1_000 }),
    );
    const clock = { time: 1_000 };
    const authenticate = createAuthenticator(db, { now: () => clock.time });
    await authenticate(service.key('full'));
    // A key that was looked up recently needs no promise.
    expect(authenticate(service.key('full'))).toMatchObject({ packageName: 'full' });
    await proxy.cut();
    clock.time += 30_000;
    expect(await authenticate(service.key('full'))).toMatchObject({ packageName: 'full' });
    const rejected: unknown = await Promise.resolve(authenticate(generateApiKey())).catch((error: unknown) => error);
    expect(toServiceError(rejected)).toMatchObject({ code: 'STORE_UNAVAILABLE', status: 503 });
    clock.time += 31_000;
    await expect(authenticate(service.key('full'))).rejects.toThrow();
    await proxy.restore();
    expect(await authenticate(service.key('full'))).toMatchObject({ packageName: 'full' });
    await db.destroy();
  });
});

describe('a rejected key', () => {
  const request = (headers: Record<string, string | string[]>, url = '/graphql?query={__typename}') =>
    service.app.inject({ method: 'GET', url, headers });
  const bodyOf = (response: { body: string }) => response.body;

  const withoutLookup: [string, Record<string, string | string[]>][] = [
    ['missing', {}],
    ['empty', { 'x-api-key': '' }],
    ['malformed', { 'x-api-key': 'hunter2' }],
    ['of 10 KB', { 'x-api-key': 'x'.repeat(10_240) }],
    ['of 10 KB that begins well', { 'x-api-key': generateApiKey() + 'x'.repeat(10_240) }],
    ['sent twice', { 'x-api-key': [inactive, inactive] }],
    ['with quotes and a semicolon', { 'x-api-key': `bg_';drop--_${'x'.repeat(43)}` }],
    ['in another header', { authorization: `Bearer ${generateApiKey()}` }],
    ['in a cookie', { cookie: `x-api-key=${generateApiKey()}` }],
  ];
  const withLookup: [string, Record<string, string | string[]>][] = [
    ['unknown', { 'x-api-key': generateApiKey() }],
    ['inactive', { 'x-api-key': inactive }],
  ];

  it.each([...withoutLookup, ...withLookup])('that is %s gets 401 with the common body', async (_, headers) => {
    const [response, reference] = [await request(headers), await request({})];
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('ApiKey');
    expect(bodyOf(response)).toBe(bodyOf(reference));
  });

  it.each(withoutLookup)('that is %s is rejected without a statement', async (_, headers) => {
    const { authenticate, take } = setUp();
    await expect(authenticate(headers['x-api-key'])).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(take()).toEqual([]);
  });

  it('that is unknown is looked up in one statement for any number of requests', async () => {
    const { authenticate, take } = setUp();
    const key = generateApiKey();
    const rejected = await Promise.allSettled(Array.from({ length: 20 }, () => authenticate(key)));
    await expect(authenticate(key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(rejected.every(({ status }) => status === 'rejected')).toBe(true);
    expect(take()).toHaveLength(1);
  });

  it('in the URL is ignored', async () => {
    const key = service.key('full');
    const response = await request({}, `/graphql?query={__typename}&x-api-key=${key}&api_key=${key}`);
    expect(response.statusCode).toBe(401);
  });
});

describe('a valid key', () => {
  it.each(['x-api-key', 'X-API-KEY', 'x-Api-Key'])('is read from %s', async (name) => {
    const response = await service.app.inject({
      method: 'GET',
      url: '/graphql?query={__typename}',
      headers: { [name]: service.key('full') },
    });
    expect(response.statusCode).toBe(200);
  });
});

describe('the table of keys', () => {
  it('stores no key, only its prefix and digest', async () => {
    const key = await createApiKey(database.db, 'full');
    const secret = key.slice(12);
    const dump = JSON.stringify(await database.db.selectFrom('api_keys').selectAll().execute());
    expect(dump).toContain(key.slice(3, 11));
    expect(dump).not.toContain(secret);
    expect(Buffer.from(dump).includes(Buffer.from(secret, 'base64url'))).toBe(false);
  });

  it('lists all keys, or those of one package', async () => {
    await createApiKey(database.db, 'no-results');
    const all = await listApiKeys(database.db);
    const some = await listApiKeys(database.db, 'no-results');
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length);
    expect(new Set(some.map((row) => row.packageName))).toEqual(new Set(['no-results']));
  });

  it('rejects a key for a package that does not exist, and lists the existing packages', async () => {
    await expect(createApiKey(database.db, 'none')).rejects.toThrow(/no package "none".*full.*lookup.*no-results/);
  });

  it('revokes by prefix and by id, once', async () => {
    const [byPrefix, byId] = [await createApiKey(database.db, 'full'), await createApiKey(database.db, 'full')];
    const rows = await listApiKeys(database.db);
    const id = rows.find((row) => row.prefix === byId.slice(3, 11))?.id;
    expect(await revokeApiKey(database.db, byPrefix.slice(0, 11))).toHaveLength(1);
    expect(await revokeApiKey(database.db, String(id))).toHaveLength(1);
    expect(await revokeApiKey(database.db, String(id))).toEqual([]);
    expect(await revokeApiKey(database.db, '999999999')).toEqual([]);
    expect(await revokeApiKey(database.db, 'zzzzzzzz')).toEqual([]);
  });
});

describe('the order of checks', () => {
  const narrow = { 'x-api-key': '' };
  beforeAll(async () => {
    await setPackage(database.db, { name: 'elections-only', grants: ['elections'], description: 'No look-ups' });
    narrow['x-api-key'] = await createApiKey(database.db, 'elections-only');
  });
  const keyed = () => ({ 'x-api-key': service.key('lookup') });

  it.each([
    [
      'the size of the address, before the origin',
      414,
      () => ({ origin: 'https://evil.example' }),
      `&x=${'x'.repeat(9_000)}`,
    ],
    ['its form, before the key', 400, () => ({}), '&x=%zz'],
    ['the origin, before the key', 403, () => ({ origin: 'https://evil.example' }), ''],
    ['the key, before the parameters', 401, () => ({}), ''],
    ['the package, before the parameters', 403, () => narrow, ''],
    ['the parameters', 400, keyed, ''],
  ])('%s: %d', async (_, status, headers, more) => {
    const response = await service.app.inject({ url: `/data/districts/point?lat=wrong${more}`, headers: headers() });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ success: false, data: {}, status });
  });
});
