import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HEADER, line } from '../import/result-rows.ts';
import { useDatabase } from '../support/database.ts';
import { useProxy } from '../support/proxy.ts';
import { runCommand } from './support/process.ts';

const database = useDatabase();
const proxy = useProxy(database);
const run = (args: string[], more: Record<string, string> = {}) =>
  runCommand(args, { DATABASE_URL: proxy.url, ...more });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-commands-'));
});
afterAll(() => rm(folder, { recursive: true }));
const districts = async (text: string) => writeFile(join(folder, 'districts.csv'), text);
const names = async () =>
  (await database.db.selectFrom('districts').select('name').orderBy('name').execute()).map(({ name }) => name);

describe('npm run load', () => {
  beforeEach(() => districts('id,type,name,state\n1,State,Vermont,VT\n2,State,Ohio,OH\n'));

  it('counts in a dry run and changes nothing', async () => {
    const { code, stdout } = await run(['load', folder, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^districts\.csv +2 /m);
    expect(stdout).toMatch(/^Dry run, nothing changed in /m);
    expect(await names()).toEqual([]);
  });

  it('loads, then finds nothing to change, then replaces', async () => {
    expect((await run(['load', folder])).stdout).toMatch(/^districts\.csv +2 +0 +0 +0 /m);
    expect((await run(['load', folder])).stdout).toMatch(/^districts\.csv +0 +0 +2 +0 /m);
    await districts('id,type,name,state\n2,State,Ohio,OH\n');
    expect((await run(['load', folder, '--replace'])).stdout).toMatch(/^districts\.csv +0 +0 +1 +1 /m);
    expect(await names()).toEqual(['Ohio']);
  });

  it('resolves the folder against the folder in which npm was called', async () => {
    const { code, stdout } = await run(['load', '.', '--dry-run'], { INIT_CWD: folder });
    expect([code, stdout]).toEqual([0, expect.stringContaining('districts.csv')]);
  });

  it('rejects an invalid dataset with file and line, without a stack, and exits 65', async () => {
    await districts('id,type,name\n1,Moon,x\nx,County,y\n');
    const { code, stdout, stderr } = await run(['load', folder]);
    expect(code).toBe(65);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^ {2}districts\.csv:2: type: /m);
    expect(stderr).toMatch(/^ {2}districts\.csv:3: id: /m);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('npm run load with a fault', () => {
  it('writes nothing, names the check, the file and the row, and is accepted with --accept', async () => {
    await districts('id,type,name,state\n1,State,Vermont,VT\n');
    const files = {
      'persons.csv': 'id,name\n21,Ada Alder\n22,Ben Birch\n',
      'offices.csv': 'id,district_id,name,level,branch\n13,1,Governor,State,Executive\n',
      'elections.csv': 'id,date,type,district_id,candidate_lists_complete\n41,2022-11-08,General,1,true\n',
      'races.csv': 'id,election_id,office_id,year,type,stage_type,number_of_seats\n51,41,13,2022,Regular,General,1\n',
      'candidates.csv': 'id,race_id,person_id,cand_status,votes_for_cand\n61,51,21,Lost,60\n62,51,22,Won,45\n',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    try {
      const refused = await run(['load', folder]);
      expect([refused.code, await names()]).toEqual([65, ['Ohio']]);
      for (const text of ['outcome-against-votes', 'candidates.csv', '--accept outcome-against-votes'])
        expect(refused.stderr).toContain(text);
      expect((await run(['load', folder, '--dry-run'])).code).toBe(1);
      expect((await run(['load', folder, '--dry-run', '--accept', 'outcome-against-votes'])).code).toBe(0);
      expect((await run(['load', folder, '--accept', 'nothing'])).stderr).toContain(
        'the name of a check that finds faults',
      );
    } finally {
      for (const name of Object.keys(files)) await rm(join(folder, name));
    }
  });
});

describe('npm run import', () => {
  it('counts the records of a source, and writes skipped records to the report', async () => {
    const file = join(folder, 'report.csv');
    const { code, stdout } = await run(['import', 'us-atlas', '--dry-run', '--report', file]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^boundaries\.geojsonl +3,\d{3} /m);
    expect(await readFile(file, 'utf8')).toMatch(/^source,record,reason\n/);
  });

  it.each([
    [['import', 'nothing'], 65, /no source nothing.*us-atlas/],
    [['import', 'districts-geojson', 'x.geojson'], 65, /--from/],
    [['import', 'districts-geojson', 'x', '--from', '2020-01-01', '--properties', 'colour=X'], 1, /name, geoid/],
    [['import'], 1, /source/],
    [['import', 'address-points', 'x'], 65, /--preset \(\S+, \S+\), or --fields/],
    [['audit'], 1, /nothing to audit/],
    [['audit', 'x.csv'], 1, /its name with --of.*us-atlas, .*exchange format/],
    [['audit', 'x', '--manifest', 'y'], 1, /not both/],
  ])('%j fails with the reason and exits %d', async (args, exitCode, message) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr.split('\n').filter((line) => line.startsWith('error:'))).toEqual([expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('contests that no row places', () => {
  it('are told at the end of an import, and audit writes the rows that would place them', async () => {
    const sheriff = { office: 'COUNTY SHERIFF', dataverse: 'LOCAL' };
    const votes = [
      { ...sheriff, candidate: 'ADA ALDER', votes: 300 },
      { ...sheriff, candidate: 'BEN BIRCH', votes: 200 },
    ];
    const unplaced = { ...sheriff, office: 'DRAIN COMMISSIONER', candidate: 'CAL CEDAR', votes: 500 };
    const [file, rows] = [join(folder, 'results.csv'), join(folder, 'rows.csv')];
    await writeFile(file, `${[HEADER, ...[...votes, unplaced].map(line)].join('\n')}\n`);
    try {
      const audited = await run(['audit', '--of', 'medsl', file, '--rows', rows]);
      expect(audited.stdout).toContain('1 of 2 contests placed, 50 % of the votes\n');
      const text = 'scope,kind,text,states,name,branch,seats,division,ocd_type,source\n,,DRAIN COMMISSIONER,NE,,,,,,\n';
      expect(audited.stdout).toContain(text);
      expect(await readFile(rows, 'utf8')).toBe(text);
      const json = await run(['audit', '--of', 'medsl', file, '--json']);
      expect(JSON.parse(json.stdout).placement).toEqual({
        placed: { contests: 1, votes: 500 },
        unplaced: { contests: 1, votes: 500 },
        offices: [{ state: 'NE', text: 'DRAIN COMMISSIONER', contests: 1, votes: 500 }],
      });
      const last = (text: string) => text.trimEnd().split('\n').at(-1);
      const sentence = '1 of 2 contests placed, 50 % of the votes; the rows that are missing: npm run audit';
      expect(last((await run(['import', 'medsl', file, '--dry-run'])).stderr)).toBe(
        `${sentence} -- --of medsl ${file}`,
      );
      const manifest = join(folder, 'unplaced.yaml');
      await writeFile(manifest, 'sources:\n  - {import: medsl, paths: results.csv}\n');
      const listed = await run(['import', '--manifest', manifest, '--data', folder]);
      expect(listed.stderr).toContain(`${sentence} -- --manifest ${manifest}`);
      // Without a contest that is not placed, an import says nothing of it.
      await writeFile(file, `${[HEADER, ...votes.map(line)].join('\n')}\n`);
      expect((await run(['import', 'medsl', file])).stderr).not.toContain('contests placed');
    } finally {
      await sql`truncate sources, elections, districts, persons cascade`.execute(database.db);
    }
  }, 180_000);
});

describe('npm run withdraw', () => {
  it('lists what goes and what stays, in a dry run and when it is done, and then says that nothing is there', async () => {
    await sql`truncate districts, sources, record_sources cascade`.execute(database.db);
    const own = await mkdtemp(join(folder, 'withdraw-'));
    await writeFile(join(own, 'districts.csv'), 'id,type,name,state\n1,State,Vermont,VT\n');
    await writeFile(join(own, 'dataset.json'), JSON.stringify({ name: 'Two states' }));
    expect((await run(['load', own])).code).toBe(0);
    const dry = await run(['withdraw', 'Two states', '--state', 'VT', '--dry-run']);
    expect(dry.stdout).toMatch(/^district +1 +Vermont, State, VT +removed$/m);
    expect(dry.stdout).toMatch(/^Dry run, nothing changed/m);
    expect(await names()).toEqual(['Vermont']);
    const wrong = await run(['withdraw', 'Two states', '--state', 'OH']);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('It has VT.')]);
    expect((await run(['withdraw', 'Two states', '--date', 'soon'])).code).toBe(1);
    expect(await run(['withdraw', 'Two states'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Removed: 1 records; 0 stay\.$/m),
    });
    expect(await names()).toEqual([]);
    const again = await run(['withdraw', 'Two states']);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Nothing is there of Two states.')]);
  });
});
