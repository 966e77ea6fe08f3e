import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from './build.ts';

const CHECK_EVERY_MS = 50;
const IDLE_CHECKS = 3;
const LONGEST_WAIT_MS = 60_000;

/** Waits until the database is idle: servers may still be processing timed-out requests. */
export async function untilIdle(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const until = performance.now() + LONGEST_WAIT_MS;
    for (let idle = 0; idle < IDLE_CHECKS && performance.now() < until; ) {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
      );
      idle = rowCount === 0 ? idle + 1 : 0;
      await sleep(CHECK_EVERY_MS);
    }
  });
}
