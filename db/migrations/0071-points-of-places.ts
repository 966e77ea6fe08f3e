import { type Kysely, sql } from 'kysely';

/**
 * Creates the points of towns and ZIP codes of which no area is loaded. They show where a place is on a map, and are in no
 * district: the point of a town stands for all of it as little as any other one. Each row belongs to one edition of a data
 * set, so its provenance is a column.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table town_points (
      id integer generated always as identity primary key,
      name text not null check (name <> ''),
      state char(2) not null check (state ~ '^[A-Z]{2}$'),
      county char(3) check (county ~ '^[0-9]{3}$'),
      longitude double precision not null check (longitude between -180 and 180),
      latitude double precision not null check (latitude between -90 and 90),
      source_id integer not null references sources
    );
    comment on table town_points is 'Where cities, towns and other populated places are on the map. Never a point for a lookup of districts.';
    comment on column town_points.county is 'The FIPS code of the county within the state; null if the source has none.';
    create index town_points_by_words on town_points using gin (search_words(name));
    create index town_points_similar_name on town_points using gin (replace(plain_text(name), '''', '') gin_trgm_ops);
    create index town_points_state on town_points (state);
    create index town_points_source on town_points (source_id);

    create table zip_points (
      id integer generated always as identity primary key,
      code char(5) collate "C" not null check (code ~ '^[0-9]{5}$'),
      longitude double precision not null check (longitude between -180 and 180),
      latitude double precision not null check (latitude between -90 and 90),
      source_id integer not null references sources
    );
    comment on table zip_points is 'Where ZIP codes are on the map. Never a point for a lookup of districts.';
    create index zip_points_code on zip_points (code);
    create index zip_points_source on zip_points (source_id);
  `.execute(db);
  for (const table of ['town_points', 'zip_points']) {
    await sql`
      create trigger note_data_change after insert or update or delete on ${sql.table(table)} for each row
        when (coalesce(current_setting('ballotgraph.data_change', true), '') <> 'noted')
        execute function note_data_change();
      create trigger note_data_removal after truncate on ${sql.table(table)} for each statement
        execute function note_data_change();
    `.execute(db);
  }
}
