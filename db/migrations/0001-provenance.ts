import { type Kysely, sql } from 'kysely';

/** Creates the provenance of rows and their identifiers in other data sets. Every later migration refers to these. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create extension if not exists postgis;
    create extension if not exists btree_gist;

    create type record_kind as enum (
      'district', 'boundary', 'party', 'office', 'person', 'officeholder', 'contact',
      'election', 'race', 'candidate', 'ballot_measure'
    );

    create table sources (
      id integer generated always as identity primary key,
      name text not null,
      source text,
      license text,
      as_of date,
      loaded_at timestamptz not null default now(),
      unique nulls not distinct (name, source, license, as_of)
    );
    comment on table sources is 'One row per data set and edition that was loaded: the provenance of every record.';

    create table record_sources (
      kind record_kind not null,
      record_id integer not null,
      source_id integer not null references sources,
      primary key (kind, record_id, source_id)
    );
    create index record_sources_source on record_sources (source_id);

    create table external_identifiers (
      kind record_kind not null,
      scheme text not null,
      value text not null,
      record_id integer not null,
      primary key (kind, scheme, value)
    );
    comment on table external_identifiers is 'How other data sets name a record (scheme and value), so that it keeps our id over every import.';
    create index external_identifiers_record on external_identifiers (kind, record_id);
  `.execute(db);
}
