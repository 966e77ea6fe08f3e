import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeAs, listChanges } from '../../src/gateway/access/access-changes.store.ts';
import { endOverlap, readSecretState, rotateSecret } from '../../src/gateway/redis/secret-rotation.store.ts';
import { createSharedSecret } from '../../src/gateway/redis/shared-secret.store.ts';
import { openValue, signValue } from '../../src/gateway/redis/signed-value.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';

/** Within this time gateways detect a change of the data. */
const DETECTED_MS = 600;
const database = useDatabase();
/** With response cache and planner, as in production: neither may answer for a secret that is gone. */
const service = useApp(database, { RESPONSE_CACHE_BYTES: '1000000', QUERY_PLANS: 'true' });
beforeAll(() => createElectionWorld(database.db));

interface Edge {
  readonly cursor: string;
  readonly node: { readonly id: string; readonly databaseId: number };
}

async function run(query: string, variables: Record<string, unknown> = {}) {
  const response = await service.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'x-api-key': service.key('full') },
    payload: { query, variables },
  });
  return response.json();
}

const list = async (args = ''): Promise<Edge[]> =>
  (await run(`{ elections${args} { edges { cursor node { id databaseId } } } }`)).data.elections.edges;
const pageAfter = (cursor: string | undefined) =>
  run('query ($cursor: String) { elections(after: $cursor) { edges { node { databaseId } } } }', { cursor });
const node = async (id: string | undefined) =>
  (await run('query ($id: ID!) { node(id: $id) { id ... on Election { databaseId } } }', { id })).data.node;
const numbersOf = (edges: readonly { node: { databaseId: number } }[]) => edges.map((edge) => edge.node.databaseId);
const secretOf = async () => {
  const { rows } = await sql<{ secret: Buffer }>`select secret from shared_secret`.execute(database.db);
  return rows[0]?.secret ?? Buffer.alloc(0);
};

describe('the rotation of the secret of the database', () => {
  it('changes ids and cursors of elections, and accepts those from before until the overlap is ended', async () => {
    const { db } = database;
    const before = await list();
    const [first, second] = before;
    expect(before.length).toBeGreaterThan(3);
    expect(await node(first?.node.id)).toEqual(first?.node);

    await rotateSecret(db);
    await sleep(DETECTED_MS);
    const now = await list();
    expect(numbersOf(now)).toEqual(numbersOf(before));
    expect(now.filter(({ node: { id } }) => before.some((edge) => edge.node.id === id))).toEqual([]);
    expect(now.filter(({ cursor }) => before.some((edge) => edge.cursor === cursor))).toEqual([]);
    for (const edges of [before, now]) {
      // The answer to an id from before has the new one, by which a client can replace what it has stored.
      expect(await node(edges[0]?.node.id)).toEqual(now[0]?.node);
      const rest = await pageAfter(edges[1]?.cursor);
      expect(numbersOf(rest.data.elections.edges)).toEqual(numbersOf(before).slice(2));
    }

    expect(await endOverlap(db)).toBe(true);
    await sleep(DETECTED_MS);
    expect(await node(first?.node.id)).toBeNull();
    expect(await node(now[0]?.node.id)).toEqual(now[0]?.node);
    const refused = await pageAfter(second?.cursor);
    expect(refused.data).toEqual({ elections: null });
    expect(refused.errors).toMatchObject([
      { message: expect.stringContaining('no longer valid'), extensions: { code: 'INVALID_PARAMETER' } },
    ]);
    expect(numbersOf((await pageAfter(now[1]?.cursor)).data.elections.edges)).toEqual(numbersOf(before).slice(2));
  });

  it('is refused until the overlap of the last one is ended, and changes nothing then', async () => {
    const { db } = database;
    await rotateSecret(db);
    const secret = await secretOf();
    await expect(rotateSecret(db)).rejects.toThrow('overlap of the last rotation has not ended');
    expect(await secretOf()).toEqual(secret);
    expect(await readSecretState(db)).toEqual({ rotatedAt: expect.any(Date), isOverlapping: true });
    expect(await endOverlap(db)).toBe(true);
    expect(await endOverlap(db)).toBe(false);
    expect(await readSecretState(db)).toEqual({ rotatedAt: expect.any(Date), isOverlapping: false });
    expect(await secretOf()).toEqual(secret);
  });

  it('is in the log of changes, without a secret', async () => {
    const { db } = database;
    const old = await secretOf();
    await changeAs(db, 'ada', rotateSecret);
    const secret = await secretOf();
    await changeAs(db, 'bob', endOverlap);
    const changes = await listChanges(db, { name: 'shared_secret', last: 2 });
    expect(changes).toMatchObject([
      { operator: 'ada', kind: 'secret', action: 'rotated', details: { overlap: true } },
      { operator: 'bob', kind: 'secret', action: 'ended overlap', details: { overlap: false } },
    ]);
    for (const each of [old, secret])
      for (const form of ['hex', 'base64'] as const) expect(JSON.stringify(changes)).not.toContain(each.toString(form));
  });

  it('is undone as a whole with its transaction', async () => {
    const { db } = database;
    const secret = await secretOf();
    const interrupted = db.transaction().execute(async (transaction) => {
      await rotateSecret(transaction);
      throw new Error('interrupted');
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect(await secretOf()).toEqual(secret);
    expect((await readSecretState(db)).isOverlapping).toBe(false);
  });
});

describe('what gateways sign', () => {
  it('is signed with the new secret when all have read it, and accepted until the overlap is ended', async () => {
    const { db } = database;
    const clock = { time: 0 };
    const read = createSharedSecret(db, () => clock.time);
    /** The secrets of a gateway as they are 5 seconds later. */
    const later = async () => {
      clock.time += 5_000;
      return read();
    };
    const old = await secretOf();
    expect(await later()).toEqual({ signing: old, accepted: [old] });
    await rotateSecret(db);
    const secret = await secretOf();
    expect(secret).not.toEqual(old);
    expect(secret).toHaveLength(32);
    expect(await read()).toEqual({ signing: old, accepted: [old] });
    expect(await later()).toEqual({ signing: old, accepted: [secret, old] });
    await sql`update shared_secret set rotated_at = rotated_at - interval '1 minute'`.execute(db);
    const both = await later();
    expect(both).toEqual({ signing: secret, accepted: [secret, old] });
    await endOverlap(db);
    const one = await later();
    expect(one).toEqual({ signing: secret, accepted: [secret] });

    const body = Buffer.from('a response');
    const [ofOld, ofNew] = [old, secret].map((each) => signValue('name', body, each));
    expect(openValue('name', ofOld ?? body, both?.accepted ?? [])).toEqual(body);
    expect(openValue('name', ofNew ?? body, both?.accepted ?? [])).toEqual(body);
    expect(openValue('name', ofOld ?? body, one?.accepted ?? [])).toBeUndefined();
    expect(openValue('name', ofNew ?? body, one?.accepted ?? [])).toEqual(body);
  });

  it('is signed with the new secret at once if there is no overlap', async () => {
    const { db } = database;
    await rotateSecret(db);
    await endOverlap(db);
    const secret = await secretOf();
    expect(await createSharedSecret(db)()).toEqual({ signing: secret, accepted: [secret] });
  });

  it('keeps the secrets that were read for a minute while they cannot be read again', async () => {
    const clock = { time: 0 };
    let reads = 0;
    /** Fails from the second statement on. */
    const failing = new Proxy(database.db, {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          if (name === 'getExecutor' && reads++ > 0) throw new Error('no database');
          return member.apply(target, args);
        };
      },
    });
    const read = createSharedSecret(failing, () => clock.time);
    const known = await read();
    expect(known?.accepted).toHaveLength(1);
    clock.time += 5_000;
    expect(await Promise.all([read(), read()])).toEqual([known, known]);
    expect(await read()).toEqual(known);
    expect(reads).toBe(2);
    clock.time += 1_001;
    expect(await read()).toEqual(known);
    expect(reads).toBe(3);
    clock.time += 60_000;
    expect(await read()).toBeUndefined();
  });
});
