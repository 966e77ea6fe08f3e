import { type Insertable, sql } from 'kysely';
import type { Database } from '../../src/store/sql/database.ts';
import type { Contact, DB } from '../../src/store/sql/tables.ts';

/**
 * A small country for tests, east of 100° W and north of 40° N, ten degrees high:
 *
 * ```
 *   -100        -95         -90                     -80
 * 50 +-----------+-----------+-----------------------+
 *    |        Alpha (AA)     |        Beta (BB)      |
 * 45 |  old map: 2 above, 1 below this parallel      |
 *    |  new map: 1 west, 2 east of 95° W             |
 * 40 +-----------+-----------+-----------------------+
 * ```
 *
 * Alpha's Congress districts were redrawn: the older map ends on 2023-01-03, and the newer one begins on that day. Beta
 * has no Congress districts, and one vacant office. Every nullable column is null in at least one row.
 */
export const WORLD = {
  country: 1,
  alpha: 10,
  beta: 11,
  alphaFirst: 20,
  alphaSecond: 21,
  county: 30,
  president: 100,
  governor: 101,
  firstSeat: 102,
  secondSeat: 103,
  vacant: 104,
  redrawn: '2023-01-03',
} as const;

/** Points of the world, named by what surrounds them. */
export const POINTS = {
  southWest: { latitude: 42, longitude: -98 },
  northWest: { latitude: 48, longitude: -98 },
  southEast: { latitude: 42, longitude: -92 },
  beta: { latitude: 42, longitude: -85 },
  sharedEdge: { latitude: 42, longitude: -90 },
  sea: { latitude: 0, longitude: 0 },
} as const;

export async function createWorld(db: Database): Promise<void> {
  const w = WORLD;
  await insert(db, 'districts', [
    {
      id: w.country,
      type: 'Country',
      name: 'Country',
      state: 'US',
      ocdid: 'ocd-division/country:us',
      geo_id: '0100000US',
    },
    {
      id: w.alpha,
      type: 'State',
      name: 'Alpha',
      state: 'AA',
      ocdid: 'ocd-division/country:us/state:aa',
      geo_id: '0400000US91',
    },
    { id: w.beta, type: 'State', name: 'Beta', state: 'BB', ocdid: 'ocd-division/country:us/state:bb', geo_id: '92' },
    { id: w.alphaFirst, type: 'Congress', name: 'Congressional District 1', state: 'AA', geo_id: '5001800US9101' },
    { id: w.alphaSecond, type: 'Congress', name: 'Congressional District 2', state: 'AA', geo_id: '5001800US9102' },
    {
      id: w.county,
      type: 'County',
      name: 'First County',
      state: null,
      nces_id: '9100001',
      geo_id: '0500000US9101',
      url: 'https://county.example',
    },
  ]);
  await boundary(db, w.country, ['2000-01-01', null], [-100, 40, -80, 50]);
  await boundary(db, w.alpha, ['2000-01-01', null], [-100, 40, -90, 50]);
  await boundary(db, w.beta, ['2000-01-01', null], [-90, 40, -80, 50]);
  await boundary(db, w.county, ['2000-01-01', null], [-100, 40, -95, 45]);
  await boundary(db, w.alphaFirst, ['2013-01-03', w.redrawn], [-100, 40, -90, 45]);
  await boundary(db, w.alphaSecond, ['2013-01-03', w.redrawn], [-100, 45, -90, 50]);
  await boundary(db, w.alphaFirst, [w.redrawn, null], [-100, 40, -95, 50]);
  await boundary(db, w.alphaSecond, [w.redrawn, null], [-95, 40, -90, 50]);

  await insert(db, 'election_offices', [
    { state: 'AA', name: 'Elections of AA', website: 'https://aa.example/', source: 'a test', as_of: '2026-01-01' },
  ]);
  await insert(db, 'offices', [
    {
      id: w.president,
      district_id: w.country,
      name: 'President',
      level: 'Federal',
      branch: 'Executive',
      is_partisan: 'Partisan all',
    },
    {
      id: w.governor,
      district_id: w.alpha,
      name: 'Governor',
      level: 'State',
      branch: 'Executive',
      url: 'https://governor.example',
    },
    {
      id: w.firstSeat,
      district_id: w.alphaFirst,
      name: 'U.S. Representative',
      type: 'House',
      level: 'Federal',
      branch: 'Legislative',
      chamber: 'Lower',
    },
    {
      id: w.secondSeat,
      district_id: w.alphaSecond,
      name: 'U.S. Representative',
      level: 'Federal',
      branch: 'Legislative',
      chamber: 'Lower',
      seat: 'A',
    },
    { id: w.vacant, district_id: w.beta, name: 'Governor', level: 'State', branch: 'Executive' },
  ]);
  await insert(db, 'persons', [
    {
      ...{ id: 1, name: 'Ada Able', first_name: 'Ada', last_name: 'Able' },
      ...{ url: 'https://able.example', image_url: 'https://pictures.example/ada.jpg' },
    },
    { id: 2, name: 'Ben Baker', first_name: 'Ben', last_name: 'Baker' },
    { id: 3, name: 'Cleo Charlie', last_name: 'Charlie' },
    { id: 4, name: 'Dan Dog' },
  ]);
  await insert(db, 'officeholders', [
    {
      id: 1,
      office_id: w.president,
      person_id: 1,
      status: 'Current',
      partisan_affiliation: 2,
      start_date: '2025-01-20',
      end_date: '2029-01-20',
    },
    { id: 2, office_id: w.governor, person_id: 2, status: 'Current', partisan_affiliation: null },
    {
      id: 3,
      office_id: w.firstSeat,
      person_id: 3,
      status: 'Former',
      partisan_affiliation: 1,
      start_date: '2021-01-03',
      end_date: '2023-01-03',
    },
    {
      id: 4,
      office_id: w.firstSeat,
      person_id: 4,
      status: 'Current',
      partisan_affiliation: 5,
      start_date: '2023-01-03',
      end_date: '2027-01-03',
    },
    {
      id: 5,
      office_id: w.secondSeat,
      person_id: 3,
      status: 'Current',
      partisan_affiliation: 1,
      start_date: '2023-01-03',
    },
    { id: 6, office_id: w.governor, person_id: 1, status: 'Former', partisan_affiliation: 2, start_date: '2015-01-01' },
  ]);
  await insert(db, 'contacts', [
    contact({ officeholder_id: 1, collection: 'contact', contact_type: 'Phone', contact: '202-555-0101' }),
    contact({ officeholder_id: 1, collection: 'contact', contact_type: 'Website', contact: 'https://office.example' }),
    contact({
      officeholder_id: 1,
      collection: 'social',
      contact_type: 'YouTube',
      contact: 'https://video.example/office',
    }),
    contact({ person_id: 1, collection: 'contact', contact_type: 'Email', contact: 'ada@able.example' }),
    contact({ person_id: 1, collection: 'social', contact_type: 'Facebook', contact: 'https://social.example/ada' }),
  ]);
}

const contact = (row: Insertable<Contact>): Insertable<Contact> => row;

/** Inserts rows one by one, each with its own columns. */
export async function insert<Table extends keyof DB>(
  db: Database,
  table: Table,
  rows: readonly Insertable<DB[Table]>[],
): Promise<void> {
  for (const row of rows) await db.insertInto(table).values(row).execute();
}

/** Inserts a rectangle (west, south, east, north) as the boundary of a district, in one piece. */
export async function boundary(
  db: Database,
  districtId: number,
  [start, end]: readonly [start: string, end: string | null],
  [west, south, east, north]: readonly [number, number, number, number],
  precise = true,
): Promise<number> {
  const rectangle = sql`ST_MakeEnvelope(${west}::float8, ${south}::float8, ${east}::float8, ${north}::float8, 4326)`;
  const made = await sql<{ id: number }>`
    with made as (
      insert into boundaries (district_id, start_date, end_date, precise, geometry, digest)
      values (${districtId}, ${start}, ${end}, ${precise}, ST_Multi(${rectangle}), ${`${west} ${south} ${east} ${north}`})
      returning id)
    insert into boundary_pieces (boundary_id, geometry) select id, ${rectangle} from made
    returning boundary_id as id`.execute(db);
  return made.rows[0]?.id ?? 0;
}
