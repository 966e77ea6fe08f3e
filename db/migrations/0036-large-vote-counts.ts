import { type Kysely, sql } from 'kysely';

const COUNTS: Readonly<Record<string, readonly string[]>> = {
  candidates: ['votes_for_cand'],
  ranked_choice_rounds: ['votes_for'],
  ballot_measures: ['yes_votes_total', 'no_votes_total'],
};

/**
 * Stores numbers of votes in 64 bits. PostgreSQL does not change the type of a column that the condition of a trigger
 * refers to, so the triggers of these tables are dropped and created again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(COUNTS)) {
    const { rows: triggers } = await sql<{ name: string; definition: string }>`
      select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger
      where tgrelid = ${table}::regclass and not tgisinternal order by tgname`.execute(db);
    for (const { name } of triggers) await sql`drop trigger ${sql.id(name)} on ${sql.table(table)}`.execute(db);
    const changes = columns.map((column) => sql`alter column ${sql.id(column)} type bigint`);
    await sql`alter table ${sql.table(table)} ${sql.join(changes)}`.execute(db);
    for (const { definition } of triggers) await sql.raw(definition).execute(db);
  }
}
