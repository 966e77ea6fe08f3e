import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runImport, type SourceName } from '../../src/importers/import.ts';
import { readManifest } from '../../src/importers/manifest.ts';
import { auditFiles, auditManifest } from '../../src/operate/commands/audit-files.ts';
import { officeRows, placedText, printPlacement } from '../../src/operate/commands/placement.ts';
import { type Audit, auditImport, FaultsError, rejectFaults } from '../../src/operate/integrity/audit.ts';
import { useDatabase } from '../support/database.ts';
import { CONTEST, insertUnplaced } from '../support/unplaced.ts';
import { HEADER, line, type Row } from './result-rows.ts';

const database = useDatabase();
const folder = mkdtempSync(join(tmpdir(), 'audit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TODAY = '2024-06-01';

function pathOf(text: string, name: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const fileOf = (rows: readonly (Row | string)[]) =>
  `${[HEADER, ...rows.map((row) => (typeof row === 'string' ? row : line(row)))].join('\n')}\n`;

function audit(rows: readonly (Row | string)[], source: SourceName = 'medsl', name = 'a.csv'): Promise<Audit> {
  return auditFiles(database.db, source, [pathOf(fileOf(rows), name)], { options: {}, today: TODAY, most: 100 });
}

const namesOf = ({ findings }: Audit) => findings.map(({ check }) => check);

/** The counties of Delaware besides Kent. A contest of several counties has an outcome only if all of them are in the file. */
const OTHER_COUNTIES = [
  ['NEW CASTLE', '10003'],
  ['SUSSEX', '10005'],
] as const;

/** A candidate for an office of a county. */
const SHERIFF = (candidate: string, votes: number, more: Partial<Row> = {}): Row => ({
  state: 'DE',
  county: 'KENT',
  fips: '10001',
  office: 'COUNTY SHERIFF',
  candidate,
  votes,
  party: candidate.startsWith('ADA') ? 'DEMOCRAT' : 'REPUBLICAN',
  dataverse: 'LOCAL',
  ...more,
});
const HOUSE = (candidate: string, votes: number, more: Partial<Row> = {}): Row => ({
  ...SHERIFF(candidate, votes),
  office: 'US HOUSE',
  dataverse: 'HOUSE',
  district: '001',
  ...more,
});
const asGovernor = (row: Row): Row => ({ ...row, office: 'GOVERNOR', district: 'STATEWIDE', dataverse: 'STATE' });
const TWO = [SHERIFF('ADA ALDER', 300), SHERIFF('BEN BIRCH', 200)];
const IN_KENT = [HOUSE('ADA DRAKE', 310), HOUSE('BEN IRIS', 190)];
const IN_HOUSE = [
  ...IN_KENT,
  ...OTHER_COUNTIES.flatMap(([county, fips]) => [
    HOUSE('ADA DRAKE', 31, { county, fips }),
    HOUSE('BEN IRIS', 19, { county, fips }),
  ]),
];
const CLEAN = [...TWO, ...IN_HOUSE];
/** A contest of Congress whose file states two seats. */
const OF_TWO_SEATS = [...IN_HOUSE, HOUSE('CY LOE', 20, { party: 'LIBERTARIAN' })].map((row) => ({
  ...row,
  magnitude: 2,
}));
/** A row as it is, with another text in one of its cells. */
const changed = (row: Row, from: string, to: string) => {
  expect(line(row)).toContain(from);
  return line(row).replace(from, to);
};

/** Each check of result files: rows with the fault. Without them, the audit finds nothing. */
const FAULTS: readonly (readonly [check: string, rows: readonly (Row | string)[]])[] = [
  ['identical-rows', [...CLEAN, SHERIFF('ADA ALDER', 300)]],
  ['counts-among-candidates', [...CLEAN, SHERIFF('Voids/Blanks', 9, { party: '' })]],
  ['labels-in-place-of-names', [...CLEAN, SHERIFF('DEMOCRATIC', 9, { party: '' })]],
  ['labels-in-place-of-names', [...CLEAN, SHERIFF('NO', 9, { party: '' })]],
  ['odd-names', [...IN_HOUSE, SHERIFF('ADA ALDER #1', 300), SHERIFF('BEN BIRCH', 200)]],
  ['counts-that-are-no-numbers', [...IN_HOUSE, SHERIFF('ADA ALDER', 300), SHERIFF('BEN BIRCH', 0, { votes: '2O0' })]],
  ['malformed-rows', [...CLEAN, 'x,y,z']],
  [
    'names-in-several-spellings',
    [...CLEAN, SHERIFF('BENJAMIN BIRCH', 20, { precinct: '2' }), SHERIFF('ADA ALDER', 30, { precinct: '2' })],
  ],
  [
    'candidates-alike',
    [...CLEAN, SHERIFF('BEN BIRCK', 20, { precinct: '2' }), SHERIFF('ADA ALDER', 30, { precinct: '2' })],
  ],
  // Where one party nominates a candidate, two parties are two persons of one name.
  [
    'candidates-alike',
    [...IN_HOUSE, SHERIFF('ADA ALDER', 300), SHERIFF('BEN BIRCH', 110), SHERIFF('BEN BIRCH', 90, { party: 'GREEN' })],
  ],
  [
    'parties-by-precinct',
    [...CLEAN, SHERIFF('BEN BIRCH', 1, { precinct: '2', party: 'GREEN' }), SHERIFF('ADA ALDER', 9, { precinct: '2' })],
  ],
  [
    'totals-against-parts',
    [
      ...IN_HOUSE,
      SHERIFF('ADA ALDER', 100, { mode: 'ABSENTEE' }),
      SHERIFF('ADA ALDER', 150, { mode: 'ELECTION DAY' }),
      SHERIFF('ADA ALDER', 260),
      SHERIFF('BEN BIRCH', 20),
    ],
  ],
  [
    'totals-among-rows',
    [
      ...CLEAN,
      ...['2', '3'].flatMap((precinct) => CLEAN.map((row) => ({ ...row, precinct, votes: Number(row.votes) - 7 }))),
      ...CLEAN.map((row) => ({ ...row, precinct: 'ALL', votes: 3 * Number(row.votes) - 14 })),
    ],
  ],
  ['seats-beyond-the-law', [...TWO, ...OF_TWO_SEATS]],
  ['districts-without-a-seat', [...TWO, ...IN_HOUSE.map((row) => ({ ...row, district: '009' }))]],
  ['days-without-law', [...TWO, ...IN_HOUSE.map((row) => changed(row, '2022-11-08', '2022-11-01'))]],
  ['unplaced-contests', [...CLEAN, ...TWO.map((row) => ({ ...row, county: 'QUILLBURY', fips: '' }))]],
  ['one-name-in-two-contests', [...CLEAN, ...[HOUSE('ADA DRAKE', 70), HOUSE('BO LOE', 60)].map(asGovernor)]],
  [
    'precincts-beyond-voters',
    [
      ...CLEAN,
      ...['2', '3', '4', '5'].flatMap((precinct) => CLEAN.map((row) => ({ ...row, precinct }))),
      ...[500, 400].map((votes, index) => ({
        ...HOUSE(index === 0 ? 'ADA FOX' : 'BEN GUM', votes, { office: 'GOVERNOR', district: '', dataverse: 'STATE' }),
        precinct: '6',
      })),
      HOUSE('ADA DRAKE', 30, { precinct: '6' }),
    ],
  ],
  ['results-without-votes', [...IN_HOUSE, SHERIFF('ADA ALDER', 0), SHERIFF('BEN BIRCH', 0)]],
  [
    'unplaced-contests',
    [
      ...CLEAN,
      ...OTHER_COUNTIES.flatMap(([county, fips]) =>
        TWO.map((row) => ({ ...row, county, fips, office: 'LAKE WARDEN' })),
      ),
    ],
  ],
  ['counties-missing', [...CLEAN, ...TWO.map(asGovernor)]],
];

describe('an audit of a result file', () => {
  test('without a fault finds nothing, and changes nothing', async () => {
    expect(namesOf(await audit(CLEAN))).toEqual([]);
    const { rows } = await database.pool.query('select from races');
    expect(rows).toEqual([]);
  });

  test.each(FAULTS)('finds %s', async (check, rows) => {
    expect(namesOf(await audit(rows))).toContain(check);
  });

  test('with a place that is no county of the state says so, and that each county is without an outcome', async () => {
    const { findings } = await audit([...CLEAN, ...TWO.map((row) => ({ ...row, county: 'QUILLBURY', fips: '' }))]);
    const told = findings.flatMap(({ check, rows }) => rows.map(({ row, problem }) => `${check}: ${row}: ${problem}`));
    expect(told).toContainEqual(
      expect.stringMatching(/^unplaced-contests: COUNTY SHERIFF: QUILLBURY is none of the counties of the state/),
    );
    expect(told).toContainEqual(
      expect.stringMatching(/^counties-missing: COUNTY SHERIFF: rows of a place that is no county of the state/),
    );
  });

  test('names the file, the line and the row, the faults first', async () => {
    const { findings, faults } = await audit([...TWO, SHERIFF('ADA ALDER', 300), ...OF_TWO_SEATS]);
    expect(faults).toBe(1);
    expect(findings[0]).toMatchObject({ check: 'seats-beyond-the-law', severity: 'fault', count: 1 });
    expect(findings[0]?.rows[0]).toMatchObject({ file: 'a.csv', line: 5, row: 'US HOUSE | 001' });
    expect(findings.find(({ check }) => check === 'identical-rows')?.rows).toMatchObject([
      {
        file: 'a.csv',
        line: 4,
        row: expect.stringContaining('COUNTY SHERIFF'),
        problem: expect.stringContaining('300'),
      },
    ]);
  });

  test('shows a file that the importer refuses as a fault', async () => {
    const { findings } = await audit([], 'openelections', 'results.csv');
    expect(findings).toMatchObject([{ check: 'refused', severity: 'fault', rows: [{ file: 'results.csv' }] }]);
  });
});

test('an audit of a manifest audits each import after those before it; what it accepts is a warning', async () => {
  pathOf(fileOf([...TWO, ...OF_TWO_SEATS]), 'seats.csv');
  pathOf(fileOf([...CLEAN, SHERIFF('ADA ALDER', 300)]), 'twice.csv');
  const read = (accept: string) =>
    readManifest(
      pathOf(
        `sources:\n  - {import: medsl, paths: seats.csv${accept}}\n  - {import: medsl, paths: twice.csv}\n`,
        'm.yaml',
      ),
      folder,
      ['seats-beyond-the-law'],
    );
  const of = async (accept: string) => {
    const audit = await auditManifest(database.db, await read(accept), { today: TODAY, most: 10 });
    return audit.findings
      .filter(({ check }) => /seats-beyond|identical/.test(check))
      .map(({ check, severity, rows }) => [check, severity, rows[0]?.file]);
  };
  expect(await of('')).toEqual([
    ['seats-beyond-the-law', 'fault', 'seats.csv'],
    ['identical-rows', 'warning', 'twice.csv'],
  ]);
  expect(await of(', accept: [seats-beyond-the-law]')).toContainEqual(['seats-beyond-the-law', 'warning', 'seats.csv']);
  await expect(read(', accept: [seats-beyond]')).rejects.toThrow(
    /m\.yaml:2: sources\.0\.accept: seats-beyond is not a check that finds faults: seats-beyond-the-law/,
  );
  const { rows } = await database.pool.query('select from races');
  expect(rows).toEqual([]);
});

describe('an import with a fault', () => {
  const importWith = (accepted: readonly string[]) =>
    runImport(database.db, 'medsl', [pathOf(fileOf([...TWO, ...OF_TWO_SEATS]), 'a.csv')], {
      async inspect(imported) {
        rejectFaults(await auditImport(imported, { today: TODAY, most: 20, withSlow: false }), accepted);
      },
    });

  test('writes nothing, and names the check, the file, the row and the option', async () => {
    const error = await importWith(['names-of-no-person']).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FaultsError);
    expect(error).toHaveProperty('exitCode', 65);
    const { message } = error as FaultsError;
    for (const text of ['seats-beyond-the-law', 'a.csv:4', 'US HOUSE', '--accept seats-beyond-the-law'])
      expect(message).toContain(text);
    expect((await database.pool.query('select from races')).rows).toEqual([]);
  });

  test('is written if the check is accepted', async () => {
    await importWith(['seats-beyond-the-law']);
    expect((await database.pool.query('select from races')).rows).toHaveLength(2);
  });
});

describe('contests that are not placed', () => {
  /** Contests of a county that the tests above do not store. */
  const inCounty = (county: string, fips: string) => TWO.map((row) => ({ ...row, county, fips }));

  /** Leaves contests with the source of an import, as the last step of reading tables of results does. */
  const ROWS = `
    ('AA', 'DRAIN COMMISSIONER', null, 700), ('AA', 'Drain  Commissioner', null, 20), ('AA', 'CLERK, "ACTING"', null, 100),
    ('BB', 'DRAIN COMMISSIONER', null, 80), ('AA', 'STATE SENATE', 'no such district', 60)`;
  async function leaveWithSources(): Promise<void> {
    await sql
      .raw(`create function leave_unplaced() returns trigger language plpgsql as $$ begin
        insert into unplaced_contests (source_id, state, date, stage, is_special, party, office, district, county, reason, votes, names)
        select new.id, state, '2022-11-08', 'General', false, '', office, '', '', reason, votes, '[]'
        from (values ${ROWS}) as r(state, office, reason, votes);
        return null; end $$`)
      .execute(database.db);
    await sql`create trigger leave_unplaced after insert or update on sources for each row execute function leave_unplaced()`.execute(
      database.db,
    );
    onTestFinished(async () => {
      await sql`drop function leave_unplaced() cascade`.execute(database.db);
    });
  }

  const OFFICES = [
    { state: 'AA', text: 'DRAIN COMMISSIONER', contests: 2, votes: 720 },
    { state: 'AA', text: 'CLERK, "ACTING"', contests: 1, votes: 100 },
    { state: 'BB', text: 'DRAIN COMMISSIONER', contests: 1, votes: 80 },
  ];
  const PLACEMENT = {
    placed: { contests: 1, votes: 500 },
    unplaced: { contests: 5, votes: 960 },
    offices: OFFICES,
  };

  test('are counted beside what is placed, with the offices that no row declares, and only those of the import', async () => {
    expect((await audit(inCounty('NEW CASTLE', '10003'))).placement).toBeUndefined();
    await leaveWithSources();
    const found = await audit(inCounty('NEW CASTLE', '10003'));
    expect(found.placement).toEqual(PLACEMENT);
    expect(await database.db.selectFrom('unplaced_contests').select('id').execute()).toEqual([]);
    const { id } = await database.db
      .insertInto('sources')
      .values({ name: 'Older tables' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertUnplaced(database.db, id, [CONTEST]);
    expect((await audit(inCounty('NEW CASTLE', '10003'))).placement).toEqual(PLACEMENT);
    await database.db.deleteFrom('sources').where('id', '=', id).execute();
  });

  test('of a manifest are added up', async () => {
    await leaveWithSources();
    pathOf(fileOf(inCounty('NEW CASTLE', '10003')), 'one.csv');
    pathOf(fileOf(inCounty('SUSSEX', '10005')), 'two.csv');
    const text = `sources:\n  - {import: medsl, paths: one.csv}\n  - {import: medsl, paths: two.csv}\n`;
    const steps = await readManifest(pathOf(text, 'unplaced.yaml'), folder, []);
    const { placement } = await auditManifest(database.db, steps, { today: TODAY, most: 100 });
    expect(placement).toEqual({
      placed: { contests: 2, votes: 1_000 },
      unplaced: { contests: 10, votes: 1_920 },
      offices: OFFICES.map((office) => ({ ...office, contests: office.contests * 2, votes: office.votes * 2 })),
    });
  });

  test('have rows to complete, in the columns of offices.csv', () => {
    const rows: Record<string, string>[] = parse(officeRows(OFFICES), { columns: true });
    expect(rows).toHaveLength(3);
    expect(rows[1]).toEqual({
      ...{ scope: '', kind: '', text: 'CLERK, "ACTING"', states: 'AA', name: '', branch: '', seats: '' },
      ...{ division: '', ocd_type: '', source: '' },
    });
    expect(officeRows([])).toBe('scope,kind,text,states,name,branch,seats,division,ocd_type,source\n');
  });

  test('are told with their share of the votes, which is rounded down', () => {
    expect(placedText(PLACEMENT)).toBe('1 of 6 contests placed, 34.2 % of the votes');
    const nearly = { placed: { contests: 9_999, votes: 99_999 }, unplaced: { contests: 1, votes: 1 }, offices: [] };
    expect(placedText(nearly)).toBe('9,999 of 10,000 contests placed, 99.9 % of the votes');
    const none = { placed: { contests: 0, votes: 0 }, unplaced: { contests: 1, votes: 0 }, offices: [] };
    expect(placedText(none)).toBe('0 of 1 contests placed, 0 % of the votes');
  });

  test('are shown with the first 20 rows, and the number of all', () => {
    const offices = Array.from({ length: 25 }, (_, n) => ({ state: 'AA', text: `OFFICE ${n}`, contests: 1, votes: 9 }));
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    printPlacement({ ...PLACEMENT, unplaced: { contests: 26, votes: 960 }, offices });
    const text = write.mock.calls.map(([part]) => String(part)).join('');
    write.mockRestore();
    expect(text).toContain('--rows FILE writes all 25');
    expect(text).toContain('The district of 1 contest is not known');
    expect(text).toContain('\n,,OFFICE 19,AA,,,,,,\n');
    expect(text).not.toContain('OFFICE 20');
  });
});
