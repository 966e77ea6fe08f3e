import type { Database } from '../database/database.ts';
import { signingSecret } from '../database/functions.ts';
import { fixedQuery } from '../database/named-query.ts';
import { query } from '../database/query-builder.ts';

/** The secrets that all gateways of a database share. */
export interface SharedSecrets {
  /** Signs what a gateway stores. */
  readonly signing: Buffer;
  /** What was signed with one of these is accepted. */
  readonly accepted: readonly Buffer[];
}

/** Returns the secrets, at most 5 seconds old; undefined while they have never been read. */
export type SharedSecret = () => Promise<SharedSecrets | undefined>;

/** Below the promised 5 seconds by the time that the statement may take. */
const FRESH_MS = 4_000;
const RETRY_MS = 1_000;

const findSecrets = fixedQuery('redis.sharedSecret', () =>
  query.selectFrom('shared_secret as s').select(['s.secret', 's.previous_secret']).select(signingSecret.as('signing')),
);

/**
 * Creates the function that reads the secrets on first use and again after a rotation could have happened. If that fails,
 * it retries after a second and returns those that it knows.
 */
export function createSharedSecret(db: Database, now = () => performance.now()): SharedSecret {
  let known: SharedSecrets | undefined;
  let reading: Promise<void> | undefined;
  let readAgainAt = 0;

  async function read(): Promise<void> {
    const startedAt = now();
    try {
      const [row] = await findSecrets(db);
      if (!row) throw new Error('The database has no row in shared_secret');
      known = { signing: row.signing, accepted: [row.secret, ...(row.previous_secret ? [row.previous_secret] : [])] };
      readAgainAt = startedAt + FRESH_MS;
    } catch {
      readAgainAt = now() + RETRY_MS;
    } finally {
      reading = undefined;
    }
  }

  return async () => {
    if (now() >= readAgainAt) {
      reading ??= read();
      await reading;
    }
    return known;
  };
}
