import { describe, expect, it } from 'vitest';
import { createLookupCache } from '../../src/access/lookup-cache.ts';

/** A cache over a table that a test can change or take away, with a clock that the test moves. */
function setUp(size = 10) {
  const table = new Map<string, { name: string }>();
  const state = { time: 1_000, away: false, asked: 0 };
  const get = createLookupCache({
    size,
    now: () => state.time,
    look: async (key) => {
      state.asked += 1;
      if (state.away) throw new Error('away');
      return table.get(key);
    },
  });
  return { table, state, get };
}

const value = { name: 'value' };

describe('the cache of keys and origins', () => {
  it('asks once for many requests at once, and not again for a while', async () => {
    const { table, state, get } = setUp();
    table.set('a', value);
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual([value, value, value]);
    expect(await get('a')).toBe(value);
    expect(state.asked).toBe(1);
  });

  it('forgets a removed value and notices a new one before 5 seconds have passed', async () => {
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

  it('looks a value in steady use up again before its time, together with others, and nobody waits for it', async () => {
    const { table, state, get } = setUp();
    for (const key of ['a', 'b']) table.set(key, value);
    await Promise.all([get('a'), get('b')]);
    const renewed = { name: 'renewed' };
    for (const key of ['a', 'b']) table.set(key, renewed);
    state.time += 3_500;
    for (let request = 0; request < 5; request++) expect([await get('a'), await get('b')]).toEqual([value, value]);
    await expect.poll(() => state.asked).toBe(4);
    state.time += 1_000;
    expect([await get('a'), await get('b')]).toEqual([renewed, renewed]);
    expect(state.asked).toBe(4);
  });

  it('counts the age of a value from the beginning of its look-up', async () => {
    const { table, state, get } = setUp();
    table.set('a', value);
    const first = get('a');
    state.time += 3_900;
    await first;
    table.delete('a');
    state.time += 200;
    expect(await get('a')).toBeUndefined();
  });

  it('serves known values for 60 seconds while the database is away, and refuses all others', async () => {
    const { table, state, get } = setUp();
    table.set('known', value);
    await Promise.all([get('known'), get('absent')]);
    state.away = true;
    for (state.time += 4_500; state.time <= 1_000 + 60_000; state.time += 500) {
      expect(await get('known')).toBe(value);
      await expect(get('absent')).rejects.toThrow('away');
      await expect(get('never seen')).rejects.toThrow('away');
    }
    state.time = 1_000 + 60_001;
    await expect(get('known')).rejects.toThrow('away');
  });

  it('asks for a known value at most once a second while the database is away, and sees it come back', async () => {
    const { table, state, get } = setUp();
    table.set('known', value);
    await get('known');
    state.away = true;
    state.time += 5_000;
    state.asked = 0;
    for (let request = 0; request < 20; request++) {
      await get('known');
      state.time += 100;
    }
    expect(state.asked).toBe(2);
    state.away = false;
    table.delete('known');
    state.time += 1_000;
    expect(await get('known')).toBeUndefined();
  });

  it('is bounded, and a flood of absent keys does not push known ones out', async () => {
    const { table, state, get } = setUp(10);
    table.set('known', value);
    await get('known');
    for (let key = 0; key < 1_000; key++) await get(`absent ${key}`);
    state.asked = 0;
    await get('known');
    expect(state.asked).toBe(0);
    await get('absent 0');
    expect(state.asked).toBe(1);
  });
});
