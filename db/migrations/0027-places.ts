import { type Kysely, sql } from 'kysely';

/** The tables whose rows appear in responses. */
const DATA = [
  'zip_areas',
  'zip_area_pieces',
  'address_streets',
  'street_spellings',
  'address_points',
  'address_ranges',
];

/**
 * Creates the areas of ZIP codes, and the streets with their address points and address ranges. Each row belongs to one
 * edition of a data set, so its provenance is a column.
 *
 * Texts that are searched are stored normalised (`src/import/addresses`). A name with one wrong letter is found by
 * `street_spellings`: two names that differ by one letter have a spelling in common, with one letter left out. Names of
 * four or five letters share too few trigrams for that. Names that differ by more are found by their trigrams.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create extension if not exists pg_trgm;

    create table zip_areas (
      id integer generated always as identity primary key,
      code char(5) collate "C" not null check (code ~ '^[0-9]{5}$'),
      part text collate "C" not null default '',
      geometry geometry(MultiPolygon, 4326) not null check (ST_IsValid(geometry) and not ST_IsEmpty(geometry)),
      digest text not null,
      source_id integer not null references sources,
      updated_at timestamptz not null default update_time(),
      unique (code, part)
    );
    comment on table zip_areas is 'The areas of ZIP codes (ZIP Code Tabulation Areas of the Census).';
    comment on column zip_areas.part is 'The state of which this is the part of an area, in files by state; empty for a whole area.';
    comment on column zip_areas.digest is 'Of the geometry as it was loaded, so that loading it again does nothing.';

    create table zip_area_pieces (
      zip_area_id integer not null references zip_areas on delete cascade,
      geometry geometry(Polygon, 4326) not null check (ST_IsValid(geometry))
    );
    comment on table zip_area_pieces is 'ZIP areas subdivided; together they cover exactly the area.';
    create index zip_area_pieces_geometry on zip_area_pieces using gist (geometry);
    create index zip_area_pieces_area on zip_area_pieces (zip_area_id);

    create table address_streets (
      id integer generated always as identity primary key,
      state char(2) collate "C" not null check (state ~ '^[A-Z]{2}$'),
      town text collate "C" not null,
      town_label text not null,
      words text collate "C" not null,
      label text not null,
      core text collate "C" not null,
      unique (state, town, words)
    );
    comment on table address_streets is 'The streets of a town that have addresses.';
    comment on column address_streets.town is 'The name of the town, normalised; empty if it is not known.';
    comment on column address_streets.words is 'The name of the street, normalised: lower case, no abbreviations.';
    comment on column address_streets.core is 'The name without direction and suffix: main for North Main Street.';
    create index address_streets_core on address_streets (core);
    create index address_streets_town on address_streets (town, state);
    create index address_streets_similar on address_streets using gin (core gin_trgm_ops);

    create table street_spellings (
      spelling text collate "C" not null,
      core text collate "C" not null,
      primary key (spelling, core)
    );
    comment on table street_spellings is 'Each core of a street, and it with each of its letters left out.';
    create index street_spellings_core on street_spellings (core);

    create table address_points (
      id integer generated always as identity primary key,
      street_id integer not null references address_streets,
      number integer not null check (number > 0),
      number_suffix text not null,
      zip char(5) collate "C" check (zip ~ '^[0-9]{5}$'),
      priority smallint not null,
      point geometry(Point, 4326) not null,
      source_id integer not null references sources,
      key text collate "C" not null,
      updated_at timestamptz not null default update_time(),
      unique (source_id, key)
    );
    comment on table address_points is 'One row per point that a data set has for an address; an address may have several.';
    comment on column address_points.priority is 'Of the points of one address, the one with the lowest priority is returned: a dwelling before a barn.';
    comment on column address_points.key is 'Identifies the point in its data set.';
    create index address_points_number on address_points (street_id, number);
    create index address_points_point on address_points using gist (point);

    create table address_ranges (
      id integer generated always as identity primary key,
      street_id integer not null references address_streets,
      from_number integer not null check (from_number >= 0),
      to_number integer not null check (to_number >= 0),
      side char(1) not null check (side in ('L', 'R')),
      zip char(5) collate "C" check (zip ~ '^[0-9]{5}$'),
      line geometry(LineString, 4326) not null,
      source_id integer not null references sources,
      key text collate "C" not null,
      updated_at timestamptz not null default update_time(),
      unique (source_id, key)
    );
    comment on table address_ranges is 'The house numbers on one side of a part of a street, from the start of the line to its end.';
    create index address_ranges_street on address_ranges (street_id);

    create index districts_similar_name on districts using gin (lower(name) gin_trgm_ops);
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
