import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { anyOf } from '../database/functions.ts';
import { rowsOf } from '../database/named-query.ts';
import type { DistrictType } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import type { DistrictRow } from '../districts/districts.store.ts';
import type { SourceRow } from '../provenance/provenance.store.ts';
import { sourceRows } from '../provenance/provenance.store.ts';

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

/** A district that a text may name. */
export interface PlaceRow extends DistrictRow {
  readonly boundary_id: number;
  /** Whether outlines of cities or towns of its state are loaded: otherwise the name may be that of one of them. */
  readonly towns_loaded: boolean;
}

/** The types of districts that people name as places, in the order of preference. */
const PLACES: readonly DistrictType[] = ['City-town', 'County subdivision', 'County', 'State', 'School District'];
const TOWNS: readonly DistrictType[] = ['City-town', 'County subdivision'];
const MOST_PLACES = 20;

const ofTypes = (types: readonly DistrictType[]) => sql`array[${sql.join(types)}]::district_type[]`;

/** Whether outlines of cities or towns `t` that match a condition are loaded, as an SQL expression. */
const hasTowns = (condition: RawBuilder<unknown>) =>
  sql`exists (select from districts t join boundaries on boundaries.district_id = t.id
    where ${condition} and t.type = any(${ofTypes(TOWNS)}))`;

/** What a place is searched by. */
export interface PlaceSearch {
  /** The words of the name without its kind. */
  readonly name: string;
  /** The name as it was typed: districts with exactly this name come first. */
  readonly typed: string;
  /** Other forms of words, as `words_query` takes them. */
  readonly forms: Readonly<Record<string, readonly string[]>>;
  readonly state: string | undefined;
}

/**
 * Returns districts with boundaries in effect on a day, a word of whose names begins with each word of a text; if there is
 * none, those with similar names.
 */
export async function placesNamed(
  db: Database,
  { name, typed, forms, state }: PlaceSearch,
  day: Day,
): Promise<PlaceRow[]> {
  const ownName = plain(sql.ref('d.name'));
  const find = (condition: RawBuilder<unknown>) =>
    placesWhere(
      db,
      sql`${condition} and (${state ?? null}::text is null or d.state = ${state ?? null}::text)`,
      sql`(${ownName} = ${typed}::text) desc, length(d.name), similarity(${ownName}, ${typed}::text) desc`,
      day,
    );
  const named = await find(
    sql`search_words(d.name) @@ (select words_query(${name}::text, ${JSON.stringify(forms)}::jsonb))`,
  );
  return named.length > 0 ? named : find(sql`${ownName} % ${typed}::text`);
}

/** Returns the states with these codes that have a boundary in effect on a day. */
export async function statesByCode(db: Database, codes: readonly string[], day: Day): Promise<PlaceRow[]> {
  return placesWhere(db, sql`d.type = 'State' and d.state = any(${codes}::text[])`, sql`d.name`, day);
}

async function placesWhere(
  db: Database,
  condition: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  day: Day,
): Promise<PlaceRow[]> {
  const types = ofTypes(PLACES);
  const { rows } = await sql<PlaceRow>`/* places.districts */
    with named as materialized (
      select d.*, row_number() over (order by ${order}, array_position(${types}, d.type), d.name, d.state, d.id) as rank
      from districts d where d.type = any(${types}) and ${condition}
      order by rank limit ${MOST_PLACES}
    )
    select named.id, named.type, named.name, named.state, named.ocdid, named.geo_id, named.nces_id, named.url,
      b.id as boundary_id, ${hasTowns(sql`t.state = named.state`)} as towns_loaded
    from named join boundaries_in_effect(${day}::date) b on b.district_id = named.id
    order by named.rank`.execute(db);
  return rows;
}

/** Returns a name in SQL as it is compared; an index has those of districts. */
const plain = (name: RawBuilder<unknown>) => sql`replace(plain_text(${name}), '''', '')`;

/** Returns whether outlines of cities or towns are loaded: of a state (two letters), or of any. */
export async function hasTownsOf(db: Database, state: string | undefined): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`/* places.has-towns */
    select ${hasTowns(sql`(${state ?? null}::text is null or t.state = ${state ?? null}::text)`)} as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** Returns whether the area of any ZIP code is loaded. */
export async function hasZipAreas(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`/* places.has-zip-areas */
    select exists (select from zip_areas) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** Returns the data set of the area of a ZIP code; undefined if it is not loaded. */
export async function sourceOfZip(db: Database, code: string): Promise<number | undefined> {
  const { rows } = await sql<{ source_id: number }>`/* places.zip-source */
    select source_id from zip_areas where code = ${code} order by id limit 1`.execute(db);
  return rows[0]?.source_id;
}

/** Returns data sets by their ids. */
export async function sourcesById(db: Database, ids: readonly number[]): Promise<Map<number, SourceRow>> {
  const rows = await rowsOf(db, 'places.sources', sourceRows().where('source.id', '=', anyOf('int', ids)));
  return new Map(rows.map((row) => [row.id, row]));
}
