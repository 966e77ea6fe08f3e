import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { runImport } from '../../src/import/import.ts';
import { useStore } from '../support/store.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const RESULTS = join(process.env.SHARED_DIR ?? join(ROOT, '..', 'shared'), 'data', 'results');
const isThere = existsSync(join(RESULTS, 'medsl')) && hasUnzip();
if (!isThere) process.stderr.write('The real results, or unzip, are absent: the tests on them are skipped.\n');

function hasUnzip(): boolean {
  try {
    execFileSync('unzip', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The sums of a statewide contest in a file, counted apart from the importer. */
function sums(zip: string, office: RegExp, district = /^/): Map<string, number> {
  const text = execFileSync('unzip', ['-p', join(RESULTS, 'medsl', zip)], { maxBuffer: 2 ** 28 }).toString('utf8');
  const found = new Map<string, number>();
  for (const row of parse(text, { columns: true }) as Record<string, string>[]) {
    if (!office.test(row.office ?? '') || !district.test(row.district ?? '')) continue;
    const name = row.candidate ?? '';
    found.set(name, (found.get(name) ?? 0) + Number(row.votes));
  }
  return found;
}

const plain = (name: string) =>
  name
    .toUpperCase()
    .replace(/[^A-Z ]/g, '')
    .replace(/ +/g, ' ')
    .trim();

describe.skipIf(!isThere)('the real results of four states', () => {
  const store = useStore();

  beforeAll(async () => {
    await runImport(store.db, 'openelections', [join(RESULTS, 'openelections')]);
    await runImport(store.db, 'ranked-vote', [join(RESULTS, 'ranked-vote')]);
    await runImport(store.db, 'medsl', [join(RESULTS, 'medsl')]);
  }, 120_000);

  async function votesFor(date: string, state: string, office: string, district?: string) {
    const { rows } = await sql<{ name: string; votes: number; status: string | null; rounds: number[] | null }>`
      select p.name, c.votes_for_cand as votes, c.cand_status as status,
        (select array_agg(x.votes_for order by x.round) from ranked_choice_rounds as x where x.candidate_id = c.id) as rounds
      from elections as e join races as r on r.election_id = e.id join candidates as c on c.race_id = r.id
      join persons as p on p.id = c.person_id join offices as o on o.id = r.office_id
      join districts as d on d.id = o.district_id
      where e.date = ${date}::date and e.type = 'General' and d.state = ${state} and o.name = ${office}
        and (${district ?? null}::text is null or d.ocdid = ${district ?? null})
      order by c.votes_for_cand desc`.execute(store.db);
    return rows;
  }

  test.each([
    ['2018-11-06', 'AK', '2018/2018-ak-precinct-general.zip'],
    ['2018-11-06', 'ME', '2018/2018-me-precinct-general.zip'],
    ['2018-11-06', 'VT', '2018/2018-vt-precinct-general.zip'],
    ['2022-11-08', 'AK', '2022/2022-ak-local-precinct-general.zip'],
    ['2022-11-08', 'ME', '2022/2022-me-local-precinct-general.zip'],
    ['2022-11-08', 'NM', '2022/2022-nm-local-precinct-general.zip'],
    ['2022-11-08', 'VT', '2022/2022-vt-local-precinct-general.zip'],
  ])('governor on %s in %s: the votes are the sums of the source', async (date, state, zip) => {
    const source = new Map([...sums(zip, /^GOVERNOR$/)].map(([name, votes]) => [plain(name), votes]));
    const rows = await votesFor(date, state, 'Governor');
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const { name, votes } of rows) {
      // Two sources spell a name of Maine differently; who came first keeps the spelling.
      if (state !== 'ME' || source.has(plain(name))) expect([name, votes]).toEqual([name, source.get(plain(name))]);
    }
  });

  test('attorney general on 2018-11-06 in New Mexico', async () => {
    const source = sums('2018/2018-nm-precinct-general.zip', /^ATTORNEY GENERAL$/);
    const rows = await votesFor('2018-11-06', 'NM', 'Attorney General');
    expect(new Map(rows.map(({ name, votes }) => [plain(name), votes]))).toEqual(source);
  });

  test("Maine's districts of the Congress in 2018, the second with its rounds", async () => {
    const first = await votesFor('2018-11-06', 'ME', 'U.S. Representative', 'ocd-division/country:us/state:me/cd:1');
    expect(first.map(({ name, votes, status }) => [name, votes, status])).toEqual([
      ['Chellie Pingree', 201_195, 'Won'],
      ['Mark I. Holbrook', 111_188, 'Lost'],
      ['Martin J. Grohman', 29_670, 'Lost'],
    ]);
    const second = await votesFor('2018-11-06', 'ME', 'U.S. Representative', 'ocd-division/country:us/state:me/cd:2');
    expect(second.slice(0, 2).map(({ name, status, rounds }) => [name, status, rounds])).toEqual([
      ['Jared F. Golden', 'Won', [132_013, 10_427]],
      ['Bruce Poliquin', 'Lost', [134_184, 4_747]],
    ]);
    for (const { votes, rounds } of second) expect(rounds?.reduce((a, b) => a + b)).toBe(votes);
  });

  test('measures of New Mexico in 2022 at state, county, city and special-district level, by the sums of the source', async () => {
    const { rows } = await sql<{
      type: string;
      district: string;
      title: string;
      yes: number;
      no: number;
      status: string | null;
    }>`
      select d.type, d.name as district, m.official_title as title, m.yes_votes_total as yes, m.no_votes_total as no, m.status
      from ballot_measures as m join districts as d on d.id = m.district_id where d.state = 'NM'`.execute(store.db);
    expect([...new Set(rows.map(({ type }) => type))].sort()).toEqual([
      'City-town',
      'County',
      'Special District',
      'State',
    ]);
    const zip = '2022/2022-nm-local-precinct-general.zip';
    for (const [district, office, status] of [
      ['New Mexico', /^CONSTITUTIONAL AMENDMENT 1: /, 'Approved'],
      ['Sandoval County', /COURTHOUSE BOND/, 'Defeated'],
      ['Magdalena', /VILLAGE OF MAGDALENA/, null],
      ['Albuquerque Metropolitan Arroyo Flood Control Authority', /FLOOD CONTROL BONDS/, 'Approved'],
    ] as const) {
      const source = sums(zip, office);
      const found = rows.filter((row) => row.district === district && row.yes === source.get('YES'));
      expect(found.map(({ no, status }) => [no, status])).toEqual([[source.get('NO'), status]]);
    }
  }, 120_000);
});
