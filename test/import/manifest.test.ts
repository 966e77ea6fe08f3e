import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { ImportError } from '../../src/importers/import.ts';
import { readManifest } from '../../src/importers/manifest.ts';
import { type DoneStep, ManifestError, runManifest } from '../../src/importers/run-manifest.ts';
import { runCommand, startProcess } from '../service/support/process.ts';
import { useDatabase } from '../support/database.ts';
import { counts, fingerprint, folderOf } from './folders.ts';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURES = join(ROOT, 'test/fixtures/import');

/** Writes a manifest with this text into a new folder. */
const fileWith = (text: string) => join(folderOf({ 'manifest.yaml': text, 'there.csv': '' }), 'manifest.yaml');

describe('a manifest', () => {
  test('lists sources with the options of the command line; its paths are relative to the data folder', async () => {
    const file = fileWith(`
sources:
  - import: us-atlas
    at-large: true
  - {import: congress-legislators, paths: congress/2026-06-15, as-of: 2026-06-16}
  - import: districts-geojson
    paths: [congress, import]
    from: 2023-01-03
    type: Special District
    properties: {name: TITLE, geoid: CODE}
  - {import: exchange format, paths: ./}
`);
    const fixtures = join(ROOT, 'test/fixtures');
    const { name, steps } = await readManifest(file, fixtures);
    expect(name).toBe('manifest.yaml');
    expect(JSON.parse(JSON.stringify(steps))).toEqual([
      { source: 'us-atlas', title: 'us-atlas', paths: [], options: { atLarge: true } },
      {
        source: 'congress-legislators',
        title: 'congress-legislators congress/2026-06-15',
        paths: [join(fixtures, 'congress/2026-06-15')],
        options: { asOf: '2026-06-16' },
      },
      {
        source: 'districts-geojson',
        title: 'districts-geojson congress',
        paths: [join(fixtures, 'congress'), join(fixtures, 'import')],
        options: { from: '2023-01-03', type: 'Special District', properties: { name: 'TITLE', geoid: 'CODE' } },
      },
      { source: 'exchange format', title: 'exchange format ./', paths: [dirname(file)], options: {} },
    ]);
  });

  test.each<[what: string, text: string, problems: RegExp[]]>([
    ['no YAML', 'sources: [', [/manifest\.yaml:1: is not YAML/]],
    ['a key twice', 'sources: []\nsources: []', [/manifest\.yaml:2: is not YAML: DUPLICATE_KEY/]],
    ['another document', '- a', [/:1: the manifest: must be a mapping with the list sources/]],
    ['nothing', '', [/:1: the manifest: must be a mapping with the list sources/]],
    ['no list', 'sources: x', [/:1: sources: must be a list of sources/]],
    ['an empty list', 'sources: []', [/:1: sources: is empty/]],
    ['an unknown key', 'sources: [import: us-atlas]\nsource: x', [/:2: source: is not a valid key here/]],
    ['a text in place of a source', 'sources:\n  - medsl', [/:2: sources\.0: must be a source, as in \{import: medsl/]],
    ['an unknown source', 'sources:\n  - import: moon', [/:2: sources\.0\.import: must be one of: us-atlas, /]],
    ['no source', 'sources:\n  - paths: there.csv', [/:2: sources\.0\.import: must be one of: us-atlas, /]],
    ['no paths', 'sources:\n  - import: medsl', [/:2: sources\.0\.import: medsl needs paths/]],
    [
      'two folders in the exchange format, and an option',
      'sources:\n  - import: exchange format\n    paths: [., .]\n    from: 2020-01-01',
      [/:3: sources\.0\.paths: exchange format has one folder/, /:4: sources\.0\.from: is an option of us-atlas/],
    ],
    [
      'a path that does not exist',
      'sources:\n  - import: medsl\n    paths:\n      - there.csv\n      - gone.csv',
      [/:4: sources\.0\.paths: there is no \/.*\/gone\.csv/],
    ],
    [
      'a number in place of a path',
      'sources:\n  - {import: medsl, paths: 5}',
      [/:2: sources\.0\.paths: must be a path or a list/],
    ],
    [
      'an option of another source',
      'sources:\n  - {import: medsl, paths: there.csv, from: 2020-01-01}\n  - {import: us-atlas, as-of: 2020-01-01}',
      [
        /:2: sources\.0\.from: is an option of us-atlas, districts-geojson, .*not of medsl; medsl has --date, --state, --office-map, --precincts, --keep-going/,
        /:3: sources\.1\.as-of: is an option of congress-legislators, .*not of us-atlas; us-atlas has --from, --to, /,
      ],
    ],
    [
      'an unknown option',
      'sources:\n  - import: us-atlas\n    when: 2020-01-01',
      [/:3: sources\.0\.when: is not a valid key here/],
    ],
    [
      'several invalid options, all reported',
      `sources:
  - import: districts-geojson
    paths: there.csv
    from: 2023-02-30
    type: Moon
    preset: moon
    precise: 'yes'
    properties: {colour: X}`,
      [
        /:4: sources\.0\.from: must be an existing day/,
        /:5: sources\.0\.type: must be one of: Country, /,
        /:6: sources\.0\.preset: must be one of: congress-113, /,
        /:7: sources\.0\.precise: must be true or false/,
        /:8: sources\.0\.properties\.colour: is not a valid key here/,
      ],
    ],
    [
      'boundaries of no period',
      'sources:\n  - {import: districts-geojson, paths: there.csv, type: County}',
      [/:2: sources\.0\.import: districts-geojson needs from, the first day of the boundaries, or preset/],
    ],
    ['an alias', 'sources: &a [*a]', [/:1: the manifest: has an alias/]],
  ])('with %s is rejected, with line and key', async (_, text, problems) => {
    const error = await readManifest(fileWith(text)).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ImportError);
    const lines = (error as ImportError).message.split('\n');
    expect(lines).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  });
});

describe('the imports of a manifest', () => {
  const database = useDatabase();
  beforeEach(async () => {
    await sql`truncate districts, persons, sources, record_sources, external_identifiers cascade`.execute(database.db);
  });

  const MANIFEST = `
sources:
  - {import: medsl, paths: medsl/contests.csv}
  - {import: openelections, paths: openelections}
  - {import: ranked-vote, paths: ranked-vote}
`;
  const changes = (done: readonly DoneStep[]) =>
    done.map(({ summary }) =>
      summary.files.map(({ inserted, updated, removed }) => inserted + updated + removed).reduce((a, b) => a + b),
    );
  const columns = (done: readonly DoneStep[]) => done.map(({ summary }) => counts(summary));
  const run = (args: string[]) => runCommand(['import', ...args], { ...database.environment });

  test('run one after the other; a dry run counts the same and changes nothing, and neither does a second run', async () => {
    const manifest = await readManifest(fileWith(MANIFEST), FIXTURES);
    const empty = await fingerprint(database.db);
    const dry = await runManifest(database.db, manifest, { dryRun: true });
    expect(await fingerprint(database.db)).toEqual(empty);
    const done = await runManifest(database.db, manifest);
    expect(columns(dry)).toEqual(columns(done));
    expect(done.map(({ step, summary }) => [step.source, summary.dryRun])).toEqual([
      ['medsl', false],
      ['openelections', false],
      ['ranked-vote', false],
    ]);
    // All three share one race: the later sources match the records of the first.
    expect(counts(done[2]?.summary ?? { files: [], warnings: [], seconds: 0, dryRun: false })['races.csv']).toEqual([
      0, 0, 1, 0,
    ]);
    const full = await fingerprint(database.db);
    expect(changes(await runManifest(database.db, manifest))).toEqual([0, 0, 0]);
    expect(await fingerprint(database.db)).toEqual(full);
  });

  test('load a folder in the exchange format after a source', async () => {
    const folder = folderOf({
      'manifest.yaml': `sources:\n  - {import: medsl, paths: ${join(FIXTURES, 'medsl/contests.csv')}}\n  - {import: exchange format, paths: more}`,
      'more/parties.csv': 'id,name\n77,Tea\n',
    });
    const manifest = await readManifest(join(folder, 'manifest.yaml'), FIXTURES);
    const done = await runManifest(database.db, manifest);
    expect(done.map(({ summary }) => counts(summary)['parties.csv'])[1]).toEqual([1, 0, 0, 0]);
    expect(changes(await runManifest(database.db, manifest))).toEqual([0, 0]);
  });

  test('join the persons of a folder in the exchange format, as an import does', async () => {
    const office = {
      'districts.csv': 'id,type,name,state\n1,State,Maine,ME\n',
      'offices.csv': 'id,district_id,name,level,branch\n1,1,Governor,State,Executive\n',
    };
    const files = {
      'holders/officeholders.csv': 'id,office_id,person_id,status,start_date\n1,1,1,Current,2019-01-02\n',
      'holders/persons.csv': 'id,name,first_name,last_name\n1,Ada Lovelace,Ada,Lovelace\n',
      'results/persons.csv': 'id,name,first_name,last_name\n2,Ada B. Lovelace,Ada,Lovelace\n',
      'results/elections.csv': 'id,date,type,district_id,candidate_lists_complete\n1,2018-11-06,General,1,false\n',
      'results/races.csv': 'id,election_id,office_id,year,type,stage_type\n1,1,1,2018,Regular,General\n',
      'results/candidates.csv': 'id,race_id,person_id,cand_status\n1,1,2,Won\n',
      'manifest.yaml': `sources:\n  - {import: exchange format, paths: holders}\n  - {import: exchange format, paths: results}`,
    };
    const shared = ['holders', 'results'].flatMap((part) =>
      Object.entries(office).map(([name, text]) => [`${part}/${name}`, text]),
    );
    const manifest = await readManifest(join(folderOf({ ...files, ...Object.fromEntries(shared) }), 'manifest.yaml'));
    const [, results] = await runManifest(database.db, manifest);
    expect(results?.summary.joins.map(({ person, merged }) => [person.id, merged.id])).toEqual([[1, 2]]);
    const candidacies = () => database.db.selectFrom('candidates').select(['id', 'person_id']).execute();
    expect(await candidacies()).toEqual([{ id: 1, person_id: 1 }]);
    await runManifest(database.db, manifest);
    expect(await candidacies()).toEqual([{ id: 1, person_id: 1 }]);
  });

  test.each(['four-states', 'fourteen-states'])('of %s have a folder that can be loaded, and again', async (name) => {
    const paths = `paths: ${join(ROOT, 'db/maineballot', name)}`;
    expect(readFileSync(join(ROOT, `db/${name}.yaml`), 'utf8')).toContain(`paths: maineballot/${name}\n`);
    const manifest = await readManifest(fileWith(`sources:\n  - {import: exchange format, ${paths}}`));
    const [done] = await runManifest(database.db, manifest);
    expect(counts(done?.summary as never)['ballot_measures.csv']?.[0]).toBe(name === 'four-states' ? 19 : 39);
    expect(done?.summary.report).toEqual([]);
    expect(changes(await runManifest(database.db, manifest))).toEqual([0]);
  });

  test('stop at a failure; earlier ones remain, and running the manifest again continues', async () => {
    const good = readFileSync(join(FIXTURES, 'openelections/20181106__me__general__town.csv'), 'utf8');
    const folder = folderOf({
      'medsl/contests.csv': readFileSync(join(FIXTURES, 'medsl/contests.csv')),
      'openelections/20181106__me__general__town.csv': good
        .replace('candidate', 'person')
        .replaceAll(/,\d+$/gm, ',x')
        .replace('votes', 'ballots'),
      'ranked-vote/report.json': readFileSync(join(FIXTURES, 'ranked-vote/report.json')),
      'manifest.yaml': MANIFEST,
    });
    const manifest = await readManifest(join(folder, 'manifest.yaml'));
    const error = await runManifest(database.db, manifest).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ManifestError);
    const { message, done, exitCode } = error as ManifestError;
    expect(message).toMatch(
      /^openelections openelections: 20181106__me__general__town\.csv:1: the column candidate, votes is missing/,
    );
    expect([done.length, exitCode]).toEqual([1, 65]);
    const again = await runManifest(database.db, await readManifest(fileWith(MANIFEST), FIXTURES));
    expect(changes(again).map((count) => count > 0)).toEqual([false, false, true]);
  });

  test('are reported as a table, with skipped records by reason, and the report contains the source of each', async () => {
    const report = join(folderOf({}), 'report.csv');
    const { code, stdout, stderr } = await run([
      '--manifest',
      fileWith(MANIFEST),
      '--data',
      FIXTURES,
      '--report',
      report,
    ]);
    expect([code, stderr.split('\n').filter((line) => / of 3: /.test(line))]).toEqual([
      0,
      ['1 of 3: medsl medsl/contests.csv', '2 of 3: openelections openelections', '3 of 3: ranked-vote ranked-vote'],
    ]);
    expect(stdout).toMatch(/^source +seconds +inserted +updated +unchanged +removed +skipped +joined$/m);
    expect(stdout).toMatch(/^medsl medsl\/contests\.csv +\d+\.\d +\d+ +0 +\d+ +0 +5 +0$/m);
    expect(stdout).toMatch(/^medsl medsl\/contests\.csv +\d+ +not attributed to a candidate$/m);
    expect(stdout).toMatch(
      /^medsl medsl\/contests\.csv +3 +counties that vote on it are missing, or nothing shows that none is/m,
    );
    expect(stdout).toMatch(/^Done in \d+\.\d s$/m);
    expect(readFileSync(report, 'utf8')).toMatch(/^source,record,reason\nmedsl medsl\/contests\.csv,/);
  });

  test('report the completed steps when they stop', async () => {
    const folder = folderOf({
      'medsl/contests.csv': readFileSync(join(FIXTURES, 'medsl/contests.csv')),
      'ranked-vote/report.json': '{',
      'manifest.yaml': 'sources:\n  - {import: medsl, paths: medsl}\n  - {import: ranked-vote, paths: ranked-vote}\n',
    });
    const { code, stdout, stderr } = await run(['--manifest', join(folder, 'manifest.yaml')]);
    expect(code).toBe(65);
    expect(stdout).toMatch(/^medsl medsl +\d/m);
    expect(stdout).toMatch(/^Stopped; running it again goes on in \d/m);
    expect(stderr).toMatch(/^error: ranked-vote ranked-vote: report\.json:\d+: is not JSON, or is cut off/m);
  });

  test('block other imports, also between two of them', async () => {
    const args = ['import', '--manifest', fileWith(MANIFEST), '--data', FIXTURES];
    const first = startProcess('cli', args, { ...database.environment });
    for (; !first.output.stderr.includes('2 of 3: '); await sleep(2)) expect(first.child.exitCode).toBeNull();
    first.child.kill('SIGSTOP');
    const others = await Promise.all([run(['us-atlas']), run(args.slice(1))]);
    first.child.kill('SIGCONT');
    for (const { code, stdout, stderr } of others) {
      expect([code, stdout]).toEqual([75, '']);
      expect(stderr).toMatch(/^error: Another load or import is running on this database/m);
    }
    expect(await first.ended).toMatchObject({ code: 0 });
    expect((await run(['medsl', join(FIXTURES, 'medsl'), '--dry-run'])).code).toBe(0);
  });

  test.each([
    [[]],
    [['us-atlas', '--manifest', 'x.yaml']],
    [['--manifest', 'x.yaml', '--from', '2020-01-01']],
    [['us-atlas', '--data', 'x']],
  ])('cannot be combined with a source: %j', async (args) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: .*manifest/m)]);
  });
});
