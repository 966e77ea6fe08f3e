import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { type RecordedDatabase, recordStatements } from '../support/statements.ts';
import { useStore } from '../support/store.ts';
import { createWorld } from '../support/world.ts';

const store = useStore();
let recorded: RecordedDatabase;
beforeAll(async () => {
  await createWorld(store.db);
  recorded = recordStatements(store);
});
const recordedStore = {
  get db() {
    return recorded.db;
  },
  get pool() {
    return store.pool;
  },
  get at() {
    return store.at;
  },
};

const services = new Map(
  ['0', '1000000'].map((bytes) => [bytes, useApp(recordedStore, { RESPONSE_CACHE_BYTES: bytes })]),
);

it.each([...services])(
  'with RESPONSE_CACHE_BYTES=%s an operation whose answer has errors runs once',
  async (_, service) => {
    const ask = () =>
      service.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': service.key('full') },
        payload: { query: '{ districts { totalCount } district { id } }' },
      });
    await ask();
    // The attempt by a plan, which was given up, may still be reading.
    await expect.poll(() => store.pool.totalCount - store.pool.idleCount).toBe(0);
    recorded.take();
    const { data, errors } = (await ask()).json();
    expect(data).toEqual({ districts: { totalCount: 6 }, district: null });
    expect(errors[0].extensions.code).toBe('INVALID_PARAMETER');
    expect(recorded.take().filter((statement) => statement.includes('count(*)'))).toHaveLength(1);
  },
);
