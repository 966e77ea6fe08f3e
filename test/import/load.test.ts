import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { TABLES } from '../../src/importers/exchange/format.ts';
import type { Progress } from '../../src/importers/exchange/load-summary.ts';
import { DatasetError, LoadInProgressError, loadFolder } from '../../src/importers/load/load.ts';
import { readDataVersion } from '../../src/store/reading/data-version.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { useDatabase } from '../support/database.ts';
import { ON_A_SERVER } from '../support/needs.ts';
import { box, counts, FIXTURE, feature, fingerprint, fixtureWith, folderOf, RECORD_TABLES } from './folders.ts';

const fileOf = (name: string): string => readFileSync(join(FIXTURE, name), 'utf8');

/** Returns the file of the table of boundary pieces, which changes when the table is clustered. */
const fileOfPieces = async (db: Database): Promise<string> => {
  const { rows } = await sql<{ file: string }>`select pg_relation_filepath('boundary_pieces') as file`.execute(db);
  return rows[0]?.file ?? '';
};

class RolledBack extends Error {
  readonly raised: number;
  constructor(raised: number) {
    super('rolled back');
    this.raised = raised;
  }
}

describe('the first day of the term after a race', () => {
  const database = useDatabase();
  const withTerm = (start: string) =>
    fixtureWith({
      'races.csv': fileOf('races.csv').replace('true,true,2023-01-03', 'true,true,'),
      'officeholders.csv': fileOf('officeholders.csv').replace(
        '31,11,21,Current,2,2021-01-03',
        `31,13,21,Current,2,${start}`,
      ),
    });
  const firstDays = () =>
    database.db.selectFrom('races').select(['swearing_in_date', 'term_start_date']).where('id', '=', 51).execute();

  test.each([
    ['2023-01-03', '2023-01-03'],
    ['2021-01-03', null],
    ['2023-01-05', '2023-01-05'],
  ])('is found by each load: %s', async (start, expected) => {
    await loadFolder(database.db, withTerm(start));
    expect(await firstDays()).toEqual([{ swearing_in_date: null, term_start_date: expected }]);
  });

  test('is stored once, and not for a date that the source states', async () => {
    const { version } = await readDataVersion(database.db);
    await loadFolder(database.db, withTerm('2023-01-05'));
    expect((await readDataVersion(database.db)).version).toBe(version);
    await loadFolder(database.db, FIXTURE);
    expect(await firstDays()).toEqual([{ swearing_in_date: '2023-01-03', term_start_date: null }]);
  });
});

describe('a newer map that is known and not loaded', () => {
  const database = useDatabase();
  const DAY = '2023-01-01';
  const county = (district: number, start: string, end: string | null) =>
    feature({ district_id: district, start_date: start, end_date: end, precise: true }, [
      box(-73 + district, 43, -72 + district, 44),
    ]);
  const unchanged = (district: number) => [county(district, '2000-01-01', null)];
  const redrawn = (district: number) => [county(district, '2000-01-01', DAY), county(district, DAY, null)];
  const row = `id,state,type,start_date,citation\n1,VT,County,${DAY},A list of maps\n`;

  test.each([
    [
      'before it is loaded',
      row,
      [...unchanged(2), ...unchanged(3)],
      { covered: 0, missing: expect.stringContaining('a newer one is in effect') },
      1,
    ],
    ['when one of two districts is loaded', null, [...redrawn(2), ...unchanged(3)], { covered: 1 }, 1],
    ['when all are loaded', null, [...redrawn(2), ...redrawn(3)], { covered: 2, missing: null }, 0],
  ])('is said to be missing until an import loads it: %s', async (_, rows, boundaries, expected, count) => {
    const { db } = database;
    const files = { 'boundaries.geojsonl': `${boundaries.join('\n')}\n`, 'newer_maps.csv': rows };
    await loadFolder(db, fixtureWith(files));
    expect(await db.selectFrom('newer_maps').select('id').execute()).toHaveLength(count);
    const { rows: layers } = await sql`select * from coverage_on(${DAY}, 'VT') where kind = 'County'`.execute(db);
    expect(layers).toEqual([expect.objectContaining(expected)]);
  });
});

describe('a dataset folder', () => {
  const database = useDatabase();
  let version: number;
  let pieces: string;

  beforeAll(async () => {
    ({ version } = await readDataVersion(database.db));
    pieces = await fileOfPieces(database.db);
    await loadFolder(database.db, FIXTURE);
  });

  test('is loaded row for row', async () => {
    const { db } = database;
    const districts = await db.selectFrom('districts').selectAll().where('id', '=', 2).execute();
    expect(districts).toMatchObject([
      {
        id: 2,
        type: 'County',
        name: 'West',
        state: 'VT',
        ocdid: 'ocd-division/country:us/state:vt/county:west',
        geo_id: '0500000US50001',
        nces_id: null,
        url: null,
      },
    ]);
    const person = await db.selectFrom('persons').selectAll().where('id', '=', 21).executeTakeFirst();
    expect(person).toMatchObject({ name: 'Ada "Countess" Lovelace', first_name: 'Ada', url: null });
    const contact = await db.selectFrom('contacts').select('contact').where('contact_type', '=', 'Address').execute();
    expect(contact).toEqual([{ contact: '1 Main Street\nSuite 2' }]);
    const parties = await db.selectFrom('candidate_parties').selectAll().where('candidate_id', '=', 61).execute();
    expect(parties).toEqual([
      { candidate_id: 61, position: 1, party_id: 2 },
      { candidate_id: 61, position: 2, party_id: 8 },
    ]);
    const race = await db.selectFrom('races').selectAll().where('id', '=', 52).executeTakeFirst();
    expect(race).toMatchObject({
      type: 'Special',
      number_of_seats: 2,
      results_certified: null,
      swearing_in_date: null,
    });
    const candidate = await db.selectFrom('candidates').selectAll().where('id', '=', 63).executeTakeFirst();
    expect(candidate).toMatchObject({ votes_for_cand: null, is_write_in: true, cand_status: 'On the Ballot' });
    const boundaries = await db
      .selectFrom('boundaries')
      .select(['district_id', 'start_date', 'end_date', 'precise'])
      .orderBy('id')
      .execute();
    expect(boundaries).toEqual([
      { district_id: 1, start_date: '2000-01-01', end_date: null, precise: true },
      { district_id: 2, start_date: '2000-01-01', end_date: '2022-12-31', precise: false },
      { district_id: 2, start_date: '2022-12-31', end_date: null, precise: true },
      { district_id: 3, start_date: '2000-01-01', end_date: null, precise: true },
    ]);
  });

  test('clusters the pieces of boundaries in an empty table, and does not lock them again', async () => {
    const first = await fileOfPieces(database.db);
    expect(first).not.toBe(pieces);
    await loadFolder(database.db, FIXTURE);
    expect(await fileOfPieces(database.db)).toBe(first);
  });

  test('increments the data version, and the tables are analysed', async () => {
    expect((await readDataVersion(database.db)).version).toBe(version + 1);
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and reltuples > 0
        and relname in ('districts', 'boundary_pieces', 'candidates', 'record_sources') order by relname`.execute(
      database.db,
    );
    expect(rows.map(({ name }) => name)).toEqual(['boundary_pieces', 'candidates', 'districts', 'record_sources']);
  });

  test.each([...RECORD_TABLES, 'election_offices', 'absent_district_types', 'unplaced_contests', 'precinct_results'])(
    'the data version follows a change of %s, also one that no import makes',
    async (table) => {
      const raised = await database.db
        .transaction()
        .execute(async (transaction) => {
          const before = await readDataVersion(transaction);
          await sql`truncate ${sql.table(table)} cascade`.execute(transaction);
          await sql`set constraints all immediate`.execute(transaction);
          throw new RolledBack((await readDataVersion(transaction)).version - before.version);
        })
        .catch((error: unknown) => (error instanceof RolledBack ? error.raised : error));
      expect(raised).toBe(1);
    },
  );

  test('records the provenance of every row', async () => {
    const sources = await database.db.selectFrom('sources').select(['name', 'license', 'source', 'as_of']).execute();
    expect(sources).toEqual([
      { name: 'Two counties', license: 'CC0-1.0', source: 'made up for tests', as_of: '2024-01-15' },
    ]);
    const { rows } = await sql<{ kind: string; count: number }>`
      select kind, count(*) as count from record_sources group by kind order by kind`.execute(database.db);
    expect(Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))).toEqual({
      district: 4,
      boundary: 4,
      party: 3,
      office: 3,
      person: 4,
      officeholder: 2,
      contact: 4,
      election: 2,
      election_office: 1,
      race: 2,
      candidate: 3,
      ballot_measure: 1,
      voting_place: 3,
      deadline: 3,
    });
  });

  test.each(
    TABLES.flatMap(({ file, columns }) =>
      columns
        .filter(({ type }) => ['text', 'url', 'choice', 'state'].includes(type))
        .map(({ name }): [string, string] => [file, name]),
    ),
  )('with blanks around the text in %s, %s is the same', async (file, column) => {
    const [header = [], ...records] = parse(fileOf(file)) as string[][];
    const rows = records.map((row) =>
      row.map((cell, index) => (header[index] === column && cell !== '' ? ` \u00a0${cell} \t` : cell)),
    );
    const text = [header, ...rows].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
    const before = await fingerprint(database.db);
    const summary = await loadFolder(database.db, fixtureWith({ [file]: `${text.join('\n')}\n` }));
    expect(summary.files.every(({ inserted, updated }) => inserted + updated === 0)).toBe(true);
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('may have a transferred surplus and fractions in rounds', async () => {
    const files = {
      'candidates.csv': fileOf('candidates.csv').replace('Lost,45', 'Lost,44'),
      'ranked_choice_rounds.csv':
        'candidate_id,round,votes_for,status\n61,1,72.5,Won\n61,2,-12.25,Won\n62,1,40,Advanced\n62,2,4.25,Lost\n',
    };
    const summary = await loadFolder(database.db, fixtureWith(files));
    expect(summary.warnings).toEqual([]);
    const { rows } = await sql<{ votes: string }>`
      select votes_for::text as votes from ranked_choice_rounds order by candidate_id, round`.execute(database.db);
    expect(rows.map(({ votes }) => votes)).toEqual(['72.5', '-12.25', '40', '4.25']);
    await loadFolder(database.db, FIXTURE);
  });

  test('loaded again changes nothing, not one row', async () => {
    const before = await fingerprint(database.db);
    const summary = await loadFolder(database.db, FIXTURE);
    expect(
      Object.values(counts(summary)).every(
        ([inserted, updated, , removed]) => inserted === 0 && updated === 0 && removed === 0,
      ),
    ).toBe(true);
    expect(counts(summary)['boundaries.geojsonl']).toEqual([0, 0, 4, 0]);
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('warns of rounds that do not add up to the votes', async () => {
    const summary = await loadFolder(database.db, FIXTURE);
    expect(summary.warnings).toEqual(['the rounds of candidate 62 add up to 44, but votes_for_cand is 45']);
  });

  test.each([
    ['changes two records of another data set', 'Mine', 2],
    ['changes two records of its own', 'Two counties', 0],
    ['has records of another data set unchanged', 'Mine', 1],
  ])('that %s says so in a warning, before it is written: %s, %i', async (_, name, changed) => {
    const persons = fileOf('persons.csv').replace('Dee Example', changed === 1 ? 'Dee Example' : 'My Name');
    const folder = folderOf({
      'dataset.json': JSON.stringify({ name }),
      'persons.csv': `${persons.replace('Björk', 'Bjork')}9001,New,,\n`,
    });
    const { warnings } = await loadFolder(database.db, folder, { dryRun: true });
    const said = `persons.csv: replaces ${changed} of the loaded records of Two counties, by the same id`;
    expect(warnings).toEqual(changed === 0 ? [] : [said]);
  });

  test('reports its progress to the end', async () => {
    const progress: Progress[] = [];
    await loadFolder(database.db, fixtureWith({ 'parties.csv': `${fileOf('parties.csv')}9,Other,\n` }), {
      onProgress: (each) => progress.push(each),
    });
    const read = progress.filter(({ phase }) => phase === 'read');
    expect(read.at(-1)).toMatchObject({ done: read.at(-1)?.total });
    const written = progress.filter(({ phase, file }) => phase === 'write' && file === 'parties.csv');
    expect(written.at(-1)).toEqual({ phase: 'write', file: 'parties.csv', done: 4, total: 4, unit: 'rows' });
  });

  test('is counted and not written in a dry run', async () => {
    const before = await fingerprint(database.db);
    const folder = folderOf({ 'persons.csv': 'id,name\n21,Ada\n29,New\n' });
    const summary = await loadFolder(database.db, folder, { dryRun: true });
    expect(summary.dryRun).toBe(true);
    expect(counts(summary)).toEqual({ 'persons.csv': [1, 1, 0, 0] });
    expect(await fingerprint(database.db)).toEqual(before);
  });
});

describe('several current holders of one office', () => {
  const database = useDatabase();
  const officeholders = 'id,office_id,person_id,status,start_date\n91,12,21,Current,2021-01-01\n';
  const second = '92,12,23,Current,2025-01-01\n';

  async function holdersOn(day: string): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select id from officeholders_in_office(${day}::date) where office_id = 12 order by id`.execute(database.db);
    return rows.map(({ id }) => id);
  }

  async function load(name: string, asOf: string | undefined, rows: string): Promise<void> {
    const dataset = { name, as_of: asOf };
    const files = { 'dataset.json': JSON.stringify(dataset), 'officeholders.csv': rows, 'contacts.csv': null };
    await loadFolder(database.db, fixtureWith(files), { replace: true });
  }

  test.each([undefined, '2024-06-01', '2025-06-01'])('are all in office, with as_of %s', async (asOf) => {
    await load(`Council of ${asOf}`, asOf, officeholders + second);
    expect(await holdersOn('2026-01-01')).toEqual([91, 92]);
    expect(await holdersOn('2024-12-31')).toEqual([91]);
  });

  test('are one if a later edition has only the second one', async () => {
    await load('Council', '2024-06-01', officeholders);
    const later = officeholders.replace(/91.*\n/, second);
    const dataset = { name: 'Council', as_of: '2025-06-01' };
    const files = { 'dataset.json': JSON.stringify(dataset), 'officeholders.csv': later };
    await loadFolder(database.db, folderOf(files));
    expect(await holdersOn('2026-01-01')).toEqual([92]);
  });
});

describe('a second load', () => {
  const database = useDatabase();

  test('updates the rows that differ and leaves the others', async () => {
    await loadFolder(database.db, FIXTURE);
    const folder = folderOf({
      'districts.csv':
        'name,id,type,state,ocdid\nWest End,2,County,VT,\nNorth,5,County,VT,ocd-division/country:us/state:vt/county:west\n',
      'candidates.csv': fileOf('candidates.csv').replace('61,51,21,2;8', '61,51,21,8;2'),
      'ranked_choice_rounds.csv': 'candidate_id,round,votes_for,status\n62,1,45,Lost\n',
    });
    const summary = await loadFolder(database.db, folder);
    expect(counts(summary)).toEqual({
      'districts.csv': [1, 1, 0, 0],
      'candidates.csv': [0, 1, 2, 0],
      'ranked_choice_rounds.csv': [0, 1, 0, 1],
    });
    expect(summary.warnings).toEqual([expect.stringMatching(/^districts\.csv: replaces 1 of the loaded records/)]);
    const districts = await database.db
      .selectFrom('districts')
      .select(['id', 'name', 'ocdid', 'geo_id'])
      .where('id', 'in', [2, 5])
      .orderBy('id')
      .execute();
    expect(districts).toEqual([
      // A column that the file does not have stays as it is.
      { id: 2, name: 'West End', ocdid: null, geo_id: '0500000US50001' },
      { id: 5, name: 'North', ocdid: 'ocd-division/country:us/state:vt/county:west', geo_id: null },
    ]);
    const parties = await database.db
      .selectFrom('candidate_parties')
      .select('party_id')
      .where('candidate_id', '=', 61)
      .orderBy('position')
      .execute();
    expect(parties).toEqual([{ party_id: 8 }, { party_id: 2 }]);
  });

  test('replaces contacts of an officeholder that the same data set contained', async () => {
    const { db } = database;
    await sql`insert into contacts (officeholder_id, collection, contact_type, contact)
      values (31, 'contact', 'Fax', 'from elsewhere')`.execute(db);
    const summary = await loadFolder(
      db,
      folderOf({
        'dataset.json': fileOf('dataset.json'),
        'contacts.csv': 'officeholder_id,person_id,collection,contact_type,contact\n31,,contact,Phone,202-555-0199\n',
      }),
    );
    expect(counts(summary)).toEqual({ 'contacts.csv': [1, 0, 0, 3] });
    const contacts = await db
      .selectFrom('contacts')
      .select(['officeholder_id', 'contact'])
      .orderBy('contact')
      .execute();
    expect(contacts).toEqual([
      { officeholder_id: 31, contact: '202-555-0199' },
      { officeholder_id: null, contact: 'bjork@example.org' },
      { officeholder_id: 31, contact: 'from elsewhere' },
    ]);
  });

  test('replaces a geometry with its pieces, and only that one', async () => {
    const { db } = database;
    const wide = fileOf('boundaries.geojsonl').replace(
      '[[[-72,43],[-71.5,43],[-71.5,44],[-72,44],[-72,43]]]',
      '[[[-72,43],[-71.25,43],[-71.25,44],[-72,44],[-72,43]]]',
    );
    const pieces = () =>
      sql<{ district: number; area: number; version: string }>`
      select district_id as district, ST_Area(p.geometry) as area, p.xmin || ' ' || p.ctid as version
      from boundary_pieces as p join boundaries as b on b.id = p.boundary_id order by b.id, p.ctid`.execute(db);
    const before = (await pieces()).rows;
    const summary = await loadFolder(db, folderOf({ 'boundaries.geojsonl': wide }));
    expect(counts(summary)).toEqual({ 'boundaries.geojsonl': [0, 1, 3, 0] });
    const after = (await pieces()).rows;
    expect(before.filter(({ version }) => !after.some((piece) => piece.version === version)).length).toBe(1);
    expect(after.filter(({ district }) => district === 2).map(({ area }) => area)).toEqual([1, 0.75]);
  });
});

describe('the shares of boundaries', () => {
  const database = useDatabase();

  test('are stored for a state of many islands, and removed with them', async () => {
    const { db } = database;
    const islands = Array.from({ length: 100 }, (_, index) => {
      const [west, south] = [-72 + (index % 10) / 5, 43 + Math.floor(index / 10) / 10];
      const [east, north] = [west + 0.1, south + 0.05];
      return [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ].map((at) => at.map((n) => Number(n.toFixed(2))));
    });
    const state = {
      type: 'Feature',
      properties: { district_id: 1, start_date: '2000-01-01', precise: true },
      geometry: { type: 'MultiPolygon', coordinates: islands.map((ring) => [ring]) },
    };
    const others = fileOf('boundaries.geojsonl').split('\n').slice(1).join('\n');
    const shares = () =>
      sql<{ outer: number; share: number }>`
      select o.district_id as outer, share from boundary_shares s join boundaries o on o.id = s.outer_id
      join boundaries i on i.id = s.inner_id where i.district_id = 1 and o.end_date is null order by 1`.execute(db);
    await loadFolder(db, FIXTURE);
    await loadFolder(db, folderOf({ 'boundaries.geojsonl': `${JSON.stringify(state)}\n${others}` }));
    expect((await shares()).rows).toContainEqual({ outer: 2, share: expect.closeTo(0.25, 1) });
    await loadFolder(db, folderOf({ 'boundaries.geojsonl': fileOf('boundaries.geojsonl') }));
    expect((await shares()).rows).toEqual([]);
  });
});

describe('the comparisons of maps', () => {
  const database = useDatabase();

  test('are stored for the pairs of maps of which a load has boundaries', async () => {
    const { db } = database;
    await loadFolder(db, FIXTURE);
    const { rows } = await sql`
      select m.type, m.state, m.first_day::text, count(*)::int as parts from compared_maps m
      join compared_map_parts p on p.map_id = m.id group by m.id order by 1, 2, 3`.execute(db);
    expect(rows).toEqual([{ type: 'County', state: 'VT', first_day: '2022-12-31', parts: 6 }]);
  });
});

describe('--replace', () => {
  const database = useDatabase();

  test('removes rows that the folder lacks from the tables that it contains, and from no other', async () => {
    const { db } = database;
    await loadFolder(db, FIXTURE);
    await sql`insert into external_identifiers values ('officeholder', 'test', 'x', 32)`.execute(db);
    const folder = folderOf({
      'boundaries.geojsonl': fileOf('boundaries.geojsonl').replace(
        '"2000-01-01","end_date":"2022-12-31"',
        '"2001-01-01","end_date":"2022-12-31"',
      ),
      'officeholders.csv': 'id,office_id,person_id,status\n33,12,24,Current\n31,11,21,Current\n',
      'contacts.csv': 'officeholder_id,collection,contact_type,contact\n33,contact,Phone,1\n',
    });
    const summary = await loadFolder(db, folder, { replace: true });
    expect(counts(summary)).toEqual({
      'boundaries.geojsonl': [1, 0, 3, 1],
      'officeholders.csv': [1, 0, 1, 1],
      'contacts.csv': [1, 0, 0, 4],
    });
    expect(await db.selectFrom('persons').select(sql<number>`count(*)`.as('count')).executeTakeFirst()).toEqual({
      count: 4,
    });
    const orphans = await sql`
      select kind, record_id from record_sources
      where kind = 'officeholder' and record_id not in (select id from officeholders)
        or kind = 'boundary' and record_id not in (select id from boundaries)`.execute(db);
    expect(orphans.rows).toEqual([]);
    expect(await db.selectFrom('external_identifiers').select('record_id').execute()).toEqual([{ record_id: 32 }]);
  });

  test('leaves districts of different types that share an ocdid as they are', async () => {
    const { db } = database;
    const folder = fixtureWith({
      'districts.csv': fileOf('districts.csv').replace('state:vt/cd:at-large', 'state:vt'),
    });
    await loadFolder(db, folder, { replace: true });
    expect(counts(await loadFolder(db, folder, { replace: true }))['districts.csv']).toEqual([0, 0, 4, 0]);
    const shared = db.selectFrom('districts').select('id').where('ocdid', '=', 'ocd-division/country:us/state:vt');
    expect(await shared.orderBy('id').execute()).toEqual([{ id: 1 }, { id: 4 }]);
  });

  test('moves an ocdid from a removed district to a new one', async () => {
    const { db } = database;
    await loadFolder(db, FIXTURE, { replace: true });
    const folder = fixtureWith({
      'districts.csv': `${fileOf('districts.csv').replace('county:west,', 'county:old-west,')}5,County,New,VT,ocd-division/country:us/state:vt/county:west,\n`,
    });
    expect(counts(await loadFolder(db, folder, { replace: true }))['districts.csv']).toEqual([1, 1, 3, 0]);
  });

  test('is rejected if rows of tables that the folder lacks refer to removed rows', async () => {
    const { db } = database;
    await loadFolder(db, FIXTURE, { replace: true });
    const before = await fingerprint(db);
    const folder = folderOf({
      'districts.csv': 'id,type,name\n1,State,Squareland\n',
      'parties.csv': 'id,name\n1,Republican\n',
    });
    const rejection = await loadFolder(db, folder, { replace: true }).catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(DatasetError);
    expect(rejection).toHaveProperty(
      'message',
      expect.stringContaining(
        'districts.csv: district 4 is not in the file, but offices.csv was not supplied, and rows in the database refer to the id: 1',
      ),
    );
    expect(rejection).toHaveProperty(
      'message',
      expect.stringContaining('district 2 is not in the file, but boundaries.geojsonl was not supplied'),
    );
    expect(rejection).toHaveProperty(
      'message',
      expect.stringContaining('parties.csv: party 8 is not in the file, but candidates.csv was not supplied'),
    );
    expect(await fingerprint(db)).toEqual(before);
  });
});

describe('two loads at once', () => {
  const database = useDatabase();

  test.skipIf(inject('backend').kind === 'embedded')(
    `the second one fails at once, where it does not wait for the first${ON_A_SERVER}`,
    async () => {
      let second: Promise<unknown> | undefined;
      await loadFolder(database.db, FIXTURE, {
        onProgress: () => {
          second ??= loadFolder(database.db, FIXTURE).catch((error: unknown) => error);
        },
      });
      const error = await second;
      expect(error).toBeInstanceOf(LoadInProgressError);
      expect(error).toHaveProperty('exitCode', 75);
    },
  );
});
