import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, openDatabase, openPool } from '../../../src/store/sql/database.ts';

/** Districts added to the small country: enough to make the largest allowed queries expensive. */
const DISTRICTS = 400;
const VERTICES = 3_000;
const NAMES = 10_000;
const PEOPLE = 20_000;
/** Terms of each officeholder in the added districts. */
const TERMS = 25;
/** Towns that have a street of each name. */
const TOWNS = 20;
/** Places to vote of the election, each of the voters of one of the added districts. */
const PLACES = 20_000;
const FIRST_ID = 100_000;

/** The day of the election in which each of the added districts has a race. */
export const HEAVY_ELECTION = '2024-11-05';

/** Returns a name that no person or district has, as long as the service accepts. */
export function longestName(characters: number): string {
  return 'x'.repeat(characters);
}

/** Returns the name of a person who has held the office of one of the added districts for all its terms. */
export function nameOfHolder(district: number): string {
  return `Person ${createHash('md5').update(String(district)).digest('hex')} ${district}`;
}

/** Returns a point in one of the added districts, which form a grid over the western state of the small country. */
export function pointIn(district: number): { readonly latitude: number; readonly longitude: number } {
  const shift = ((district * 7) % 100) / 1_000;
  return {
    latitude: 40.25 + Math.floor(district / 20) * 0.5 + shift,
    longitude: -99.75 + (district % 20) * 0.5 - shift,
  };
}

export async function addHeavyCountry(url: string): Promise<void> {
  const db = openDatabase(openPool({ at: { connectionString: url }, size: 1, statementTimeoutMs: 0, waitMs: 30_000 }));
  await addDistricts(db);
  await addPeople(db);
  await addRaces(db);
  await addVoting(db);
  await addAddresses(db);
  await sql`vacuum analyze`.execute(db);
  await db.destroy();
}

async function addDistricts(db: Database): Promise<void> {
  await sql`
    insert into districts (id, type, name, state, ocdid)
    overriding system value
    select ${FIRST_ID}::int + n, 'State Legislative (Lower)', 'Alpha House District ' || n, 'AA', 'ocd-division/country:us/state:aa/sldl:' || n
    from generate_series(0, ${DISTRICTS}::int - 1) n`.execute(db);
  await sql`
    insert into districts (id, type, name, state, ocdid)
    overriding system value
    select 2 * ${FIRST_ID}::int + n, 'County subdivision', md5(n::text) || ' town of a long name ' || n, 'BB',
      'ocd-division/country:us/state:bb/place:' || n
    from generate_series(1, ${NAMES}::int) n`.execute(db);
  // Almost circles, whose edges are waves: no vertex can be removed without changing the shape.
  await sql`
    insert into boundaries (district_id, start_date, precise, geometry, digest)
    select ${FIRST_ID}::int + n, '2000-01-01', true, ST_Multi(ST_MakePolygon(ST_AddPoint(line, ST_StartPoint(line)))), 'heavy ' || n
    from generate_series(0, ${DISTRICTS}::int - 1) n
    cross join lateral (
      select ST_SetSRID(ST_MakeLine(ST_MakePoint(
        -99.75 + (n % 20) * 0.5 + cos(angle) * 0.23 * (1 + 0.04 * sin(angle * 300)),
        40.25 + (n / 20) * 0.5 + sin(angle) * 0.23 * (1 + 0.04 * sin(angle * 300))) order by angle), 4326)
      from generate_series(0, ${VERTICES}::int - 1) i cross join lateral (select 2 * pi() * i / ${VERTICES}::int) as t(angle)
    ) as ring(line)`.execute(db);
  await sql`
    insert into boundary_pieces (boundary_id, geometry)
    select id, ST_Subdivide(geometry, 128) from boundaries where digest like 'heavy %'`.execute(db);
  await sql`
    insert into external_identifiers (kind, record_id, scheme, value)
    select 'district', id, scheme, scheme || id from districts cross join unnest(array['one', 'two', 'three']) scheme`.execute(
    db,
  );
  await sql`
    with source as (insert into sources (name) select 'source ' || n from generate_series(1, 3) n returning id)
    insert into record_sources (kind, record_id, source_id)
    select 'district', district.id, source.id from districts district cross join source`.execute(db);
}

async function addPeople(db: Database): Promise<void> {
  await sql`
    insert into persons (id, name)
    overriding system value
    select ${FIRST_ID}::int + n, 'Person ' || md5(n::text) || ' ' || n from generate_series(0, ${PEOPLE}::int - 1) n`.execute(
    db,
  );
  await sql`
    insert into offices (id, district_id, name, level, branch)
    overriding system value
    select ${FIRST_ID}::int + n, ${FIRST_ID}::int + n, 'Representative', 'State', 'Legislative'
    from generate_series(0, ${DISTRICTS}::int - 1) n`.execute(db);
  await sql`
    insert into officeholders (office_id, person_id, status, start_date, end_date)
    select ${FIRST_ID}::int + n, ${FIRST_ID}::int + n, 'Elected', make_date(2000 + term, 1, 3), make_date(2001 + term, 1, 3)
    from generate_series(0, ${DISTRICTS}::int - 1) n cross join generate_series(0, ${TERMS}::int - 1) term`.execute(db);
}

async function addRaces(db: Database): Promise<void> {
  await sql`
    with election as (
      select id from elections where date = ${HEAVY_ELECTION} and type = 'General' order by id limit 1
    ), race as (
      insert into races (election_id, office_id, type, year, number_of_seats, stage_type)
      select election.id, ${FIRST_ID}::int + n, 'Regular', 2024, 1, 'General'
      from election cross join generate_series(0, ${DISTRICTS}::int - 1) n
      returning id
    )
    insert into candidates (race_id, person_id, cand_status, votes_for_cand)
    select race.id, ${FIRST_ID}::int + (race.id * 4 + n) % ${PEOPLE}::int, case n when 0 then 'Won' else 'Lost' end, 1000 - n
    from race cross join generate_series(0, 3) n`.execute(db);
}

async function addVoting(db: Database): Promise<void> {
  await sql`
    insert into voting_places (election_id, kind, name, address, state, longitude, latitude, district_ids)
    select election.id, case n % 4 when 0 then 'Early voting' else 'Election day' end, 'Hall ' || n, n || ' Main Street', 'AA',
      -100 + n % 1000 / 100.0, 40 + n % 997 / 100.0, array[${FIRST_ID}::int + n % ${DISTRICTS}::int]
    from generate_series(1, ${PLACES}::int) n
    cross join (select id from elections where date = ${HEAVY_ELECTION} and type = 'General' order by id limit 1) election`.execute(
    db,
  );
  await sql`
    insert into deadlines (district_id, kind, phrase, language, days_before, day_kind)
    select id, kind, '15 business days before', 'en', 15, 'Business'
    from districts cross join unnest(array['Register online', 'Register in person', 'Request ballot']) kind
    where type = 'State' and state = 'AA'`.execute(db);
}

/** Adds streets whose names are single letters and abbreviations: the texts that resemble the most addresses. */
async function addAddresses(db: Database): Promise<void> {
  await sql`
    with name as (
      select chr(n) as core from generate_series(97, 122) n union select unnest(array['mill', 'hill', 'street', 'road'])
    ), spelling as (
      insert into street_spellings (spelling, core) select core, core from name
    ), street as (
      insert into address_streets (state, town, town_label, words, label, core)
      select 'AA', 'town ' || n, 'Town ' || n, core || ' street', initcap(core) || ' Street', core
      from name cross join generate_series(1, ${TOWNS}::int) n
      returning id
    ), source as (
      insert into sources (name) values ('addresses') returning id
    )
    insert into address_points (street_id, number, number_suffix, zip, priority, point, source_id, key)
    select street.id, number, '', '00001', 1, ST_SetSRID(ST_MakePoint(-98, 42), 4326), source.id, street.id || ' ' || number
    from street cross join source cross join generate_series(1, 20) number`.execute(db);
}
