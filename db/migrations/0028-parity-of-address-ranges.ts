import { type Kysely, sql } from 'kysely';

/** Records which address ranges have even and odd house numbers on one side of a street (`PARITYL` = `B` in TIGER/Line). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table address_ranges add column is_mixed boolean not null default false;
    comment on column address_ranges.is_mixed is 'Whether the side has even and odd house numbers; otherwise only those of the parity of its ends.';
    update address_ranges set is_mixed = true where (from_number - to_number) % 2 <> 0;
  `.execute(db);
}
