import { type Kysely, sql } from 'kysely';

/** Indexes the identifiers in columns by which `findRecords` finds records; all others are in `external_identifiers`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index districts_by_nces_id on districts (nces_id) where nces_id is not null;
    create index candidates_by_fec_id on candidates (fec_id) where fec_id is not null;
  `.execute(db);
}
