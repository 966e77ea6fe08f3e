import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../src/store/sql/database.ts';

const SECRET = Buffer.alloc(32, 'known');

/** Replaces the secret of a database by one that tests know. */
export async function setKnownSecret(db: Database): Promise<void> {
  await sql`update shared_secret set secret = ${SECRET}`.execute(db);
}

/** Returns what the SQL function `election_key` returns with that secret. */
export function electionKey(number: number): string {
  const hashOf = (...parts: readonly (string | Buffer)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256').update(SECRET)).digest();
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  const vector = hashOf('election vector', bytes).subarray(0, 12);
  const masked = Buffer.alloc(4);
  masked.writeInt32BE(number ^ hashOf('election mask', vector).readInt32BE());
  return Buffer.concat([vector, masked]).toString('hex');
}
