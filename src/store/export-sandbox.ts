import { readFileSync } from 'node:fs';
import { CompiledQuery, type Kysely, sql } from 'kysely';

/** The statement that revokes functions; administrators run it as well. */
const REVOKE_UNWANTED = readFileSync(new URL('../../db/unwanted-functions.sql', import.meta.url), 'utf8');

/**
 * Sets up or repairs the sandbox of the stored queries in a migrated database; the function is idempotent, and safe to
 * run concurrently.
 *
 * The role `ballotgraph_export` may read the data tables, execute the functions for rules that depend on a day, and
 * nothing else, and owns two functions that run a given text
 * with its privileges (`security definer`). Within such a function PostgreSQL rejects every change of the role or
 * session user, however deeply the statement is nested: `set local role` alone can be undone by any function that
 * executes text as SQL. A login of its own would need a password that the gateway, connection poolers, pg_hba.conf and
 * standbys know, and confines no further: what everyone may execute, it may, too.
 *
 * If the user may not create or grant the role, nothing is set up and bulk download is rejected (`SANDBOX_PROBLEM`).
 */
export async function prepareExportSandbox<T>(db: Kysely<T>): Promise<void> {
  await sql`
    do $setup$
    declare
      role_name constant text := 'ballotgraph_export';
      schema_name constant text := current_schema();
    begin
      -- Two commands that grant at the same time would fail with "tuple concurrently updated". A user for whom this sandbox
      -- has revoked the function, as a user with a schema of its own, does without.
      if has_function_privilege('pg_advisory_xact_lock(bigint)', 'execute') then
        perform pg_advisory_xact_lock(hashtext('ballotgraph export sandbox'));
      end if;
      if not exists (select from pg_roles where rolname = role_name) then
        begin
          execute format('create role %I nologin noinherit', role_name);
        exception
          when duplicate_object or unique_violation then null;
        end;
      end if;
      execute format('grant usage on schema %I to %I', schema_name, role_name);
      grant select on
        districts, boundaries, boundary_pieces, parties, offices, persons, officeholders, contacts,
        elections, races, candidates, candidate_parties, ranked_choice_rounds, ballot_measures,
        sources, record_sources, external_identifiers, data_version,
        compared_maps, compared_map_parts, newer_maps, absent_district_types, unplaced_contests, voting_places, deadlines,
        precinct_results, election_offices, district_election_offices
        to ballotgraph_export;
      -- By default every role may execute a function, but an administrator may have changed that.
      grant execute on function boundaries_in_effect, boundaries_for_races, officeholders_in_office, race_reference_day,
        map_on, outdated_boundaries, compared_map, map_overlaps, computed_map_overlaps, deadline_day to ballotgraph_export;
      if not pg_has_role(role_name, 'usage') then
        execute format('grant %I to %I', role_name, current_user);
      end if;

      if to_regprocedure('ballotgraph_export_open(text, text)') is null then
        create function ballotgraph_export_open(cursor_name text, query text) returns void
        language plpgsql security definer as $function$
        declare
          opened refcursor := cursor_name;
        begin
          open opened no scroll for execute 'select * from (' || query || e'\\n) as source_';
        end $function$;
        comment on function ballotgraph_export_open is 'Opens a cursor over a query, planned with the rights of ballotgraph_export.';
      end if;
      if to_regprocedure('ballotgraph_export_rows(text, bigint)') is null then
        create function ballotgraph_export_rows(query text, largest_bytes bigint) returns setof record
        language plpgsql security definer as $function$
        declare
          result record;
          bytes bigint := 0;
        begin
          for result in execute query loop
            bytes := bytes + pg_column_size(result);
            if bytes > largest_bytes then
              raise program_limit_exceeded using message = 'the result is larger than it may be';
            end if;
            return next result;
          end loop;
        end $function$;
        comment on function ballotgraph_export_rows is 'The rows of a query, run with the rights of ballotgraph_export.';
      end if;
      revoke execute on function ballotgraph_export_open, ballotgraph_export_rows from public;
      if exists (
        select from pg_proc where pg_get_userbyid(proowner) <> role_name
          and oid in (to_regprocedure('ballotgraph_export_open(text, text)'), to_regprocedure('ballotgraph_export_rows(text, bigint)'))
      ) then
        -- An owner needs this right when it becomes one, and never again.
        execute format('grant create on schema %I to %I', schema_name, role_name);
        alter function ballotgraph_export_open owner to ballotgraph_export;
        alter function ballotgraph_export_rows owner to ballotgraph_export;
        execute format('revoke create on schema %I from %I', schema_name, role_name);
      end if;

      -- The embedded database has no other user, and one session for all clients, so no query may change its settings.
      if version() ilike '%pglite%' or version() ilike '%emscripten%' then
        revoke execute on function set_config from public;
      end if;
    exception
      when insufficient_privilege then raise notice 'the sandbox of stored queries cannot be set up: %', sqlerrm;
    end $setup$`.execute(db);
  await sql.raw(REVOKE_UNWANTED).execute(db);
}

/**
 * SQL that returns in `problem` why stored queries cannot run in the sandbox; null when they can. For example, a dump
 * restored without owners leaves functions that would run with the privileges of the user who restored it.
 */
export const SANDBOX_PROBLEM = `
  select case
    when role.oid is null then 'there is no role ballotgraph_export'
    when role.rolsuper or role.rolbypassrls or role.rolcreaterole or role.rolreplication
      or exists (select from pg_auth_members m where m.member = role.oid)
      then 'the role ballotgraph_export may do more than read: it must be a member of no role and have no attributes'
    when has_any_column_privilege(role.oid, to_regclass('api_keys'), 'select')
      then 'the role ballotgraph_export may read api_keys'
    when functions.found < 2 then 'the functions ballotgraph_export_open and ballotgraph_export_rows are missing'
    when not functions.restricted then 'the functions ballotgraph_export_* must be security definer and owned by that role'
    when not functions.allowed then 'this user must be a member of the role ballotgraph_export'
  end as problem
  from (values ('ballotgraph_export')) as wanted(name)
  left join pg_roles role on role.rolname = wanted.name
  cross join lateral (
    select count(*) as found, bool_and(p.prosecdef and p.proowner = role.oid) as restricted,
      bool_and(has_function_privilege(p.oid, 'execute')) as allowed
    from pg_proc p
    where p.oid in (to_regprocedure('ballotgraph_export_open(text, text)'), to_regprocedure('ballotgraph_export_rows(text, bigint)'))
  ) functions`;

/** Returns why stored queries cannot run in the sandbox; null when they can. */
export async function sandboxProblem<T>(db: Kysely<T>): Promise<string | null> {
  // A text, as the transaction of a stored query sends it by `pg`: it reads the system catalogue, which `tables.ts` does not have.
  const statement = CompiledQuery.raw(SANDBOX_PROBLEM) as CompiledQuery<{ problem: string | null }>;
  const { rows } = await db.executeQuery(statement);
  return rows[0]?.problem ?? null;
}
