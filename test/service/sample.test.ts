import { beforeEach, describe, expect, it } from 'vitest';
import { createApiKey, findCaller, revokeApiKey } from '../../src/access/access.store.ts';
import { digestOf } from '../../src/access/api-key.ts';
import { DEMO_KEY } from '../../src/access/demo-key.ts';
import { loadSample, type SamplePart, wantsSample } from '../../src/start/sample.ts';
import { useStore } from '../support/store.ts';

const store = useStore();

beforeEach(async () => {
  await store.db.deleteFrom('api_keys').execute();
  await store.db.deleteFrom('districts').execute();
});

const district: SamplePart = {
  title: 'a district',
  load: (db) => db.insertInto('districts').values({ type: 'State', name: 'Here' }).execute(),
};
const failing: SamplePart = {
  title: 'a part that fails',
  load: () => Promise.reject(new Error('cut off')),
};
const demoCaller = () => findCaller(store.db, digestOf(DEMO_KEY));

describe('the sample', () => {
  it('belongs into an untouched store, once, and opens it with the demo key', async () => {
    expect(await wantsSample(store.db)).toBe(true);
    await loadSample(store.db, [district]);
    expect(await wantsSample(store.db)).toBe(false);
    expect(await demoCaller()).toMatchObject({ packageName: 'full' });
  });

  it('is loaded again when it was cut off, and the demo key is of no use until then', async () => {
    await expect(loadSample(store.db, [district, failing])).rejects.toThrow('cut off');
    expect(await demoCaller()).toBeUndefined();
    expect(await wantsSample(store.db)).toBe(true);
    await loadSample(store.db, [district]);
    expect(await wantsSample(store.db)).toBe(false);
    expect(await demoCaller()).toMatchObject({ packageName: 'full' });
  });

  it('does not come into a database that has data or keys of its own', async () => {
    await createApiKey(store.db, 'full');
    expect(await wantsSample(store.db)).toBe(false);
    await store.db.deleteFrom('api_keys').execute();
    await district.load(store.db);
    expect(await wantsSample(store.db)).toBe(false);
  });

  it('does not come back after its data were deleted and its key was revoked', async () => {
    await loadSample(store.db, [district]);
    await revokeApiKey(store.db, DEMO_KEY);
    await store.db.deleteFrom('districts').execute();
    expect(await wantsSample(store.db)).toBe(false);
    expect(await demoCaller()).toBeUndefined();
  });
});
