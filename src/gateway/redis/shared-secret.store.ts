import { createLookupCache } from '../../store/reading/lookup-cache.ts';
import type { Database } from '../../store/sql/database.ts';
import { signingSecret } from '../../store/sql/functions.ts';
import { fixedQuery } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';

/** The secrets that all gateways of a database share. */
export interface SharedSecrets {
  /** Signs what a gateway stores. */
  readonly signing: Buffer;
  /** What was signed with one of these is accepted. */
  readonly accepted: readonly Buffer[];
}

/** Returns the secrets, at most 5 seconds old, or 60 while they cannot be read; undefined if they are not known. */
export type SharedSecret = () => Promise<SharedSecrets | undefined>;

const findSecrets = fixedQuery('redis.sharedSecret', () =>
  query.selectFrom('shared_secret as s').select(['s.secret', 's.previous_secret']).select(signingSecret.as('signing')),
);

async function readSecrets(db: Database): Promise<SharedSecrets> {
  const [row] = await findSecrets(db);
  if (!row) throw new Error('The database has no row in shared_secret');
  return { signing: row.signing, accepted: [row.secret, ...(row.previous_secret ? [row.previous_secret] : [])] };
}

/** Creates the function that returns the secrets. It reads them on first use. */
export function createSharedSecret(db: Database, now?: () => number): SharedSecret {
  const secrets = createLookupCache({ lookup: () => readSecrets(db), size: 1, now });
  return async () => {
    try {
      return await secrets('secrets');
    } catch {
      return undefined;
    }
  };
}
