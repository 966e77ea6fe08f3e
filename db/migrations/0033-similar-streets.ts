import { type Kysely, sql } from 'kysely';

/**
 * Indexes each name of a street once for the search of similar names, instead of once for each street: a state has many
 * streets with the same name. Each name is a spelling of itself in `street_spellings`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index address_streets_similar;
    create index street_spellings_similar on street_spellings using gin (core gin_trgm_ops) where spelling = core;
  `.execute(db);
}
