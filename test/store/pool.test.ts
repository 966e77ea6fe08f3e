import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPool } from '../../src/store/database.ts';
import type { Pool } from '../../src/store/pool.ts';
import { useStore } from '../support/store.ts';

const WAIT_MS = 5_000;
const store = useStore();
let pool: Pool;
beforeEach(() => {
  pool = openPool({ at: store.at, size: 1, statementTimeoutMs: 0, waitMs: WAIT_MS });
});
afterEach(() => pool.end());

it('knows how long one waits for a connection, by those who wait', async () => {
  const held = await pool.connect();
  expect(pool.queueMs).toBe(0);
  const turns: number[] = [];
  const waiting = Array.from({ length: 40 }, async (_, turn) => {
    const client = await pool.connect();
    turns.push(turn);
    await sleep(10);
    client.release();
  });
  await sleep(50);
  expect(pool.queueMs).toBeGreaterThan(40);
  held.release();
  // All came at once: what the next one waits, beyond that, is told by how many they are.
  await expect.poll(() => turns.length, { interval: 1 }).toBeGreaterThan(10);
  expect(pool.queueMs).toBeGreaterThan(100);
  await Promise.all(waiting);
  expect(turns).toEqual(turns.toSorted((one, other) => one - other));
  expect(pool.queueMs).toBe(0);
});

it('does not count who has given up', async () => {
  const held = await pool.connect();
  pool.options.connectionTimeoutMillis = 50;
  await expect(pool.connect()).rejects.toThrow(/timeout/);
  expect(pool.queueMs).toBe(0);
  held.release();
});
