import { type Kysely, sql } from 'kysely';

/**
 * Counts `Deceased` among the statuses of a candidacy that reveal nothing about the outcome: a change to or from it is an
 * update of the record for packages without results too (migration 0024).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    declare
      definition text;
    begin
      select replace(pg_get_triggerdef(oid), '''Disqualified''::text', '''Disqualified''::text, ''Deceased''::text')
        into strict definition
        from pg_trigger where tgrelid = 'candidates'::regclass and tgname = 'set_updated_at';
      drop trigger set_updated_at on candidates;
      execute definition;
    end $$;
  `.execute(db);
}
