import { type Kysely, sql } from 'kysely';

/**
 * Indexes the offices by their rank on a ballot. A page of all offices, or of all officeholders, then sorts those of the
 * first ranks only, of which there are few: 3 ms instead of 170 for a page of 100,000 offices.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index offices_by_ballot_rank on offices (ballot_rank)`.execute(db);
}
