import type { Database } from '../database/database.ts';
import { rowsOf } from '../database/named-query.ts';
import { query } from '../database/query-builder.ts';

/** Returns the secret shared by all gateways of a database; undefined while it cannot be read. */
export type SharedSecret = () => Promise<Buffer | undefined>;

const RETRY_MS = 1_000;

/** Creates the function that reads the secret once, on first use, and retries after a second if that fails. */
export function createSharedSecret(db: Database, now = () => performance.now()): SharedSecret {
  let reading: Promise<Buffer | undefined> | undefined;
  let retryAt = 0;

  async function read(): Promise<Buffer | undefined> {
    const [only] = await rowsOf(db, 'redis.sharedSecret', query.selectFrom('shared_secret as s').select('s.secret'));
    return only?.secret;
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
