import { type Kysely, sql } from 'kysely';

/**
 * Creates what the bulk download needs: a number that rises with every change of the data, and the role that runs
 * stored queries. A role belongs to the whole server, so it may already exist; if the database user may not create
 * roles, stored queries run without it and are restricted to the same tables in another way
 * (`src/gateway/exports/sandbox-transaction.store.ts`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table data_version (
      single boolean primary key default true check (single),
      version bigint not null,
      changed_at timestamptz not null default now()
    );
    comment on table data_version is 'One row. The version rises with every load, in its transaction: what was made of an older version is out of date.';
    insert into data_version (version) values (1);

    do $$
    begin
      if not exists (select from pg_roles where rolname = 'ballotgraph_export') then
        create role ballotgraph_export nologin noinherit;
      end if;
    exception
      when insufficient_privilege then raise notice 'the role ballotgraph_export may not be created';
      when duplicate_object or unique_violation then null;
    end $$;

    do $$
    begin
      if exists (select from pg_roles where rolname = 'ballotgraph_export') then
        execute format('grant usage on schema %I to ballotgraph_export', current_schema());
        grant select on
          districts, boundaries, boundary_pieces, parties, offices, persons, officeholders, contacts,
          elections, races, candidates, candidate_parties, ranked_choice_rounds, ballot_measures,
          sources, record_sources, external_identifiers
          to ballotgraph_export;
        if not (select rolsuper from pg_roles where rolname = current_user) then
          execute format('grant ballotgraph_export to %I', current_user);
        end if;
      end if;
    exception
      when insufficient_privilege then raise notice 'the role ballotgraph_export may not be granted';
    end $$;
  `.execute(db);
}
