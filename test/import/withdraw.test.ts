import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { withdrawSource } from '../../src/importers/load/editions/withdraw.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import { mergeTwoPersons } from '../../src/importers/load/persons/decide-persons.ts';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import { checkIntegrity } from '../../src/operate/integrity/integrity.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { useDatabase } from '../support/database.ts';
import { lines } from './feed-stores.ts';
import { box, FIXTURE, fingerprint, folderOf, RECORD_TABLES } from './folders.ts';
import { GOOD_SOURCES, type GoodSource, openStatesMember } from './good-sources.ts';

const database = useDatabase();
let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'withdraw-'));
  for (const { source, file, content } of Object.values<GoodSource>(GOOD_SOURCES)) {
    mkdirSync(join(root, source));
    writeFileSync(join(root, source, file), content);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

const ALL = Object.values<GoodSource>(GOOD_SOURCES);
const importGood = (db: Database, { source, options }: GoodSource) =>
  runImport(db, source, [join(root, source)], options);

/** Runs work in a transaction that is undone. */
const undone = (work: (db: Database) => Promise<void>) => inOneTransaction(database.db, true, work);

const TABLES = [
  ...RECORD_TABLES,
  ...[
    'unplaced_contests',
    'precinct_results',
    'person_merges',
    'address_points',
    'address_ranges',
    'address_streets',
    'zip_areas',
  ],
];
const VOLATILE = ['updated_at', 'results_updated_at', 'loaded_at'];

/** All rows, and where they come from, without the times of changes. */
async function dumpOf(db: Database): Promise<string[]> {
  const all: string[] = [];
  for (const table of TABLES) {
    const { rows } = await sql<{ id: number; row: string }>`
      select to_jsonb(t) - ${VOLATILE}::text[] as row from ${sql.table(table)} as t`.execute(db);
    all.push(...rows.map(({ row }) => `${table} ${JSON.stringify(row)}`));
  }
  const { rows } = await sql<{ row: string }>`
    select r.kind || ' ' || r.record_id || ' of ' || o.name as row from record_sources as r join sources as o on o.id = r.source_id
    union all select 'source ' || name from sources`.execute(db);
  all.push(...rows.map(({ row }) => row));
  return all.sort();
}

/** The identifiers of records, which are not removed from records that stay. */
const identifiers = (db: Database) =>
  lines(db, `select kind || ' ' || record_id || ': ' || scheme || ' ' || value as line from external_identifiers`);

async function faultsOf(db: Database): Promise<string[]> {
  const { checks } = await checkIntegrity(db, '2026-11-27');
  return checks.flatMap(({ name, violations }) =>
    violations.map(({ record, problem }) => `${name} ${record} ${problem}`),
  );
}

describe('after an import and its withdrawal', { timeout: 120_000 }, () => {
  test.each(Object.keys(GOOD_SOURCES) as (keyof typeof GOOD_SOURCES)[])(
    'of %s, the data are as before, but for what the list says',
    async (name) => {
      const good: GoodSource = GOOD_SOURCES[name];
      await undone(async (db) => {
        for (const other of ALL) if (other !== good) await importGood(db, other);
        const [before, named] = [await dumpOf(db), await identifiers(db)];
        const faults = await faultsOf(db);
        await importGood(db, good);
        const between = await dumpOf(db);
        expect(between).not.toEqual(before);
        const { records } = await withdrawSource(db, name, {});
        const after = await dumpOf(db);
        const kept = new Set(records.flatMap(({ id, stays }) => (stays === null ? [] : [String(id)])));
        const isListed = (line: string) => line.match(/\d+/g)?.some((id) => kept.has(id));
        expect(after.filter((line) => !before.includes(line) && !isListed(line))).toEqual([]);
        expect(before.filter((line) => !after.includes(line) && !isListed(line))).toEqual([]);
        expect(new Set(await identifiers(db))).toEqual(new Set(named).union(new Set(await identifiers(db))));
        expect((await faultsOf(db)).filter((fault) => !faults.includes(fault))).toEqual([]);
      });
    },
  );
});

describe('of all sources', () => {
  let empty: readonly string[] = [];
  let faults: readonly string[] = [];
  beforeAll(async () => {
    empty = await dumpOf(database.db);
    for (const good of ALL) await importGood(database.db, good);
    faults = await faultsOf(database.db);
  });
  afterAll(async () => {
    for (const { source } of ALL) await withdrawSource(database.db, source, {});
  });

  test.each(ALL.map(({ source }) => source))('%s leaves nothing of it', async (source) => {
    await undone(async (db) => {
      const { rows: names } = await sql<{ name: string }>`
        select distinct name from import_editions where importer = ${source}`.execute(db);
      const { records } = await withdrawSource(db, source, {});
      expect(records.length).toBeGreaterThan(0);
      for (const { name } of names) {
        const left = await lines(
          db,
          `select r.kind || ' ' || r.record_id as line from record_sources as r join sources as o on o.id = r.source_id
           where o.name = '${name}'`,
        );
        // Only records to which others refer.
        expect(left).toHaveLength(records.filter(({ stays }) => stays === 'records that stay refer to it').length);
      }
      expect((await faultsOf(db)).filter((fault) => !faults.includes(fault))).toEqual([]);
    });
  });

  test('all of them, one after the other, leave nothing', async () => {
    await undone(async (db) => {
      for (const { source } of ALL.toReversed()) await withdrawSource(db, source, {});
      expect(await dumpOf(db)).toEqual(empty);
      expect((await identifiers(db)).filter((line) => !line.startsWith('party '))).toEqual([]);
    });
  });

  test('a dry run lists the same, and changes nothing', async () => {
    const before = await fingerprint(database.db);
    const told = await withdrawSource(database.db, 'medsl', { dryRun: true });
    expect(await fingerprint(database.db)).toEqual(before);
    await undone(async (db) => expect(await withdrawSource(db, 'medsl', {})).toEqual(told));
  });

  test.each([
    [
      'a source that is not there',
      'zcta',
      {},
      /Nothing is there of zcta\. There is something of: .*"OpenElections" \(openelections\)/,
    ],
    [
      'a state of which it has nothing',
      'openelections',
      { state: 'VT' },
      /OpenElections has nothing of that\. It has ME: 2018-11-06/,
    ],
    ['a day of which it has nothing', 'openelections', { date: '2020-11-03' }, /It has ME: 2018-11-06/],
  ])('%s is an error that says what there is', async (_, source, options, message) => {
    const before = await fingerprint(database.db);
    await expect(withdrawSource(database.db, source, options)).rejects.toThrow(message);
    expect(await fingerprint(database.db)).toEqual(before);
  });
});

const HEADER = 'county,precinct,office,district,party,candidate,votes';
const results = (...rows: readonly string[]) => [HEADER, ...rows, ''].join('\n');
const openElections = (db: Database, files: Readonly<Record<string, string>>) =>
  runImport(db, 'openelections', [folderOf(files)]);
const candidates = (db: Database) =>
  lines(
    db,
    `select concat_ws(' ', d.state, e.date, p.name) as line from candidates as c join persons as p on p.id = c.person_id
     join races as r on r.id = c.race_id join elections as e on e.id = r.election_id join districts as d on d.id = e.district_id`,
  );
const told = (records: readonly { kind: string; name: string; stays: string | null }[]) =>
  records.map(({ kind, name, stays }) => `${kind} ${name}: ${stays ?? 'removed'}`);

describe('of a state or a day', () => {
  const FILES = {
    '20231107__pa__general.csv': results(
      'Erie,A,Sheriff,,DEM,Ann Roe,9',
      'Erie,A,Sheriff,,REP,Bob Doe,7',
      'Erie,A,Dog Catcher,,,Eve Fox,5',
    ),
    '20211102__pa__general.csv': results('Erie,A,Sheriff,,DEM,Ann Roe,8', 'Erie,A,Sheriff,,REP,Cy Low,6'),
    '20231107__va__general.csv': results(
      'Accomack County,A,Sheriff,,DEM,Di Hay,4',
      'Accomack County,A,Sheriff,,REP,Ed Fay,3',
    ),
  };

  test.each([
    [
      { state: 'PA', date: '2023-11-07' },
      ['PA 2021-11-02 Ann Roe', 'PA 2021-11-02 Cy Low', 'VA 2023-11-07 Di Hay', 'VA 2023-11-07 Ed Fay'],
    ],
    [{ state: 'PA' }, ['VA 2023-11-07 Di Hay', 'VA 2023-11-07 Ed Fay']],
    [{ date: '2023-11-07' }, ['PA 2021-11-02 Ann Roe', 'PA 2021-11-02 Cy Low']],
  ])(
    '%o goes, with its contests that are not placed, and the rest is as if it had been imported alone',
    async (options, left) => {
      await undone(async (db) => {
        await openElections(db, FILES);
        await withdrawSource(db, 'openelections', options);
        expect(await candidates(db)).toEqual(left);
        const after = await dumpOf(db);
        expect(after.some((line) => line.startsWith('unplaced_contests'))).toBe(false);
        await withdrawSource(db, 'openelections', {});
        const rest = Object.entries(FILES).filter(([name]) =>
          left.some((line) =>
            name.startsWith(`${line.slice(3, 13).replaceAll('-', '')}__${line.slice(0, 2).toLowerCase()}`),
          ),
        );
        await openElections(db, Object.fromEntries(rest));
        expect(await dumpOf(db)).toEqual(after);
      });
    },
  );
});

describe('persons', () => {
  const OFFICIALS = `id: ocd-person/9
name: Robert A. Bell
image: https://pictures.example/9.jpg
party:
  - name: Democratic
roles:
  - type: governor
    jurisdiction: ocd-jurisdiction/country:us/state:me/government
    start_date: '2023-01-04'
offices: []
`;
  const officials = (db: Database) =>
    runImport(db, 'openstates-people', [folderOf({ 'bell.yml': OFFICIALS })], { asOf: '2023-06-01' });
  const GOVERNOR = {
    '20221108__me__general.csv': results('York,A,Governor,,DEM,Bob Bell,9', 'York,A,Governor,,REP,Cy Low,7'),
  };

  test.each(['openelections', 'openstates-people'] as const)(
    'who were joined are two again when the data of %s go',
    async (withdrawn) => {
      await undone(async (db) => {
        const steps = [() => openElections(db, GOVERNOR), () => officials(db)];
        const [first, second] = withdrawn === 'openelections' ? steps.toReversed() : steps;
        await first?.();
        const before = await dumpOf(db);
        expect((await second?.())?.joins).toHaveLength(1);
        await withdrawSource(db, withdrawn, {});
        const own = (all: readonly string[]) =>
          all.filter((line) => /^(persons|candidates|officeholders|races|person_merges) /.test(line));
        expect(own(await dumpOf(db))).toEqual(own(before));
      });
    },
  );

  test('whom a decision names stay', async () => {
    await undone(async (db) => {
      await openElections(db, GOVERNOR);
      const [one] = await lines(db, `select id::text as line from persons where name = 'Bob Bell'`);
      await openElections(db, { '20181106__me__general.csv': results('York,A,Governor,,DEM,Rob Bellows,9') });
      const [third] = await lines(db, `select id::text as line from persons where name = 'Rob Bellows'`);
      await mergeTwoPersons(db, Number(one), Number(third));
      const { records } = await withdrawSource(db, 'openelections', {});
      expect(told(records).filter((line) => line.includes('decision'))).toHaveLength(1);
      expect(await lines(db, 'select id::text as line from persons')).toEqual([one]);
    });
  });
});

test('a withdrawn map gives the older one its time back', async () => {
  const map = (west: number) =>
    folderOf({
      'counties.geojson': JSON.stringify({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            properties: { GEOID: '50001', NAME: 'Addison' },
            geometry: {
              type: 'Polygon',
              coordinates: [
                [
                  [west, 43],
                  [west + 1, 43],
                  [west + 1, 44],
                  [west, 44],
                  [west, 43],
                ],
              ],
            },
          },
        ],
      }),
    });
  await undone(async (db) => {
    const options = { type: 'County', partial: true } as const;
    await runImport(db, 'districts-geojson', [map(-73)], { ...options, from: '2000-01-01', name: 'Old map' });
    const before = await dumpOf(db);
    await runImport(db, 'districts-geojson', [map(-73.1)], { ...options, from: '2022-01-01', name: 'New map' });
    await withdrawSource(db, 'New map', {});
    expect((await dumpOf(db)).filter((line) => line.startsWith('boundar'))).toEqual(
      before.filter((line) => line.startsWith('boundar')),
    );
    await runImport(db, 'districts-geojson', [map(-73.1)], { ...options, from: '2022-01-01', name: 'New map' });
    await expect(withdrawSource(db, 'districts-geojson', {})).rejects.toThrow('Name one: "New map", "Old map"');
  });
});

test.each([
  ['all of them, when no edition is recorded', 'import_editions', /./],
  [
    'those of the kinds that files replace, when other editions are',
    'edition_records',
    /^(?:race|candidate|ballot_measure) /,
  ],
  ['none, when all are recorded', undefined, /^$/],
])('records without an edition are found by their provenance and marked: %s', async (_, emptied, marked) => {
  await undone(async (db) => {
    const before = await dumpOf(db);
    await importGood(db, GOOD_SOURCES.openelections);
    if (emptied) await sql`delete from ${sql.table(emptied)}`.execute(db);
    const { records } = await withdrawSource(db, 'OpenElections', { state: 'ME', date: '2018-11-06' });
    const names = ({ kind, name }: (typeof records)[number]) => `${kind} ${name}`;
    expect(records.filter((each) => each.isOfNoEdition).map(names)).toEqual(
      records.map(names).filter((name) => marked.test(name)),
    );
    expect(await dumpOf(db)).toEqual(before);
  });
});

test('the rounds of a source go with it, and those of another one stay', async () => {
  await undone(async (db) => {
    await importGood(db, GOOD_SOURCES.openelections);
    const rounds = () => lines(db, 'select candidate_id::text as line from ranked_choice_rounds');
    await importGood(db, GOOD_SOURCES['ranked-vote']);
    expect((await rounds()).length).toBeGreaterThan(0);
    await withdrawSource(db, 'openelections', {});
    expect((await rounds()).length).toBeGreaterThan(0);
    await importGood(db, GOOD_SOURCES.openelections);
    await withdrawSource(db, 'ranked-vote', {});
    expect(await rounds()).toEqual([]);
  });
});

test('a folder in the exchange format is withdrawn by its name', async () => {
  const before = await dumpOf(database.db);
  await inOneTransaction(database.db, true, async (db) => {
    await loadFolder(db, FIXTURE);
    const [name = ''] = await lines(
      db,
      `select name as line from sources where name in (select name from import_editions where importer = 'load')`,
    );
    await withdrawSource(db, name, {});
    expect((await dumpOf(db)).filter((line) => !before.includes(line))).toEqual([]);
  });
});

test('addresses and ZIP codes go with their streets, and a state alone', async () => {
  const csv = (postal: string) =>
    `LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n-72.5,44.2,1,Elm St,,Barre,,${postal},05641,${postal},${postal}\n`;
  await undone(async (db) => {
    const before = await dumpOf(db);
    const options = { preset: 'openaddresses' };
    await runImport(db, 'address-points', [folderOf({ 'vt.csv': csv('VT'), 'nh.csv': csv('NH') })], options);
    const area = {
      type: 'Feature',
      properties: { ZCTA5CE20: '05641' },
      geometry: { type: 'Polygon', coordinates: [box(-73, 44, -72, 45)] },
    };
    const areas = folderOf({ 'zcta.geojson': JSON.stringify({ type: 'FeatureCollection', features: [area] }) });
    await runImport(db, 'zcta', [areas], { name: 'Areas', license: 'public domain' });
    expect((await withdrawSource(db, 'address-points', { state: 'NH' })).counts).toEqual({ address_points: 1 });
    expect(await lines(db, 'select state as line from address_streets')).toEqual(['VT']);
    expect((await withdrawSource(db, 'address-points', {})).counts).toEqual({ address_points: 1 });
    expect((await withdrawSource(db, 'zcta', {})).counts).toEqual({ zip_areas: 1 });
    expect(await dumpOf(db)).toEqual(before);
  });
});

test('one edition of officeholders goes by its day, and the other stays as if it were alone', async () => {
  const edition = (db: Database, asOf: string, files: Readonly<Record<string, string>>) =>
    runImport(db, 'openstates-people', [folderOf(files)], { asOf });
  await undone(async (db) => {
    await edition(db, '2024-01-15', {
      'ada.yml': openStatesMember('Ada Ash', 1),
      'bo.yml': openStatesMember('Bo Birch', 2),
    });
    const before = await dumpOf(db);
    await edition(db, '2025-01-15', {
      'ada.yml': openStatesMember('Ada Ash', 1),
      'bo.yml': openStatesMember('Bo Birch', 2),
      'cy.yml': openStatesMember('Cy Cole', 3),
    });
    const { records } = await withdrawSource(db, 'openstates-people', { date: '2025-01-15' });
    expect(told(records)).toContain('person Cy Cole: removed');
    expect(await dumpOf(db)).toEqual(before);
  });
});

test('the version of the data changes with a withdrawal, so that caches do', async () => {
  const version = () => lines(database.db, 'select version::text as line from data_version');
  await importGood(database.db, GOOD_SOURCES.openelections);
  const before = await version();
  await withdrawSource(database.db, 'openelections', {});
  expect(await version()).not.toEqual(before);
});
