import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { DistrictType } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import { dateTimeInSql } from '../graphql/update-times.ts';
import type { SourceRow } from '../provenance/provenance.store.ts';

/** An address point or an interpolated point with its street. */
export interface AddressRow {
  readonly street_id: number;
  readonly state: string;
  readonly town: string;
  readonly town_label: string;
  readonly words: string;
  readonly label: string;
  readonly core: string;
  readonly number: number;
  readonly number_suffix: string;
  readonly zip: string | null;
  readonly longitude: number;
  readonly latitude: number;
  readonly source_id: number;
  readonly interpolated: boolean;
}

export interface StreetSearch {
  /** Names without direction and suffix, one of which the street may have. */
  readonly cores: readonly string[];
  /** The spellings of these names; see the table `street_spellings`. */
  readonly spellings: readonly string[];
  /** The beginning of a name; undefined if no name is unfinished. */
  readonly beginning: string | undefined;
  /** Names of towns that the text may contain, whose streets come first. */
  readonly towns: readonly string[];
  readonly state: string | undefined;
}

/** How many addresses are compared with a text. */
const MOST_ADDRESSES = 400;
const MOST_STREETS = 60;
/** How far from the line of a street an interpolated point is, in degrees of latitude: about 8 metres. */
const OFFSET = 7e-5;

/** Returns whether any address point or address range is loaded. */
export async function hasAddresses(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`/* places.has-addresses */
    select exists (select from address_points) or exists (select from address_ranges) as found`.execute(db);
  return rows[0]?.found ?? false;
}

const streetColumns = sql.raw('s.id as street_id, s.state, s.town, s.town_label, s.words, s.label, s.core');

/** How many names that begin with a text are searched. */
const MOST_BEGINNINGS = 50;

/** The streets that a search finds, as the common table expressions `core` and `street`. */
function searchedStreets({ spellings, beginning, state }: StreetSearch) {
  const begun =
    beginning === undefined
      ? sql``
      : sql`union (
        select distinct core from address_streets where core >= ${beginning} and core < ${`${beginning}\u{10ffff}`}
        order by core limit ${MOST_BEGINNINGS})`;
  const ofState = state === undefined ? sql`` : sql`where s.state = ${state}`;
  return sql`core as materialized (
      select distinct core from street_spellings where spelling = any(${spellings}::text[]) ${begun}
    ), street as materialized (
      select s.* from core join address_streets s on s.core = core.core ${ofState}
    )`;
}

/** The order in which streets are compared: those of a named town first, then those with a name as typed. */
function searchOrder({ towns, cores }: StreetSearch) {
  return sql`(s.town = any(${towns}::text[])) desc, (s.core = any(${cores}::text[])) desc, s.id`;
}

/**
 * Returns the address points with a house number on the streets that a search finds, one for each ZIP code and suffix of
 * the number, and the points interpolated in address ranges where a street has no address point of the number.
 */
export async function addressesAt(db: Database, search: StreetSearch, number: number): Promise<AddressRow[]> {
  const { rows } = await sql<AddressRow>`/* places.addresses */
    with ${searchedStreets(search)}, point as materialized (
      select ${streetColumns}, p.number, p.number_suffix, p.zip, ST_X(p.point) as longitude, ST_Y(p.point) as latitude,
        p.source_id, false as interpolated
      from street s
      cross join lateral (
        select distinct on (a.zip, a.number_suffix) a.* from address_points a
        where a.street_id = s.id and a.number = ${number}::int
        order by a.zip, a.number_suffix, a.priority, a.id
      ) p
      order by ${searchOrder(search)} limit ${MOST_ADDRESSES}
    ), range as materialized (
      select ${streetColumns}, ${number}::int as number, '' as number_suffix, r.zip, r.line, r.side, r.source_id,
        case when r.from_number = r.to_number then 0.5
          else (${number}::int - r.from_number)::float8 / (r.to_number - r.from_number) end as fraction
      from street s
      cross join lateral (
        select distinct on (a.zip) a.* from address_ranges a
        where a.street_id = s.id and ${number}::int between least(a.from_number, a.to_number)
          and greatest(a.from_number, a.to_number) and (a.is_mixed or (a.from_number - ${number}::int) % 2 = 0)
        order by a.zip, a.is_mixed, abs(a.to_number - a.from_number), a.id
      ) r
      where s.id not in (select street_id from point)
      order by ${searchOrder(search)} limit ${MOST_ADDRESSES}
    ), at as (
      select range.*, ST_LineInterpolatePoint(line, fraction) as point,
        ST_Azimuth(
          ST_LineInterpolatePoint(line, greatest(fraction - 0.01, 0)),
          ST_LineInterpolatePoint(line, least(fraction + 0.01, 1))
        ) + case side when 'R' then pi() / 2 else -pi() / 2 end as direction
      from range
    )
    select * from point
    union all
    select street_id, state, town, town_label, words, label, core, number, number_suffix, zip,
      ST_X(point) + coalesce(sin(direction), 0) * ${OFFSET} / greatest(cos(radians(ST_Y(point))), 0.1),
      ST_Y(point) + coalesce(cos(direction), 0) * ${OFFSET}, source_id, true
    from at`.execute(db);
  return rows;
}

/**
 * Returns one address point of each street that a search finds: that with the nearest house number, or the lowest
 * without a number.
 */
export async function addressesNear(
  db: Database,
  search: StreetSearch,
  number: number | undefined,
): Promise<AddressRow[]> {
  const distance = number === undefined ? sql`a.number` : sql`abs(a.number - ${number}::int)`;
  const { rows } = await sql<AddressRow>`/* places.nearest-addresses */
    with ${searchedStreets(search)}, nearest as materialized (
      select s.* from street s order by ${searchOrder(search)} limit ${MOST_STREETS}
    )
    select ${streetColumns}, p.number, p.number_suffix, p.zip, ST_X(p.point) as longitude, ST_Y(p.point) as latitude,
      p.source_id, false as interpolated
    from nearest s
    cross join lateral (
      select a.* from address_points a where a.street_id = s.id order by ${distance}, a.priority, a.id limit 1
    ) p`.execute(db);
  return rows;
}

/**
 * Returns the names of streets that have the most trigrams in common with a name, for names with several errors. Each name is
 * a spelling of itself, so that a name of many streets is compared once.
 */
export async function similarCores(db: Database, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ core: string }>`/* places.similar-streets */
    select s.core
    from unnest(${names}::text[]) as name join street_spellings s on s.spelling = s.core and s.core % name
    group by s.core order by max(similarity(s.core, name)) desc, s.core limit 10`.execute(db);
  return rows.map(({ core }) => core);
}

/** A district or a ZIP area with a point in it. */
export interface PlaceRow {
  readonly name: string;
  readonly type: DistrictType;
  readonly state: string | null;
  readonly boundary_id: number;
  readonly longitude: number;
  readonly latitude: number;
}

/** The types of districts that people name as places, in the order of preference. */
const PLACES: readonly DistrictType[] = ['City-town', 'County subdivision', 'County', 'State'];
const MOST_PLACES = 20;

/** A point in the interior of the largest piece: within the area, whatever its shape. */
const pointIn = (pieces: string, condition: string) =>
  sql.raw(`
  cross join lateral (
    select ST_PointOnSurface(piece.geometry) as point from ${pieces} piece
    where ${condition} order by ST_Area(piece.geometry) desc limit 1
  ) inside`);

/** Returns a name in SQL as `plainWords` has the words of a typed one; an index has those of districts. */
const plain = (name: RawBuilder<unknown>) => sql`replace(plain_text(${name}), '''', '')`;

/**
 * Returns districts with boundaries in effect on a day whose names begin with a text; if there is none, those with
 * similar names.
 */
export async function placesNamed(
  db: Database,
  name: string,
  state: string | undefined,
  day: Day,
): Promise<PlaceRow[]> {
  const find = async (condition: ReturnType<typeof sql>) => {
    const { rows } = await sql<PlaceRow>`/* places.districts */
      with named as materialized (
        select d.id, d.name, d.type, d.state from districts d
        where ${condition} and d.type = any(${PLACES}::district_type[])
          and (${state ?? null}::text is null or d.state = ${state ?? null}::text)
        order by length(d.name), similarity(${plain(sql.ref('d.name'))}, (select ${plain(sql`${name}::text`)})) desc,
          array_position(${PLACES}::district_type[], d.type), d.name, d.state, d.id
        limit ${MOST_PLACES}
      )
      select named.name, named.type, named.state, b.id as boundary_id, ST_X(inside.point) as longitude,
        ST_Y(inside.point) as latitude
      from named join boundaries_in_effect(${day}::date) b on b.district_id = named.id
      ${pointIn('boundary_pieces', 'piece.boundary_id = b.id')}
      order by length(named.name), array_position(${PLACES}::district_type[], named.type), named.name, named.state`.execute(
      db,
    );
    return rows;
  };
  // The text that is left has no character with a meaning in patterns.
  const begun = await find(sql`${plain(sql.ref('d.name'))} like (select ${plain(sql`${name}::text`)} || '%')`);
  return begun.length > 0 ? begun : find(sql`${plain(sql.ref('d.name'))} % (select ${plain(sql`${name}::text`)})`);
}

export interface ZipRow {
  readonly code: string;
  readonly source_id: number;
  readonly longitude: number;
  readonly latitude: number;
}

/** Returns a point in the area of a ZIP code; undefined if it is not loaded. */
export async function pointInZip(db: Database, code: string): Promise<ZipRow | undefined> {
  const { rows } = await sql<ZipRow>`/* places.zip-point */
    select a.code, a.source_id, ST_X(inside.point) as longitude, ST_Y(inside.point) as latitude
    from (select * from zip_areas where code = ${code} order by ST_Area(geometry) desc limit 1) a
    ${pointIn('zip_area_pieces', 'piece.zip_area_id = a.id')}`.execute(db);
  return rows[0];
}

/** Returns data sets by their ids. */
export async function sourcesById(db: Database, ids: readonly number[]): Promise<Map<number, SourceRow>> {
  const { rows } = await sql<SourceRow>`/* places.sources */
    select source.*, ${sql.raw(dateTimeInSql('loaded_at'))} as loaded_at_text
    from sources source where id = any(${ids}::int[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
