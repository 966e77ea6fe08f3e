import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from './build.ts';

const LOOK_EVERY_MS = 100;
const QUIET_LOOKS = 5;
const LONGEST_WAIT_MS = 60_000;

/** Waits until the database is idle: servers may still be processing timed-out requests. */
export async function untilQuiet(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const until = performance.now() + LONGEST_WAIT_MS;
    for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < until; ) {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
      );
      quiet = rowCount === 0 ? quiet + 1 : 0;
      await sleep(LOOK_EVERY_MS);
    }
  });
}
