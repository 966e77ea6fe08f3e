import { type Kysely, sql } from 'kysely';

/**
 * Indexes the keys of elections in their global ids (`electionKeyInSql`), which are hashes: packages without the grant
 * `election_ids` do not include the numbers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unique index elections_by_key on elections (md5('election ' || id::text))`.execute(db);
}
