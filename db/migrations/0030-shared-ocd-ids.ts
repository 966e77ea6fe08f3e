import { type Kysely, sql } from 'kysely';

/**
 * Lets districts of different types have the same OCD id: the list of division ids makes that of an at-large district of
 * Congress an alias of that of its state, and a consolidated city has the one of its county.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table districts drop constraint districts_ocdid_key;
    alter table districts add constraint districts_ocdid_key unique (ocdid, type);
  `.execute(db);
}
