import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ImportError, runImport, type SourceName } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'import');
const SOURCES: [SourceName, string][] = [
  ['medsl', join(FIXTURES, 'medsl', 'contests.csv')],
  ['openelections', join(FIXTURES, 'openelections')],
  ['ranked-vote', join(FIXTURES, 'ranked-vote')],
];

async function candidates(db: ReturnType<typeof useDatabase>['db']) {
  const { rows } = await sql<Record<string, unknown>>`
    select o.name as office, d.name as district, r.type, p.name, c.votes_for_cand as votes, c.cand_status as status,
      c.is_write_in, (select array_agg(x.votes_for order by x.round) from ranked_choice_rounds as x where x.candidate_id = c.id) as rounds
    from candidates as c join persons as p on p.id = c.person_id join races as r on r.id = c.race_id
    join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id
    order by o.name, d.name, p.name collate "C"`.execute(db);
  return rows;
}

describe('precinct results', () => {
  const database = useDatabase();

  test('are summed over precincts and modes; a hidden count is null and an empty name is not a candidate', async () => {
    const { report } = await runImport(database.db, 'medsl', [SOURCES[0]?.[1] ?? '']);
    const rows = await candidates(database.db);
    const of = (name: string) => rows.find((row) => row.name === name);
    expect(of('Ada B. Lovelace')).toMatchObject({ votes: 22, district: 'Maine District 2' });
    expect(of('Katherine Johnson')).toMatchObject({ votes: null, status: null });
    expect(of('Mary Jackson')).toMatchObject({
      type: 'Special',
      district: 'Maine House of Representatives District 4',
    });
    expect(of('Alan Turing')).toMatchObject({ office: 'Sheriff', district: 'York County', status: 'Won' });
    expect(of('John Doe')).toMatchObject({ is_write_in: true, status: 'Lost' });
    expect(of('Blank')).toBeUndefined();
    const reasons = report.map(({ record, reason }) => `${record}: ${reason}`).join('\n');
    expect(reasons).toContain('BLANK 4');
    expect(of('Dorothy Vaughan')).toMatchObject({ office: 'County Commissioner', district: 'York County', votes: 9 });
    expect(reasons).toMatch(/Katherine Johnson: counts are hidden or blank; those that are shown add up to 3/);
  });

  test('that are truncated, or not text, are rejected with file and line, and nothing changes', async () => {
    const before = await candidates(database.db);
    const folder = mkdtempSync(join(tmpdir(), 'medsl-'));
    const path = join(folder, 'bad.csv');
    writeFileSync(path, 'precinct,office\nA,GOVERNOR\n');
    await expect(runImport(database.db, 'medsl', [path])).rejects.toThrow(/bad\.csv:1: the column state_po, .*missing/);
    const good = readFileSync(SOURCES[0]?.[1] ?? '', 'utf8');
    writeFileSync(path, Buffer.from(good.replace('GRACE', 'GR\xc4CE'), 'latin1'));
    await expect(runImport(database.db, 'medsl', [path])).rejects.toThrow(ImportError);
    expect(await candidates(database.db)).toEqual(before);
  });
});

describe.each([
  ['as listed', SOURCES],
  ['backwards', SOURCES.toReversed()],
])('three sources of one race, %s', (_, sources) => {
  const database = useDatabase();

  test('form one race, whose votes are the sum of its rounds, and importing them again changes nothing', async () => {
    const reports = [];
    for (const [source, path] of sources) reports.push(await runImport(database.db, source, [path]));
    const race = (await candidates(database.db)).filter(({ district }) => district === 'Maine District 2');
    expect(race).toHaveLength(2);
    expect(race.find(({ name }) => String(name).startsWith('Ada'))).toMatchObject({
      votes: 40,
      rounds: [22, 18],
      status: 'Won',
    });
    expect(race.find(({ name }) => name === 'Grace Hopper')).toMatchObject({
      votes: 31,
      rounds: [30, 1],
      status: 'Lost',
    });
    const reasons = reports.flatMap(({ report }) => report.map(({ record }) => record));
    expect(reasons.filter((record) => record.includes('Gracie Hooper'))).toHaveLength(1);
    for (const [source, path] of sources) {
      const { files } = await runImport(database.db, source, [path]);
      for (const { inserted, updated, removed } of files)
        expect({ inserted, updated, removed }).toEqual({ inserted: 0, updated: 0, removed: 0 });
    }
  });
});
