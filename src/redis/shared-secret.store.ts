import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Returns the secret shared by all gateways of a database; undefined while it cannot be read. */
export type SharedSecret = () => Promise<Buffer | undefined>;

const RETRY_MS = 1_000;

/** Creates the function that reads the secret once, on first use, and retries after a second if that fails. */
export function createSharedSecret(db: Database, now = () => performance.now()): SharedSecret {
  let reading: Promise<Buffer | undefined> | undefined;
  let retryAt = 0;

  async function read(): Promise<Buffer | undefined> {
    const { rows } = await sql<{ secret: Buffer }>`
      /* redis.sharedSecret */ select secret from shared_secret`.execute(db);
    return rows[0]?.secret;
  }

  return async () => {
    if (now() < retryAt) return undefined;
    reading ??= read().catch(() => undefined);
    const secret = await reading;
    if (secret === undefined) {
      reading = undefined;
      retryAt = now() + RETRY_MS;
    }
    return secret;
  };
}
