import { describe, expect, it } from 'vitest';
import { createLookupCache } from '../../src/store/reading/lookup-cache.ts';

/** Creates a cache over a table that a test can change or make unavailable, with a clock that the test sets. */
function setUp(size = 10) {
  const table = new Map<string, { name: string }>();
  const state = { time: 1_000, isUnavailable: false, lookups: 0 };
  const get = createLookupCache({
    size,
    now: () => state.time,
    lookup: async (key) => {
      state.lookups += 1;
      if (state.isUnavailable) throw new Error('unavailable');
      return table.get(key);
    },
  });
  return { table, state, get };
}

const value = { name: 'value' };

describe('the cache of lookups', () => {
  it('looks a value up once for many concurrent requests, and caches it', async () => {
    const { table, state, get } = setUp();
    table.set('a', value);
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual([value, value, value]);
    expect(await get('a')).toBe(value);
    expect(state.lookups).toBe(1);
  });

  it('drops a removed value and finds a new one within 5 seconds', async () => {
    const { table, state, get } = setUp();
    table.set('gone', value);
    await Promise.all([get('gone'), get('new')]);
    table.delete('gone');
    table.set('new', value);
    state.time += 3_000;
    expect([await get('gone'), await get('new')]).toEqual([value, undefined]);
    state.time += 1_500;
    expect([await get('gone'), await get('new')]).toEqual([undefined, value]);
  });

  it('refreshes a frequently used value in the background before it expires', async () => {
    const { table, state, get } = setUp();
    table.set('a', value);
    await get('a');
    const renewed = { name: 'renewed' };
    table.set('a', renewed);
    state.time += 3_500;
    expect(await Promise.all([get('a'), get('a')])).toEqual([value, value]);
    await expect.poll(() => get('a')).toBe(renewed);
    state.time += 1_000;
    expect(await get('a')).toBe(renewed);
    expect(state.lookups).toBe(2);
  });

  it('serves a value that expires while it is being refreshed only after the refresh', async () => {
    const table = new Map([['a', value]]);
    const state = { time: 1_000, delay: Promise.resolve() };
    const get = createLookupCache({
      size: 10,
      now: () => state.time,
      lookup: async (key) => {
        await state.delay;
        return table.get(key);
      },
    });
    await get('a');
    const { promise, resolve } = Promise.withResolvers<void>();
    state.delay = promise;
    table.delete('a');
    state.time += 3_500;
    expect(await get('a')).toBe(value);
    state.time += 1_000;
    const expired = get('a');
    resolve();
    expect(await expired).toBeUndefined();
  });

  it('counts the age of a value from the start of its lookup', async () => {
    const { table, state, get } = setUp();
    table.set('a', value);
    const first = get('a');
    state.time += 3_900;
    await first;
    table.delete('a');
    state.time += 200;
    expect(await get('a')).toBeUndefined();
  });

  it('serves cached values for 60 seconds while the database is unavailable, and rejects all others', async () => {
    const { table, state, get } = setUp();
    table.set('known', value);
    await Promise.all([get('known'), get('absent')]);
    state.isUnavailable = true;
    for (state.time += 4_500; state.time < 1_000 + 60_000; state.time += 500) {
      expect(await get('known')).toBe(value);
      await expect(get('absent')).rejects.toThrow('unavailable');
      await expect(get('never seen')).rejects.toThrow('unavailable');
    }
    state.time = 1_000 + 60_000;
    await expect(get('known')).rejects.toThrow('unavailable');
  });

  it('looks a cached value up at most once a second while the database is unavailable, and detects its recovery', async () => {
    const { table, state, get } = setUp();
    table.set('known', value);
    await get('known');
    state.isUnavailable = true;
    state.time += 5_000;
    state.lookups = 0;
    for (let request = 0; request < 20; request++) {
      await get('known');
      state.time += 100;
    }
    expect(state.lookups).toBe(2);
    state.isUnavailable = false;
    table.delete('known');
    state.time += 1_000;
    expect(await get('known')).toBeUndefined();
  });

  it('is bounded, and a flood of unknown keys does not evict cached ones', async () => {
    const { table, state, get } = setUp(10);
    table.set('known', value);
    await get('known');
    for (let key = 0; key < 1_000; key++) await get(`absent ${key}`);
    state.lookups = 0;
    await get('known');
    expect(state.lookups).toBe(0);
    await Promise.all(Array.from({ length: 1_000 }, (_, key) => get(`concurrent ${key}`)));
    state.lookups = 0;
    expect(await get('known')).toBe(value);
    expect(state.lookups).toBe(0);
    await get('absent 0');
    expect(state.lookups).toBe(1);
  });
});
