import { type Kysely, sql } from 'kysely';

/**
 * Records which file of a source brought a record, so that a newer edition of the file removes what it lacks. Records from before belong
 * to no edition. Only commands read these tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table import_editions (
      id integer generated always as identity primary key,
      name text not null,
      importer text not null,
      state text,
      day date,
      file text,
      as_of date,
      unique nulls not distinct (name, importer, state, day, file)
    );
    comment on table import_editions is 'The files that imports have read, one row for each state and day; a newer one of the same name replaces it.';
    comment on column import_editions.name is 'The name of the source in sources.';
    comment on column import_editions.importer is 'The name of the source in commands.';
    comment on column import_editions.file is 'The name of the file without folders, or what else identifies a part of the source; null for all of it.';

    create table edition_records (
      edition_id integer not null references import_editions (id) on delete cascade,
      kind text not null,
      record_id integer not null,
      primary key (edition_id, kind, record_id)
    );
    create index edition_records_record on edition_records (kind, record_id);
    comment on table edition_records is 'What an edition brought: races, candidates, measures, contests that are not placed (unplaced), and candidates whose rounds it has (rounds).';
  `.execute(db);
}
