import { type Kysely, sql } from 'kysely';

/** The tables whose rows appear in responses. */
const DATA = [
  ...['districts', 'boundaries', 'boundary_pieces', 'parties', 'offices', 'persons', 'officeholders', 'contacts'],
  ...['elections', 'races', 'candidates', 'candidate_parties', 'ranked_choice_rounds', 'ballot_measures'],
  ...['sources', 'record_sources', 'external_identifiers'],
];

/**
 * Raises the data version on every change of the data, by any client. The first changed row of a transaction inserts a
 * note into `data_changes`; at the end of the transaction, where concurrent transactions wait only briefly for each
 * other, the note becomes one new version. A note that is rolled back has no effect.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table data_version add state uuid not null default gen_random_uuid();
    comment on table data_version is 'One row. The version rises with every transaction that changes the data: what was made of an older version is out of date.';
    comment on column data_version.state is 'Random, with every version another one: never the same for two states of the data, also not those of two stores or of a backup that was restored.';

    create table data_changes (
      noted boolean not null default true
    );
    comment on table data_changes is 'Always empty for all others: holds a row from the first change of the data in a transaction to its end.';

    create function note_data_change() returns trigger language plpgsql security definer set search_path from current as $$
    begin
      if coalesce(current_setting('ballotgraph.data_change', true), '') <> 'noted' then
        perform set_config('ballotgraph.data_change', 'noted', true);
        insert into data_changes default values;
      end if;
      return null;
    end $$;

    create function raise_data_version() returns trigger language plpgsql security definer set search_path from current as $$
    begin
      delete from data_changes;
      perform set_config('ballotgraph.data_change', '', true);
      insert into data_version (version) values (1)
        on conflict (single) do update
        set version = data_version.version + 1, state = gen_random_uuid(), changed_at = now();
      perform pg_notify('ballotgraph_data_version', version::text) from data_version;
      return null;
    end $$;

    create constraint trigger raise_data_version after insert on data_changes
      deferrable initially deferred for each row execute function raise_data_version();
  `.execute(db);
  for (const table of DATA) {
    await sql`
      create trigger note_data_change after insert or update or delete on ${sql.table(table)} for each row
        when (coalesce(current_setting('ballotgraph.data_change', true), '') <> 'noted')
        execute function note_data_change();
      create trigger note_data_removal after truncate on ${sql.table(table)} for each statement
        execute function note_data_change();
    `.execute(db);
  }
}
