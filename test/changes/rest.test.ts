import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectHarmless } from '../hostile/expect-harmless.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';

describe('GET /data/changes', () => {
  const database = useDatabase();
  const service = useApp(database, { MAX_READERS_PER_KEY: '3', MAX_IN_FLIGHT_PER_KEY: '1' });
  const run = (statement: string) => sql.raw(statement).execute(database.db);
  const votes = (count: number) =>
    run(`update candidates set votes_for_cand = ${count} where id = (select min(id) from candidates)`);

  async function get(query: string, packageName = 'full') {
    const began = performance.now();
    const key = service.key(packageName);
    const response = await service.app.inject({ url: `/data/changes?${query}`, headers: { 'x-api-key': key } });
    expectHarmless(response, { key, ms: 0 });
    return { ...response, ms: performance.now() - began, body: response.json() };
  }
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  /** Returns the cursor of now: a cached response is up to half a second old. */
  async function now(packageName?: string) {
    await sleep(600);
    return (await get('', packageName)).body.data.next;
  }

  beforeAll(() => createElectionWorld(database.db));

  it('tells of every record from the start, in pages of which only the last may change', async () => {
    const ids = new Set<string>();
    let [after, pages] = ['start', 0];
    for (let isDone = false; !isDone; pages++) {
      const { body, headers } = await get(`after=${after}&first=20`);
      for (const { kind, type, id } of body.data.changes) if (kind !== 'DELETED') ids.add(`${type} ${id}`);
      [after, isDone] = [body.data.next, body.data.up_to_date];
      expect(headers['cache-control']).toBe(isDone ? 'private, no-cache' : 'private, max-age=86400');
    }
    expect(pages).toBeGreaterThan(2);
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from districts) + (select count(*) from boundaries) + (select count(*) from parties)
        + (select count(*) from offices) + (select count(*) from persons) + (select count(*) from officeholders)
        + (select count(*) from elections) + (select count(*) from races) + (select count(*) from candidates)
        + (select count(*) from ballot_measures) + (select count(*) from voting_places) as count`.execute(database.db);
    expect(ids.size).toBe(Number(rows[0]?.count));
  });

  it('has the changes of some types with their fields, and one cursor while nothing changes', async () => {
    const next = await now();
    await votes(41);
    const { body } = await get(`after=${next}&types=candidate,race`);
    expect(body.data).toMatchObject({
      changes: [{ kind: 'UPDATED', type: 'Candidate', fields: ['votes'], source: null }],
      up_to_date: true,
    });
    expect((await get(`after=${next}&types=race`)).body.data).toMatchObject({ changes: [], next: body.data.next });
  });

  it.each([
    ['unknown', 'f'.repeat(72)],
    ['of another form', '%27%20or%201=1'],
    ['of a change that was lost with the end of the database', undefined],
  ])('says of a cursor %s how to go on: 410', async (_, given) => {
    const after = given ?? (await now());
    // As a backup has it, in which this transaction is missing and another one has its numbers.
    if (!given) {
      await run(
        'update change_sets set state = gen_random_uuid() where last_sequence = (select max(last_sequence) from change_sets)',
      );
      await votes(40);
      await sleep(600);
    }
    const { statusCode, body, headers } = await get(`after=${after}`);
    expect([statusCode, headers['cache-control']]).toEqual([410, 'no-store']);
    expect(body).toMatchObject({ success: false, download: '/data/changes?after=start', next: await now() });
    expect((await get(`after=${body.next}`)).body.data).toMatchObject({ changes: [], up_to_date: true });
  });

  it('waits for a change, without a place among the requests of its key, and is not ended by one that the package does not show', async () => {
    const [next, hidden] = [await now(), await now('no-results')];
    const waiting = get(`after=${next}&wait=20`);
    const unaware = get(`after=${hidden}&wait=2`, 'no-results');
    await sleep(600);
    // One request of a key may be under way.
    expect((await get('')).statusCode).toBe(200);
    await votes(42);
    const { body, ms } = await waiting;
    expect(body.data.changes).toMatchObject([{ type: 'Candidate', fields: ['votes'] }]);
    expect(ms).toBeLessThan(10_000);
    const unchanged = await unaware;
    expect(unchanged.body.data).toEqual({ changes: [], next: hidden, up_to_date: true });
    expect(unchanged.ms).toBeGreaterThan(1_900);
  });

  it('lets so many requests of a key wait, and no more', async () => {
    const next = await now();
    const waiting = [1, 2, 3].map(() => get(`after=${next}&wait=3`));
    await sleep(800);
    const { statusCode, body } = await get(`after=${next}&wait=3`);
    expect([statusCode, body.message]).toEqual([
      429,
      'Limit Exceeded: at most 3 requests of this key may wait for changes. Wait for fewer at once.',
    ]);
    expect((await get(`after=${next}&wait=1`, 'no-results')).statusCode).toBe(200);
    for (const each of await Promise.all(waiting)) expect(each.statusCode).toBe(200);
  });
});
