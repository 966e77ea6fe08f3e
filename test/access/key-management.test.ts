import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import {
  addOrigin,
  createApiKey,
  findActiveKey,
  listApiKeys,
  removeOrigin,
  revokeApiKey,
  setPackage,
} from '../../src/gateway/access/access.store.ts';
import { changeAs, listChanges } from '../../src/gateway/access/access-changes.store.ts';
import { createAuthenticator } from '../../src/gateway/access/authenticator.ts';
import {
  acceptedSecretsOf,
  changeApiKey,
  recordUse,
  rotateApiKey,
} from '../../src/gateway/access/key-changes.store.ts';
import { createKeyUse } from '../../src/gateway/access/key-use.ts';
import { setRateLimits } from '../../src/gateway/access/rate-limits.store.ts';
import { recordUseIn } from '../../src/gateway/access/record-use.ts';
import type { Caller } from '../../src/graph/builder/caller.ts';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const REJECTED = { code: 'UNAUTHENTICATED' };
const database = useDatabase();
const service = useApp(database);
const callerOf = (key: string) => createAuthenticator(database.db)(key) as Promise<Caller>;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const prefixOf = (key: string) => key.slice(3, 11);
const rowOf = async (key: string) => (await listApiKeys(database.db)).find(({ prefix }) => prefix === prefixOf(key));

describe('a key', () => {
  it('has an owner, a label and an expiry, which can be changed', async () => {
    const { db } = database;
    const expiresAt = inDays(30);
    const key = await createApiKey(db, 'lookup', { owner: 'Example Press', label: 'election night', expiresAt });
    expect(await rowOf(key)).toMatchObject({ owner: 'Example Press', label: 'election night', expiresAt });
    await changeApiKey(db, prefixOf(key), { label: 'archive' });
    expect(await rowOf(key)).toMatchObject({ owner: 'Example Press', label: 'archive', expiresAt });
    await changeApiKey(db, prefixOf(key), { owner: null, expiresAt: null });
    expect(await rowOf(key)).toMatchObject({ owner: null, label: 'archive', expiresAt: null });
  });

  it('is accepted until its expiry, without a command at that time', async () => {
    const { db } = database;
    const key = await createApiKey(db, 'lookup', { expiresAt: new Date(Date.now() + 1_500) });
    const clock = { time: 1_000 };
    const authenticate = createAuthenticator(db, { now: () => clock.time });
    await expect(authenticate(key)).resolves.toMatchObject({ packageName: 'lookup' });
    await sleep(1_600);
    // The time in which gateways promise to reject it.
    clock.time += 5_000;
    await expect(authenticate(key)).rejects.toMatchObject(REJECTED);
    await changeApiKey(db, prefixOf(key), { expiresAt: inDays(1) });
    await expect(callerOf(key)).resolves.toMatchObject({ packageName: 'lookup' });
  });
});

describe('the rotation of a key', () => {
  it('accepts both secrets as one key until the old one expires', async () => {
    const { db } = database;
    const old = await createApiKey(db, 'lookup', { owner: 'Example Press', expiresAt: inDays(300) });
    const before = await callerOf(old);
    const { key } = await rotateApiKey(db, prefixOf(old), { validUntil: inDays(7) });
    const [ofOld, ofNew] = [await callerOf(old), await callerOf(key)];
    expect(ofNew).toEqual({ ...before, secret: { id: expect.any(Number), prefix: prefixOf(key) } });
    expect(ofOld).toEqual(before);
    const [oldRow, newRow] = [await rowOf(old), await rowOf(key)];
    expect(newRow).toMatchObject({ owner: 'Example Press', packageName: 'lookup', rotationOf: oldRow?.id });
    expect(Number(newRow?.expiresAt)).toBeGreaterThan(Number(inDays(299)));
    expect(Number(oldRow?.expiresAt)).toBeLessThan(Number(inDays(8)));

    await changeApiKey(db, prefixOf(old), { expiresAt: new Date(Date.now() - 1) });
    await expect(callerOf(old)).rejects.toMatchObject(REJECTED);
    expect((await callerOf(key)).keyId).toBe(before.keyId);
  });

  it('keeps links to files and counts requests together, over several rotations', async () => {
    const { db } = database;
    await setPackage(db, { name: 'rotated', grants: ['districts'] });
    await setRateLimits(db, 'rotated', { perDay: 3 });
    const first = await createApiKey(db, 'rotated');
    const { key: second } = await rotateApiKey(db, prefixOf(first), { validUntil: inDays(1) });
    const { key: third } = await rotateApiKey(db, prefixOf(second), { validUntil: inDays(1) });
    const { keyId } = await callerOf(first);
    expect((await callerOf(third)).keyId).toBe(keyId);
    const statuses = [];
    for (const key of [first, second, third, first, third]) {
      const url = '/data/districts/point?lat=1&long=1';
      statuses.push((await service.app.inject({ url, headers: { 'x-api-key': key } })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    await revokeApiKey(db, prefixOf(first));
    expect(await findActiveKey(db, keyId)).toBeDefined();
    await revokeApiKey(db, prefixOf(second));
    await revokeApiKey(db, prefixOf(third));
    expect(await findActiveKey(db, keyId)).toBeUndefined();
  });

  it('is refused for a secret that has been replaced, until the replacement is revoked', async () => {
    const { db } = database;
    const old = await createApiKey(db, 'full');
    const { key } = await rotateApiKey(db, prefixOf(old), { validUntil: inDays(1) });
    await expect(rotateApiKey(db, prefixOf(old), { validUntil: inDays(1) })).rejects.toThrow(
      `rotate bg_${prefixOf(key)}`,
    );
    const revoked = await revokeApiKey(db, prefixOf(key));
    expect((await acceptedSecretsOf(db, revoked)).map(({ prefix }) => prefix)).toEqual([prefixOf(old)]);
    const { key: other } = await rotateApiKey(db, prefixOf(old), { validUntil: inDays(1) });
    expect((await callerOf(other)).keyId).toBe((await callerOf(old)).keyId);
    await revokeApiKey(db, prefixOf(old));
    await expect(rotateApiKey(db, prefixOf(old), { validUntil: inDays(1) })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('never extends the old secret', async () => {
    const { db } = database;
    const old = await createApiKey(db, 'full', { expiresAt: inDays(1) });
    await rotateApiKey(db, prefixOf(old), { validUntil: inDays(30) });
    expect(Number((await rowOf(old))?.expiresAt)).toBeLessThan(Number(inDays(2)));
  });

  it('can give the new secret another expiry', async () => {
    const { db } = database;
    const old = await createApiKey(db, 'full', { expiresAt: inDays(1) });
    const { key } = await rotateApiKey(db, prefixOf(old), { validUntil: inDays(1), expiresAt: null });
    expect((await rowOf(key))?.expiresAt).toBeNull();
  });
});

describe('the last use of a key', () => {
  const HOUR = Date.parse('2026-07-01T10:00:00Z');
  const caller = (id: number) => ({ secret: { id, prefix: 'x' } }) as Caller;

  it('is written once an hour, however often the key is used', async () => {
    const clock = { time: HOUR + 1 };
    const written: [readonly number[], string][] = [];
    const use = createKeyUse(async (ids, hour) => void written.push([ids, hour.toISOString()]), {
      now: () => clock.time,
    });
    for (let request = 0; request < 1_000; request++) use.note(caller(1 + (request % 2)));
    expect(written).toEqual([]);
    await use.write();
    for (let request = 0; request < 10; request++) use.note(caller(1));
    await use.write();
    expect(written).toEqual([[[1, 2], '2026-07-01T10:00:00.000Z']]);
    clock.time += 60 * 60 * 1_000;
    use.note(caller(2));
    await use.close();
    expect(written.slice(1)).toEqual([[[2], '2026-07-01T11:00:00.000Z']]);
  });

  it('is written later if the database cannot be written', async () => {
    const errors: unknown[] = [];
    const written: (readonly number[])[] = [];
    let isDown = true;
    const use = createKeyUse(
      async (ids) => {
        if (isDown) throw new Error('down');
        written.push(ids);
      },
      { onError: (error) => errors.push(error) },
    );
    use.note(caller(7));
    await use.write();
    isDown = false;
    await use.write();
    await use.close();
    expect([errors.length, written]).toEqual([1, [[7]]]);
  });

  it('is that of the secret that a request had, and never goes back', async () => {
    const { db } = database;
    const old = await createApiKey(db, 'lookup');
    const { key } = await rotateApiKey(db, prefixOf(old), { validUntil: inDays(1) });
    const use = createKeyUse(recordUseIn(database, undefined), { now: () => HOUR });
    const authenticate = createAuthenticator(db, { onUse: use.note });
    await authenticate(key);
    await use.close();
    const { id = 0 } = (await rowOf(key)) ?? {};
    await recordUse(db, [id], new Date(HOUR - 60 * 60 * 1_000));
    expect((await rowOf(key))?.lastUsedAt).toEqual(new Date(HOUR));
    expect((await rowOf(old))?.lastUsedAt).toBeNull();
  });

  it.skipIf(inject('backend').kind === 'embedded')('is written on the primary by a gateway on a standby', async () => {
    const { db } = database;
    const url = database.environment.DATABASE_URL ?? '';
    await sql`create schema standby`.execute(db);
    await sql`create function standby.pg_is_in_recovery() returns boolean language sql return true`.execute(db);
    // The connection finds that function first; like a standby, it cannot be written.
    const options = `-c search_path=standby,pg_catalog,public -c default_transaction_read_only=on`;
    const at = { connectionString: `${url}?options=${encodeURIComponent(options)}` };
    const standby = openDatabase(openPool({ at, size: 1, statementTimeoutMs: 0, waitMs: 0 }));
    try {
      const key = await createApiKey(db, 'lookup');
      const { id = 0 } = (await rowOf(key)) ?? {};
      await expect(recordUse(standby, [id], new Date(HOUR))).rejects.toThrow('read-only');
      await recordUseIn({ db: standby }, undefined)([id], new Date(HOUR));
      expect((await rowOf(key))?.lastUsedAt).toBeNull();
      await recordUseIn({ db: standby }, url)([id], new Date(HOUR));
      expect((await rowOf(key))?.lastUsedAt).toEqual(new Date(HOUR));
    } finally {
      await standby.destroy();
    }
  });
});

describe('the log of changes', () => {
  it('names operator, time and change, and no secret', async () => {
    const { db } = database;
    const key = await changeAs(db, 'ada', (changing) => createApiKey(changing, 'lookup', { owner: 'Example Press' }));
    const { key: other } = await changeAs(db, 'bob', (changing) =>
      rotateApiKey(changing, prefixOf(key), { validUntil: inDays(1) }),
    );
    await changeAs(db, 'cy', (changing) => revokeApiKey(changing, prefixOf(other)));
    await recordUse(db, [(await rowOf(key))?.id ?? 0], new Date());
    const changes = (await listChanges(db, { last: 4 })).map(({ operator, kind, name, action, details }) => ({
      ...{ operator, kind, name, action, details },
    }));
    const [old, replacement] = [key, other].map((each) => `bg_${prefixOf(each)}`);
    expect(changes).toMatchObject([
      {
        operator: 'ada',
        kind: 'key',
        name: old,
        action: 'created',
        details: { owner: 'Example Press', package: 'lookup' },
      },
      {
        operator: 'bob',
        kind: 'key',
        name: replacement,
        action: 'rotated',
        details: { rotation_of: expect.any(Number) },
      },
      { operator: 'bob', kind: 'key', name: old, action: 'changed', details: { expires_at: { from: null } } },
      {
        operator: 'cy',
        kind: 'key',
        name: replacement,
        action: 'revoked',
        details: { active: { from: true, to: false } },
      },
    ]);
    const all = await sql<{ text: string }>`select access_changes::text as text from access_changes`.execute(db);
    const digests = await sql<{ digest: string }>`select encode(sha256, 'hex') as digest from api_keys`.execute(db);
    const text = JSON.stringify(all.rows);
    for (const each of [key, other]) expect(text).not.toContain(each.slice(12));
    for (const { digest } of digests.rows) expect(text).not.toContain(digest);
    expect((await listChanges(db, { name: prefixOf(key), last: 9 })).map(({ action }) => action)).toEqual([
      ...['created', 'changed'],
    ]);
  });

  it('has packages with their grants and limits, and origins', async () => {
    const { db } = database;
    await changeAs(db, 'ada', async (changing) => {
      await setPackage(changing, { name: 'logged', grants: ['districts', 'results'], description: 'Test' });
      await setPackage(changing, { name: 'logged', grants: ['districts'] });
      await setRateLimits(changing, 'logged', { perDay: 5 });
      await addOrigin(changing, 'https://www.example.org');
      await removeOrigin(changing, 'https://www.example.org');
    });
    const changes = await listChanges(db, { last: 6 });
    expect(changes.map(({ kind, action, details }) => [kind, action, details])).toEqual([
      ['package', 'created', expect.objectContaining({ description: 'Test', name: 'logged' })],
      ['package', 'granted', { grants: ['districts', 'results'] }],
      ['package', 'withdrew', { grants: ['results'] }],
      ['package', 'changed', { rate_per_day: { from: null, to: 5 } }],
      ['origin', 'created', { origin: 'https://www.example.org' }],
      ['origin', 'removed', { origin: 'https://www.example.org' }],
    ]);
    expect(new Set(changes.map(({ operator }) => operator))).toEqual(new Set(['ada']));
  });

  it('has the changes of other programs with the database user, and none that was rolled back', async () => {
    const { db } = database;
    const key = await createApiKey(db, 'lookup');
    await sql`update api_keys set label = 'by hand' where prefix = ${prefixOf(key)}`.execute(db);
    const rolledBack = changeAs(db, 'ada', async (changing) => {
      await revokeApiKey(changing, prefixOf(key));
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    const { rows } = await sql<{ name: string }>`select session_user::text as name`.execute(db);
    const changes = await listChanges(db, { name: prefixOf(key), last: 9 });
    expect(changes.map(({ operator, databaseUser, action }) => [operator, databaseUser, action])).toEqual([
      [null, rows[0]?.name, 'created'],
      [null, rows[0]?.name, 'changed'],
    ]);
  });
});
