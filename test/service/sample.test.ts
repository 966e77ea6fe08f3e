import { beforeEach, describe, expect, it } from 'vitest';
import { createApiKey, findCaller, revokeApiKey } from '../../src/gateway/access/access.store.ts';
import { digestOf } from '../../src/gateway/access/api-key.ts';
import { DEMO_KEY } from '../../src/gateway/access/demo-key.ts';
import { loadSample, type SamplePart, wantsSample } from '../../src/operate/start/sample.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

beforeEach(async () => {
  await database.db.deleteFrom('api_keys').execute();
  await database.db.deleteFrom('districts').execute();
});

const district: SamplePart = {
  title: 'a district',
  load: (db) => db.insertInto('districts').values({ type: 'State', name: 'Here' }).execute(),
};
const failing: SamplePart = {
  title: 'a part that fails',
  load: () => Promise.reject(new Error('cut off')),
};
const demoCaller = () => findCaller(database.db, digestOf(DEMO_KEY));

describe('the sample', () => {
  it('is loaded once into an untouched database, and the demo key is activated', async () => {
    expect(await wantsSample(database.db)).toBe(true);
    await loadSample(database.db, [district]);
    expect(await wantsSample(database.db)).toBe(false);
    expect(await demoCaller()).toMatchObject({ packageName: 'full' });
  });

  it('is loaded again after an interruption, and the demo key is inactive until then', async () => {
    await expect(loadSample(database.db, [district, failing])).rejects.toThrow('cut off');
    expect(await demoCaller()).toBeUndefined();
    expect(await wantsSample(database.db)).toBe(true);
    await loadSample(database.db, [district]);
    expect(await wantsSample(database.db)).toBe(false);
    expect(await demoCaller()).toMatchObject({ packageName: 'full' });
  });

  it('is not loaded into a database with data or keys', async () => {
    await createApiKey(database.db, 'full');
    expect(await wantsSample(database.db)).toBe(false);
    await database.db.deleteFrom('api_keys').execute();
    await district.load(database.db);
    expect(await wantsSample(database.db)).toBe(false);
  });

  it('is not loaded again after its data was deleted and its key revoked', async () => {
    await loadSample(database.db, [district]);
    await revokeApiKey(database.db, DEMO_KEY);
    await database.db.deleteFrom('districts').execute();
    expect(await wantsSample(database.db)).toBe(false);
    expect(await demoCaller()).toBeUndefined();
  });
});
