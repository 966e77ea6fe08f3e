import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ImportOptions, type ImportSummary, runImport, type SourceName } from '../../src/importers/import.ts';
import { inspections } from '../../src/operate/commands/accepted-faults.ts';
import { useDatabase } from '../support/database.ts';
import { lines } from './feed-stores.ts';
import { fingerprint, folderOf } from './folders.ts';
import { openStatesMember } from './good-sources.ts';

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, persons, sources, record_sources, external_identifiers, import_editions, person_merges,
    newer_maps cascade`.execute(database.db);
});

const ERIE = '20231107__pa__general__erie__precinct.csv';
const ELK = '20231107__pa__general__elk__precinct.csv';
const HEADER = 'county,precinct,office,district,party,candidate,votes';

/** A file of a county: `Sheriff: Ann Roe D 100, Bob Doe R 90`. */
function county(name: string, ...contests: readonly string[]): string {
  const rows = contests.flatMap((contest) => {
    const [office, candidates = ''] = contest.split(': ');
    return candidates.split(', ').map((candidate) => {
      const [, who, party, votes] = /^(.+) ([A-Z]+) (\d+)$/.exec(candidate) ?? [];
      return `${name},A,${office},,${party === 'D' ? 'DEM' : 'REP'},${who},${votes}`;
    });
  });
  return [HEADER, ...rows, ''].join('\n');
}

async function importOf(files: Readonly<Record<string, string>>, options: ImportOptions = {}): Promise<ImportSummary> {
  const inspect = (await inspections())([], false);
  return runImport(database.db, 'openelections', [folderOf(files)], { inspect, ...options });
}

const candidates = () =>
  lines(
    database.db,
    `select concat_ws(' ', e.date, d.name, o.name || ':', p.name, c.votes_for_cand, c.cand_status) as line
     from candidates as c join persons as p on p.id = c.person_id join races as r on r.id = c.race_id
     join elections as e on e.id = r.election_id
     join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id order by 1`,
  );
const ids = async () =>
  new Map(
    (
      await lines(
        database.db,
        "select p.name || ' ' || c.id as line from candidates as c join persons as p on p.id = c.person_id",
      )
    ).map((line) => [line?.replace(/ \d+$/, ''), line]),
  );
const persons = () => lines(database.db, 'select name as line from persons order by 1');
const replaced = ({ report }: ImportSummary) =>
  report.filter(({ kind }) => kind === 'replaced-records').map(({ record, reason }) => `${record}: ${reason}`);

const SHERIFF = 'Sheriff: Ann Roe D 240, Bob Doe R 220';
const CORONER = 'Coroner: Cora Poe D 50, Dan Low R 40';
const LACKS = 'removed: the newer edition of its file does not have it';
const UNUSED = 'removed: nothing refers to it any more';

describe('a newer edition of a file', () => {
  test.each([
    [
      'corrects a name',
      ['Sheriff: Ann Roe D 240, Bob Dow R 220', CORONER],
      ['Bob Dow'],
      [`candidate Bob Doe, Sheriff, Erie County, 2023-11-07 General: ${LACKS}`, `person Bob Doe: ${UNUSED}`],
    ],
    [
      'corrects the name of the winner',
      ['Sheriff: Anna Roebuck D 240, Bob Doe R 220', CORONER],
      ['Anna Roebuck'],
      [`candidate Ann Roe, Sheriff, Erie County, 2023-11-07 General: ${LACKS}`, `person Ann Roe: ${UNUSED}`],
    ],
    ['corrects votes and winner', ['Sheriff: Ann Roe D 240, Bob Doe R 320', CORONER], [], []],
    [
      'lacks a candidate',
      ['Sheriff: Ann Roe D 240', CORONER],
      [],
      [`candidate Bob Doe, Sheriff, Erie County, 2023-11-07 General: ${LACKS}`, `person Bob Doe: ${UNUSED}`],
    ],
    [
      'lacks a race',
      [SHERIFF],
      [],
      [
        `candidate Cora Poe, Coroner, Erie County, 2023-11-07 General: ${LACKS}`,
        `candidate Dan Low, Coroner, Erie County, 2023-11-07 General: ${LACKS}`,
        `race Coroner, Erie County, 2023-11-07 General: ${LACKS}`,
        `person Cora Poe: ${UNUSED}`,
        `person Dan Low: ${UNUSED}`,
        `office Coroner, Erie County: ${UNUSED}`,
      ],
    ],
  ])('that %s replaces the older one, and says what went', async (_, contests, added, expected) => {
    await importOf({ [ERIE]: county('Erie', SHERIFF, CORONER) });
    const before = await ids();
    const summary = await importOf({ [ERIE]: county('Erie', ...contests) });
    expect(replaced(summary)).toEqual(expected);
    const after = await ids();
    expect([...after.keys()].filter((name) => !before.has(name))).toEqual(added);
    for (const [name, id] of after) if (before.has(name)) expect(id).toBe(before.get(name));
    const stored = await candidates();
    const persisted = await persons();
    // The same as if only the newer edition had ever been imported.
    await sql`truncate districts, persons, sources, record_sources, external_identifiers, import_editions cascade`.execute(
      database.db,
    );
    await importOf({ [ERIE]: county('Erie', ...contests) });
    expect(stored).toEqual(await candidates());
    expect(persisted).toEqual(await persons());
  });

  test('replaces what the second one has brought, too', async () => {
    for (const winner of ['Ann Roe', 'Anna Roebuck', 'Ann Roe', 'Annie Roes'])
      await importOf({ [ERIE]: county('Erie', `Sheriff: ${winner} D 240, Bob Doe R 220`) });
    expect(await candidates()).toEqual([
      '2023-11-07 Erie County Sheriff: Annie Roes 240 Won',
      '2023-11-07 Erie County Sheriff: Bob Doe 220 Lost',
    ]);
    await importOf({ [ERIE]: county('Erie', CORONER) });
    expect((await candidates()).filter((line) => line.includes('Sheriff'))).toEqual([]);
  });

  test('changes nothing if it is the same', async () => {
    const files = { [ERIE]: county('Erie', SHERIFF, CORONER, 'Dog Catcher: Eve Fox D 7, Gus Hay R 5') };
    await importOf(files);
    const before = await fingerprint(database.db);
    expect(replaced(await importOf(files))).toEqual([]);
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('is told by a dry run, which changes nothing', async () => {
    await importOf({ [ERIE]: county('Erie', SHERIFF, CORONER) });
    const before = await fingerprint(database.db);
    const summary = await importOf({ [ERIE]: county('Erie', SHERIFF) }, { dryRun: true });
    expect(replaced(summary)).toHaveLength(6);
    expect(summary.files.find(({ file }) => file === 'races.csv')).toMatchObject({ removed: 1, unchanged: 1 });
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('takes back an outcome that it does not prove', async () => {
    await importOf({ [ERIE]: county('Erie', SHERIFF) });
    expect((await candidates()).map((line) => line?.split(' ').at(-1))).toEqual(['Won', 'Lost']);
    await importOf({ [ERIE]: county('Erie', 'Sheriff: Ann Roe D 220, Bob Doe R 220') });
    expect((await candidates()).map((line) => line?.split(' ').at(-1))).toEqual(['220', '220']);
  });

  test('replaces its contests that are not placed, and not those of other files', async () => {
    const unplaced = () =>
      lines(database.db, `select concat_ws(' ', county, office, votes) as line from unplaced_contests order by 1`);
    await importOf({ [ERIE]: county('Erie', 'Dog Catcher: Eve Fox D 7', 'Cat Catcher: Eve Fox D 8') });
    await importOf({ [ELK]: county('Elk', 'Dog Catcher: Gus Hay D 5') });
    expect(await unplaced()).toEqual(['Elk Dog Catcher 5', 'Erie Cat Catcher 8', 'Erie Dog Catcher 7']);
    await importOf({ [ERIE]: county('Erie', 'Dog Catcher: Eve Fox D 6') });
    expect(await unplaced()).toEqual(['Elk Dog Catcher 5', 'Erie Dog Catcher 6']);
  });
});

describe('files with other names', () => {
  test('of the counties of a state, imported one after the other, do not remove each other', async () => {
    await importOf({ [ERIE]: county('Erie', SHERIFF) });
    expect(replaced(await importOf({ [ELK]: county('Elk', SHERIFF) }))).toEqual([]);
    expect(await candidates()).toHaveLength(4);
    expect(replaced(await importOf({ [ERIE]: county('Erie', CORONER) }))).toContain(
      `race Sheriff, Erie County, 2023-11-07 General: ${LACKS}`,
    );
    expect(await candidates()).toEqual([
      '2023-11-07 Elk County Sheriff: Ann Roe 240 Won',
      '2023-11-07 Elk County Sheriff: Bob Doe 220 Lost',
      '2023-11-07 Erie County Coroner: Cora Poe 50 Won',
      '2023-11-07 Erie County Coroner: Dan Low 40 Lost',
    ]);
  });

  test('keep a candidate whom they have too, also if they were imported together', async () => {
    const state = 'Attorney General: Eve Fox D 70, Gus Hay R 50';
    await importOf({ [ERIE]: county('Erie', state), [ELK]: county('Elk', state) });
    const summary = await importOf({ [ERIE]: county('Erie', 'Attorney General: Eve Fox D 70', SHERIFF) });
    expect(replaced(summary)).toEqual([]);
    expect((await candidates()).join('\n')).toContain('Gus Hay');
  });
});

test('a record that another source has too stays, and the report says it', async () => {
  const HEAD =
    'precinct,office,party_detailed,party_simplified,mode,votes,county_name,county_fips,jurisdiction_name,jurisdiction_fips,' +
    'candidate,district,magnitude,dataverse,year,stage,state,special,writein,state_po,state_fips,state_cen,state_ic,date,readme_check';
  const row = (name: string, votes: number) =>
    `A,SHERIFF,DEMOCRAT,DEMOCRAT,TOTAL,${votes},ERIE,42049,ERIE,42049,${name},,1,LOCAL,2023,GEN,PENNSYLVANIA,FALSE,FALSE,PA,42,23,14,2023-11-07,FALSE`;
  const folder = folderOf({ '2023-pa.csv': [HEAD, row('ANN ROE', 240), row('BOB DOE', 220), ''].join('\n') });
  await runImport(database.db, 'medsl', [folder]);
  await importOf({ [ERIE]: county('Erie', SHERIFF) });
  const summary = await importOf({ [ERIE]: county('Erie', 'Sheriff: Ann Roe D 240') });
  expect(replaced(summary)).toEqual([
    'candidate Bob Doe, Sheriff, Erie County, 2023-11-07 General: the newer edition of its file does not have it; it stays: it is of MEDSL precinct results too',
  ]);
  expect(await candidates()).toHaveLength(2);
  expect(
    await lines(
      database.db,
      `select distinct o.name as line from record_sources as r join sources as o on o.id = r.source_id
       join candidates as c on c.id = r.record_id join persons as p on p.id = c.person_id
       where r.kind = 'candidate' and p.name = 'Bob Doe'`,
    ),
  ).toEqual(['MEDSL precinct results']);
});

test('a file of which a row fits several records, and is left out, removes nothing', async () => {
  await importOf({ [ERIE]: county('Erie', SHERIFF, CORONER) });
  // A second candidate of the name makes that of the file ambiguous.
  await sql`insert into persons (id, name) values (7, 'Bob Doe')`.execute(database.db);
  await sql`insert into candidates (id, race_id, person_id)
    select 8, r.id, 7 from races as r join offices as o on o.id = r.office_id where o.name = 'Sheriff'`.execute(
    database.db,
  );
  await sql`delete from external_identifiers where kind in ('candidate', 'person')`.execute(database.db);
  const summary = await runImport(database.db, 'openelections', [folderOf({ [ERIE]: county('Erie', SHERIFF) })]);
  expect(summary.report.map(({ reason }) => reason).join('\n')).toContain('matches more than one candidate');
  expect(replaced(summary)).toEqual([]);
  expect((await candidates()).join('\n')).toContain('Cora Poe');
});

test.each([
  ['20231106__pa__general__erie__precinct.csv', 1],
  ['20231030__pa__general__erie__precinct.csv', 0],
  ['20231106__pa__general__elk__precinct.csv', 0],
])(
  'the same contests in %s are reported %i times, with the command that withdraws the other day',
  async (first, times) => {
    await importOf({ [first]: county(first.includes('elk') ? 'Elk' : 'Erie', SHERIFF) });
    const { report } = await importOf({ [ERIE]: county('Erie', SHERIFF) });
    const reasons = report.filter(({ kind }) => kind === 'another-day').map(({ reason }) => reason);
    expect(reasons).toHaveLength(times);
    for (const reason of reasons)
      expect(reason).toContain('npm run withdraw -- openelections --state PA --date 2023-11-06');
  },
);

const FIXTURES = join(import.meta.dirname, '../fixtures/import');

test('a newer feed removes what it lacks, and an older one is refused', async () => {
  const text = readFileSync(join(FIXTURES, 'feeds/vip.xml'), 'utf8');
  const lacking = text.replace(/<BallotMeasureContest[\s\S]*?<\/BallotMeasureContest>/, '');
  const on = (day: string, content: string) => folderOf({ 'vip.xml': content.replace('2022-10-01T', `${day}T`) });
  const measures = () => lines(database.db, 'select name as line from ballot_measures');
  await runImport(database.db, 'vip', [on('2022-10-02', text)]);
  const all = await measures();
  expect(all.length).toBeGreaterThan(0);
  await expect(runImport(database.db, 'vip', [on('2022-10-01', lacking)])).rejects.toThrow(
    'vip.xml: the feed of 2022-10-02 is there: import feeds the oldest first',
  );
  expect(await measures()).toEqual(all);
  const summary = await runImport(database.db, 'vip', [on('2022-10-03', lacking)]);
  expect(replaced(summary)).toEqual([expect.stringMatching(/^ballot measure .*: removed: the newer edition/)]);
  expect(await measures()).toHaveLength(all.length - 1);
});

test('a ranked-choice report of another contest with the same file name removes nothing', async () => {
  const report = JSON.parse(readFileSync(join(FIXTURES, 'ranked-vote/report.json'), 'utf8'));
  const other = structuredClone(report);
  other.info.officeName = 'Congressional District 1';
  const folder = (content: object) => folderOf({ 'report.json': JSON.stringify(content) });
  const ranked: SourceName = 'ranked-vote';
  await runImport(database.db, ranked, [folder(report)]);
  const count = (await candidates()).length;
  expect(replaced(await runImport(database.db, ranked, [folder(other)]))).toEqual([]);
  expect(await candidates()).toHaveLength(2 * count);
  const renamed = structuredClone(report);
  renamed.candidates[0].name = 'Zelda Zimmer';
  const summary = await runImport(database.db, ranked, [folder(renamed)]);
  expect(replaced(summary).filter((line) => line.startsWith('candidate'))).toHaveLength(1);
  expect(await candidates()).toHaveLength(2 * count);
});

describe('the picture of a person', () => {
  const edition = (asOf: string, image: string | null) =>
    runImport(
      database.db,
      'openstates-people',
      [
        folderOf({
          'ada.yml': openStatesMember('Ada Ash', 1).replace(/^image: .*$/m, image === null ? '' : `image: ${image}`),
        }),
      ],
      { asOf },
    );
  const pictures = () => lines(database.db, "select coalesce(image_url, 'none') as line from persons order by name");
  const [OLD, NEW] = ['https://pictures.example/old.jpg', 'https://pictures.example/new.jpg'];

  test.each([
    [
      'is that of the newer edition',
      [
        ['2024-01-15', OLD],
        ['2025-01-15', NEW],
      ],
      NEW,
    ],
    [
      'is that of the newer edition, imported first',
      [
        ['2025-01-15', NEW],
        ['2024-01-15', OLD],
      ],
      NEW,
    ],
    [
      'is that of a corrected edition of the same day',
      [
        ['2024-01-15', OLD],
        ['2024-01-15', NEW],
      ],
      NEW,
    ],
    [
      'comes with a newer edition',
      [
        ['2024-01-15', null],
        ['2025-01-15', NEW],
      ],
      NEW,
    ],
    [
      'stays when a newer edition states none',
      [
        ['2024-01-15', OLD],
        ['2025-01-15', null],
      ],
      OLD,
    ],
    [
      'comes from an older edition when the newer one states none',
      [
        ['2025-01-15', null],
        ['2024-01-15', OLD],
      ],
      OLD,
    ],
  ] as const)('%s', async (_, editions, picture) => {
    for (const [asOf, image] of editions) await edition(asOf, image);
    expect(await pictures()).toEqual([picture]);
  });

  test.each(['first', 'last'])('is that of the newer edition for a candidate whose results came %s', async (when) => {
    const contest = county('Addison', 'State Senate: Ada Ash D 240, Bob Doe R 220');
    const results = () =>
      importOf({ '20221108__vt__general.csv': contest.replaceAll('State Senate,', 'State Senate,Addison') });
    if (when === 'first') await results();
    await edition('2024-01-15', OLD);
    if (when === 'last') await results();
    expect(await pictures()).toEqual([OLD, 'none']);
    await edition('2025-01-15', NEW);
    expect(await pictures()).toEqual([NEW, 'none']);
  });
});
