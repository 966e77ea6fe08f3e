import { type Kysely, sql } from 'kysely';

/** Allows races whose number of seats no source states. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table races alter number_of_seats drop not null;
    comment on column races.number_of_seats is 'Number of candidates who win. Null if no source and no law states it, as in results of a council without it.';
  `.execute(db);
}
