import { type Kysely, sql } from 'kysely';

/**
 * Adds the guard function of the statements that the query planner compiles: they call it for a null in a non-null
 * field of the GraphQL schema, so that the statement fails instead of returning JSON without a value. It is stable,
 * since an immutable function with a constant argument would be evaluated while the statement is planned.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function missing(field text) returns text language plpgsql stable parallel safe as $$
    begin
      raise exception 'Cannot return null for non-nullable field %.', field using errcode = 'null_value_not_allowed';
    end $$;
    comment on function missing is 'Raises an error for a null in a GraphQL field that may not be null, for example Office.name.';
  `.execute(db);
}
