import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { type RecordedDatabase, recordStatements } from '../../support/statements.ts';
import { createWorld } from '../../support/world.ts';

const database = useDatabase();
let recorded: RecordedDatabase;
beforeAll(async () => {
  await createWorld(database.db);
  recorded = recordStatements(database);
});
const recordedDatabase = {
  get db() {
    return recorded.db;
  },
  get pool() {
    return recorded.pool;
  },
  get at() {
    return database.at;
  },
};

const services = new Map(
  ['0', '1000000'].map((bytes) => [bytes, useApp(recordedDatabase, { RESPONSE_CACHE_BYTES: bytes })]),
);

it.each([...services])(
  'with RESPONSE_CACHE_BYTES=%s an operation whose result has errors runs once',
  async (_, service) => {
    const request = () =>
      service.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': service.key('full') },
        payload: { query: '{ districts { totalCount } district { id: databaseId } }' },
      });
    await request();
    // The aborted attempt of the planner may still be reading.
    await expect.poll(() => database.pool.totalCount - database.pool.idleCount).toBe(0);
    recorded.take();
    const { data, errors } = (await request()).json();
    expect(data).toEqual({ districts: { totalCount: 6 }, district: null });
    expect(errors[0].extensions.code).toBe('INVALID_PARAMETER');
    expect(recorded.take().filter((statement) => statement.includes('count(*)'))).toHaveLength(1);
  },
);
