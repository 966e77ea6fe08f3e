import { type Kysely, sql } from 'kysely';

/** Deletes the addresses that loads reject from this version on: clients show them as links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['districts', 'parties', 'offices', 'persons', 'races', 'ballot_measures']) {
    await sql`update ${sql.table(table)} set url = null where url !~* '^https?://[^/[:space:]]'`.execute(db);
  }
  await sql`
    delete from contacts
    where regexp_replace(contact, '[[:cntrl:][:space:]]', '', 'g')
      ~* '^(javascript|data|vbscript|blob|file|filesystem|about|view-source):'`.execute(db);
}
