import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ImportError, type ImportOptions, type ImportSummary, runImport } from '../../src/importers/import.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { useDatabase } from '../support/database.ts';
import { contentsOf } from './contents.ts';
import { counts, fingerprint, folderOf } from './folders.ts';

const SNAPSHOTS = join(import.meta.dirname, '../fixtures/congress');

function importOf(db: Database, snapshot: string, options: ImportOptions = {}): Promise<ImportSummary> {
  return runImport(db, 'congress-legislators', [join(SNAPSHOTS, snapshot)], options);
}

async function termsOf(db: Database) {
  const { rows } = await sql<{ term: string }>`
    select concat_ws(' | ', d.ocdid, o.name, o.seat, p.name, h.status, h.start_date, h.end_date, y.name) as term
    from officeholders as h join offices as o on o.id = h.office_id join districts as d on d.id = o.district_id
    join persons as p on p.id = h.person_id left join parties as y on y.id = h.partisan_affiliation
    order by d.ocdid, h.start_date`.execute(db);
  return rows.map(({ term }) => term.replace('ocd-division/country:us', ''));
}

describe('a snapshot', () => {
  const database = useDatabase();

  test('becomes offices, persons and terms, with the required districts', async () => {
    const summary = await importOf(database.db, '2026-06-15');
    expect(await termsOf(database.db)).toEqual([
      ' | Vice President | Eve Elm | Former | 2021-01-20 | 2025-01-20 | Democratic',
      ' | President | Fay Fir | Current | 2025-01-20 | 2029-01-20',
      '/district:dc/cd:at-large | U.S. House District of Columbia At-large District | Eve Elm | Current | 2025-01-03 | 2027-01-03 | Democratic',
      '/state:nm/cd:2 | U.S. House New Mexico District 2 | Benjamin Q. Birch, Jr. | Former | 2021-01-03 | 2023-01-03 | Republican',
      '/state:nm/cd:2 | U.S. House New Mexico District 2 | Benjamin Q. Birch, Jr. | Former | 2023-01-03 | 2025-01-03 | Republican',
      '/state:nm/cd:2 | U.S. House New Mexico District 2 | Benjamin Q. Birch, Jr. | Current | 2025-01-03 | 2027-01-03 | Republican',
      '/state:vt | U.S. Senate Vermont | Class 3 | Dov Dogwood | Appointed | 2024-03-01 | 2027-01-03 | Independent',
    ]);
    const offices = await database.db
      .selectFrom('offices')
      .select(['name', 'level', 'branch', 'chamber', 'is_partisan', 'type'])
      .orderBy('name')
      .execute();
    expect(offices).toEqual([
      {
        name: 'President',
        level: 'Federal',
        branch: 'Executive',
        chamber: null,
        is_partisan: 'Partisan all',
        type: null,
      },
      {
        name: 'U.S. House District of Columbia At-large District',
        level: 'Federal',
        branch: 'Legislative',
        chamber: 'Lower',
        is_partisan: 'Partisan all',
        type: 'Delegate',
      },
      {
        name: 'U.S. House New Mexico District 2',
        level: 'Federal',
        branch: 'Legislative',
        chamber: 'Lower',
        is_partisan: 'Partisan all',
        type: 'Representative',
      },
      {
        name: 'U.S. Senate Vermont',
        level: 'Federal',
        branch: 'Legislative',
        chamber: 'Upper',
        is_partisan: 'Partisan all',
        type: 'Senator',
      },
      {
        name: 'Vice President',
        level: 'Federal',
        branch: 'Executive',
        chamber: null,
        is_partisan: 'Partisan all',
        type: null,
      },
    ]);
    expect(summary.report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      'E000005 rep 1901-03-04: the state DK is not a current state',
      'E000005 rep 2003-01-03: the number of the district is unknown',
      'legislators-district-offices.yaml A000001: does not belong to an officeholder on 2026-06-15',
      'legislators-social-media.yaml B000002: facebook shared belongs to more than one person',
      'legislators-social-media.yaml D000004: facebook Shared belongs to more than one person',
      'legislators-social-media.yaml D000004: mastodon dogwood is not an account',
    ]);
  });

  test('imports contacts of the term, of the offices in the district, and accounts as URLs', async () => {
    const { rows } = await sql<{ contact: string }>`
      select concat_ws(' | ', p.name, h.start_date, c.collection, c.contact_type, c.contact) as contact
      from contacts as c join officeholders as h on h.id = c.officeholder_id join persons as p on p.id = h.person_id
      order by c.id`.execute(database.db);
    expect(rows.map(({ contact }) => contact)).toEqual([
      'Dov Dogwood | 2024-03-01 | contact | Phone | 202-555-0004',
      'Dov Dogwood | 2024-03-01 | contact | Website | https://dogwood.senate.gov',
      'Dov Dogwood | 2024-03-01 | contact | Contact form | https://dogwood.senate.gov/contact',
      'Dov Dogwood | 2024-03-01 | contact | Address | 1 Capitol',
      'Dov Dogwood | 2024-03-01 | contact | Fax | 202-555-0104',
      'Benjamin Q. Birch, Jr. | 2021-01-03 | contact | Phone | 202-555-0022',
      'Benjamin Q. Birch, Jr. | 2025-01-03 | contact | Phone | 202-555-0002',
      'Benjamin Q. Birch, Jr. | 2025-01-03 | contact | Website | https://birch.house.gov',
      'Benjamin Q. Birch, Jr. | 2025-01-03 | contact | District office address | 2 Oak St., Suite 5, Roswell, NM 88201',
      'Benjamin Q. Birch, Jr. | 2025-01-03 | contact | District office phone | 575-555-0001',
      'Benjamin Q. Birch, Jr. | 2025-01-03 | contact | District office phone | 575-555-0002',
      'Benjamin Q. Birch, Jr. | 2025-01-03 | contact | District office fax | 575-555-0003',
      'Benjamin Q. Birch, Jr. | 2025-01-03 | social | Twitter | https://twitter.com/RepBirch',
      'Benjamin Q. Birch, Jr. | 2025-01-03 | social | YouTube | https://youtube.com/channel/UCabcdefghijklmnopqrstuv',
      'Benjamin Q. Birch, Jr. | 2025-01-03 | social | Mastodon | https://example.social/@birch',
      'Dov Dogwood | 2024-03-01 | social | Instagram | https://instagram.com/dovdogwood',
      'Dov Dogwood | 2024-03-01 | social | YouTube | https://youtube.com/user/dogwood',
    ]);
  });

  test('keeps every identifier of a person, and its provenance', async () => {
    const { rows } = await sql<{ name: string }>`
      select e.scheme || ' ' || e.value as name from external_identifiers as e
      join persons as p on p.id = e.record_id where e.kind = 'person' and p.name = 'Dov Dogwood' order by 1`.execute(
      database.db,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'bioguide D000004',
      'fec H2VT00004',
      'fec S4VT00004',
      'govtrack 900004',
      'wikidata Q4',
    ]);
    const sources = await database.db.selectFrom('sources').select(['name', 'license', 'as_of']).execute();
    expect(sources).toEqual([{ name: 'congress-legislators', license: 'CC0-1.0', as_of: '2026-06-15' }]);
    const missing = await sql`
      select id from officeholders where id not in (select record_id from record_sources where kind = 'officeholder')`.execute(
      database.db,
    );
    expect(missing.rows).toEqual([]);
  });

  test('imported again changes nothing, not one row', async () => {
    const before = await fingerprint(database.db);
    const summary = await importOf(database.db, '2026-06-15');
    expect(
      Object.values(counts(summary)).every(
        ([inserted, updated, , removed]) => inserted === 0 && updated === 0 && removed === 0,
      ),
    ).toBe(true);
    expect(await fingerprint(database.db)).toEqual(before);
  });
});

describe('an older snapshot next to it', () => {
  const olderFirst = useDatabase();

  test('is history, in either order', async () => {
    const { db } = olderFirst;
    await importOf(db, '2021-02-10');
    expect(await termsOf(db)).toContain(
      '/state:vt | U.S. Senate Vermont | Class 3 | Ann Alder | Current | 2021-01-03 | 2027-01-03 | Democratic',
    );
    const ids = await sql<{ id: number }>`select id from persons where name like 'Ben%'`.execute(db);
    const second = await importOf(db, '2026-06-15');
    expect(
      second.report.filter(({ reason }) => reason.includes('more than one') && !reason.includes('person')),
    ).toEqual([]);
    // Ann Alder's term was to last until 2027, and ended when her successor's began.
    expect(await termsOf(db)).toEqual(
      expect.arrayContaining([
        '/state:vt | U.S. Senate Vermont | Class 3 | Ann Alder | Former | 2021-01-03 | 2024-03-01 | Democratic',
        '/state:vt | U.S. Senate Vermont | Class 3 | Dov Dogwood | Appointed | 2024-03-01 | 2027-01-03 | Independent',
        '/territory:pr/cd:at-large | U.S. House Puerto Rico At-large District | Cleo Cedar | Former | 2021-01-03 | 2023-01-03 | New Progressive',
      ]),
    );
    expect((await sql<{ id: number }>`select id from persons where name like 'Ben%'`.execute(db)).rows).toEqual(
      ids.rows,
    );
    const both = await contentsOf(db);
    // Officeholders that are only in the older snapshot do not become current again.
    await importOf(db, '2021-02-10');
    expect(await contentsOf(db)).toEqual(both);

    await sql`truncate districts, parties, offices, persons, officeholders, contacts, sources, record_sources, external_identifiers cascade`.execute(
      db,
    );
    await sql`insert into parties (id, name) values (1, 'Republican'), (2, 'Democratic'), (5, 'Independent')`.execute(
      db,
    );
    await importOf(db, '2026-06-15');
    const newerFirst = await importOf(db, '2021-02-10');
    expect(newerFirst.report).toEqual([]);
    expect(await contentsOf(db)).toEqual(both);
    await importOf(db, '2026-06-15');
    expect(await contentsOf(db)).toEqual(both);
  });
});

describe('records that the database already has', () => {
  const database = useDatabase();
  const dataset = {
    'districts.csv':
      'id,type,name,state,ocdid\n1,State,Vermont,VT,ocd-division/country:us/state:vt\n2,Congress,The second,NM,ocd-division/country:us/state:nm/cd:2\n',
    'offices.csv':
      'id,district_id,name,level,branch,chamber,seat,url\n11,1,U.S. Senator,Federal,Legislative,Upper,Class 3,https://example.org/office\n12,2,Member of the House,Federal,Legislative,Lower,,\n',
    'persons.csv': 'id,name,first_name\n21,Dov DOGWOOD,\n22,"Bénjamin Q Birch, Jr",Benny\n23,Dov Dogwood,\n',
    'officeholders.csv':
      'id,office_id,person_id,status,start_date\n31,11,21,Acting,2024-03-01\n32,12,22,Current,2025-01-03\n33,11,23,Former,1999-01-03\n',
  };

  test('are matched by their identifiers and exact names, completed, and not overwritten', async () => {
    const { db } = database;
    await loadFolder(db, folderOf(dataset));
    const summary = await importOf(db, '2026-06-15');
    const districts = await db
      .selectFrom('districts')
      .select(['id', 'name'])
      .where('id', '<', 100)
      .orderBy('id')
      .execute();
    expect(districts).toEqual([
      { id: 1, name: 'Vermont' },
      { id: 2, name: 'The second' },
    ]);
    expect(counts(summary)['districts.csv']).toEqual([2, 2, 0, 0]);
    const offices = await db
      .selectFrom('offices')
      .select(['id', 'name', 'url', 'is_partisan'])
      .where('id', '<', 100)
      .orderBy('id')
      .execute();
    expect(offices).toEqual([
      { id: 11, name: 'U.S. Senator', url: 'https://example.org/office', is_partisan: 'Partisan all' },
      // The one House seat of the district, under any name.
      { id: 12, name: 'Member of the House', url: null, is_partisan: 'Partisan all' },
    ]);
    expect(
      await db
        .selectFrom('persons')
        .select(['id', 'name', 'first_name', 'last_name'])
        .where('id', '<', 100)
        .orderBy('id')
        .execute(),
    ).toEqual([
      { id: 21, name: 'Dov DOGWOOD', first_name: 'Dov', last_name: 'Dogwood' },
      { id: 22, name: 'Bénjamin Q Birch, Jr', first_name: 'Benny', last_name: 'Birch' },
      { id: 23, name: 'Dov Dogwood', first_name: null, last_name: null },
    ]);
    const holders = await db
      .selectFrom('officeholders')
      .select(['id', 'person_id', 'status', 'end_date', 'partisan_affiliation'])
      .where('id', '<', 100)
      .orderBy('id')
      .execute();
    expect(holders).toEqual([
      { id: 31, person_id: 21, status: 'Acting', end_date: '2027-01-03', partisan_affiliation: 5 },
      { id: 32, person_id: 22, status: 'Current', end_date: '2027-01-03', partisan_affiliation: 1 },
      { id: 33, person_id: 23, status: 'Former', end_date: null, partisan_affiliation: null },
    ]);
    expect(counts(summary)['offices.csv']).toEqual([3, 2, 0, 0]);
  });

  test('are skipped and reported if they are ambiguous, but for persons', async () => {
    const { db } = database;
    await sql`truncate districts, offices, persons, officeholders, contacts, sources, record_sources, external_identifiers cascade`.execute(
      db,
    );
    await loadFolder(
      db,
      folderOf({
        ...dataset,
        'offices.csv': `${dataset['offices.csv']}13,2,Another,Federal,Legislative,Lower,,\n`,
        'officeholders.csv':
          'id,office_id,person_id,status,start_date\n31,11,21,Current,2024-03-01\n33,11,23,Current,2024-03-01\n',
      }),
    );
    const { report } = await importOf(db, '2026-06-15');
    const lines = report.map(({ record, reason }) => `${record}: ${reason}`);
    expect(lines).toEqual(
      expect.arrayContaining(['B000002 rep 2021-01-03: matches more than one office in the database']),
    );
    expect((await termsOf(db)).filter((term) => term.includes('cd:2'))).toEqual([]);
    // A person of whom two are stored is a record of its own, and keeps the term.
    expect(lines.filter((line) => line.startsWith('D000004'))).toEqual([]);
  });
});

describe('an unexpected entry', () => {
  const database = useDatabase();

  test('is skipped and reported, and null values are ignored', async () => {
    const good =
      '- { id: { govtrack: 1 }, name: { first: A, last: B, middle: null }, terms: [{ type: prez, start: "2025-01-20", end: "2029-01-20", party: null, fax: null }] }';
    const bad =
      '- { id: { govtrack: 2 }, name: { first: C, last: D }, terms: [{ type: prez, start: "2025-02-30", end: "2029-01-20" }] }';
    const folder = folderOf({ 'executive.yaml': `${good}\n${bad}\n- 1\n` });
    const { report } = await runImport(database.db, 'congress-legislators', [folder], { asOf: '2026-01-01' });
    expect(report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      'executive.yaml entry 2: is not valid: terms.0.start: is not a date YYYY-MM-DD',
      'executive.yaml entry 3: is not valid: Invalid input: expected object, received number',
    ]);
    expect(await termsOf(database.db)).toEqual([' | President | A B | Current | 2025-01-20 | 2029-01-20']);
  });
});

describe('a dry run', () => {
  const database = useDatabase();

  test('reports what would change, and changes nothing', async () => {
    const before = await fingerprint(database.db);
    const summary = await importOf(database.db, '2026-06-15', { dryRun: true });
    expect(counts(summary)['officeholders.csv']).toEqual([7, 0, 0, 0]);
    expect(await fingerprint(database.db)).toEqual(before);
  });
});

describe('unreadable input', () => {
  const database = useDatabase();

  test.each<[what: string, files: Record<string, string | Buffer>, message: RegExp]>([
    ['no file of the source', { 'x.yaml': '' }, /has no legislator in legislators-historical\.yaml/],
    [
      'YAML that is cut off',
      { 'legislators-current.yaml': '- id: {bioguide: "A' },
      /legislators-current\.yaml:1: is not YAML, or is cut off/,
    ],
    [
      'YAML of another shape',
      { 'legislators-current.yaml': 'a: 1' },
      /legislators-current\.yaml:1: is not a YAML list/,
    ],
    [
      'aliases without end',
      { 'legislators-current.yaml': '- &a [1]\n- [*a, *a]\n' },
      /legislators-current\.yaml:\d+: is not YAML/,
    ],
    [
      'Latin-1',
      { 'legislators-current.yaml': Buffer.from('- é', 'latin1') },
      /legislators-current\.yaml:\d+: is not UTF-8/,
    ],
    [
      'entries of another shape',
      { 'legislators-current.yaml': '- 1\n- {id: {}}\n' },
      /has no legislator in legislators-historical\.yaml/,
    ],
  ])('%s', async (_, files, message) => {
    const before = await fingerprint(database.db);
    const error = await runImport(database.db, 'congress-legislators', [folderOf(files)]).catch(
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(message);
    expect(await fingerprint(database.db)).toEqual(before);
  });
});
