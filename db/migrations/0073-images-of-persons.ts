import { type Kysely, sql } from 'kysely';

/**
 * Adds the address of a person's picture, which stays where the source says it is. A person who was merged keeps it for a split.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const values = (row: string) =>
    sql.raw(['name', 'first_name', 'last_name', 'url', 'image_url'].map((column) => `${row}.${column}`).join(', '));
  await sql`
    alter table persons add image_url text;
    comment on column persons.image_url is 'The https address of a picture at a third party, as the source states it; null if it states none.';
    alter table person_merges add image_url text;

    drop trigger set_updated_at on persons;
    create trigger set_updated_at before update on persons for each row
      when (row(${values('old')}) is distinct from row(${values('new')})) execute function set_updated_at();
  `.execute(db);
}
