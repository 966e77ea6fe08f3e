import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type EmbeddedDatabase,
  joinEmbeddedDatabase,
  openEmbeddedDatabase,
} from '../../src/store/embedded/embedded-database.ts';
import { LONG_RUNNING_CLIENT } from '../../src/store/embedded/wire.ts';
import { embeddedFolder } from '../support/embedded-folder.ts';

const LIMIT_MS = 500;
/** A statement that computes for about the given time. */
const work = (ms: number) => `do $$ declare until timestamptz := clock_timestamp() + interval '${ms} ms';
  begin while clock_timestamp() < until loop end loop; end $$`;

let folder: string;
let database: EmbeddedDatabase;
const restarts: string[] = [];

beforeAll(async () => {
  folder = await embeddedFolder();
  const onRestart = (reason: string) => restarts.push(reason);
  database = await openEmbeddedDatabase({ dataDir: folder, queryLimitMs: LIMIT_MS, onRestart });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function connect(application_name: string): Promise<pg.Client> {
  const client = new pg.Client({ ...(await joinEmbeddedDatabase(folder)), application_name });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

it('allows long-running statements to commands only', async () => {
  const command = await connect(LONG_RUNNING_CLIENT);
  const other = await connect('ballotgraph');
  for (let turn = 0; turn < 3; turn++) {
    await command.query(work(4 * LIMIT_MS));
    expect((await other.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  }
  // This statement waits for the command; the waiting time does not count towards its limit.
  const [, waited] = await Promise.all([command.query(work(4 * LIMIT_MS)), other.query('select 2 as two')]);
  expect(waited.rows).toEqual([{ two: 2 }]);
  expect(restarts).toEqual([]);

  const began = performance.now();
  await expect(other.query(work(20 * LIMIT_MS))).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(10 * LIMIT_MS);
  while (restarts.length === 0) await sleep(20);
  expect(restarts).toEqual([`a statement ran longer than ${LIMIT_MS} ms`]);
});
