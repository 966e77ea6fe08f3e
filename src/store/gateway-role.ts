import { type Kysely, sql } from 'kysely';
import type { DB } from './sql/tables.ts';

/** The role of a gateway that does not own the tables. An administrator creates it, and a migration gives it its rights. */
const GATEWAY_ROLE = 'ballotgraph_gateway';

/** What only commands read: the log of changes, notes of transactions, decisions of operators about persons, and editions of files. */
const ONLY_FOR_COMMANDS = [
  'access_changes',
  'data_changes',
  'distinct_persons',
  'edition_records',
  'import_editions',
  'pending_changes',
  'person_assignments',
] as const satisfies readonly (keyof DB)[];

/**
 * Gives the role of the gateway the rights that a gateway needs, and no others: it reads, and records the last use of
 * keys. Nothing happens without such a role. The function is idempotent, and safe to run concurrently.
 */
export async function grantGatewayRights<T>(db: Kysely<T>, role: string = GATEWAY_ROLE): Promise<void> {
  await sql`
    do $grants$
    declare
      role_name constant text := ${sql.lit(role)};
      schema_name constant text := current_schema();
      hidden text;
    begin
      if not exists (select from pg_roles where rolname = role_name) then
        return;
      end if;
      -- Two commands that grant at the same time would fail with "tuple concurrently updated".
      perform pg_advisory_xact_lock(hashtext('ballotgraph gateway rights'));
      execute format('grant usage on schema %I to %I', schema_name, role_name);
      execute format('revoke all on all tables in schema %I from %I', schema_name, role_name);
      execute format('grant select on all tables in schema %I to %I', schema_name, role_name);
      foreach hidden in array array[${sql.join(ONLY_FOR_COMMANDS.map((table) => sql.lit(table)))}, 'kysely_migration_lock'] loop
        execute format('revoke all on %I.%I from %I', schema_name, hidden, role_name);
      end loop;
      execute format('grant update (last_used_at) on %I.api_keys to %I', schema_name, role_name);
    end $grants$`.execute(db);
}
