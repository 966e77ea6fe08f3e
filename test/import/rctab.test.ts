import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { runImport, type SourceName } from '../../src/import/import.ts';
import { useDatabase } from '../support/database.ts';
import { candidatesIn, lines } from './feed-stores.ts';
import { fingerprint, folderOf } from './folders.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/import');
const summaryOf = (name: string) => join(FIXTURES, 'rctab', `${name}.json`);

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, persons, sources, record_sources, external_identifiers cascade`.execute(database.db);
});

const importOf = (source: SourceName, path: string) => runImport(database.db, source, [path]);
const reportOf = async (path: string) =>
  (await importOf('rctab', path)).report.map(({ record, reason }) => `${record}: ${reason}`);
const rounds = () =>
  lines(
    database.db,
    `select concat_ws(' ', p.name, r.round, r.votes_for, r.status) as line from ranked_choice_rounds as r
     join candidates as c on c.id = r.candidate_id join persons as p on p.id = c.person_id`,
  );

describe('a summary of RCTab', () => {
  test('of a primary becomes a race of its party, with the rounds as gains; the winner advances', async () => {
    expect(await reportOf(summaryOf('governor-primary'))).toEqual([]);
    expect(await candidatesIn(database.db)).toEqual([
      'Governor of Maine | Maine | Regular | Primary | Democratic | Dorothy Vaughan | Lost | 20',
      'Governor of Maine | Maine | Regular | Primary | Democratic | Katherine Johnson | Lost | 50',
      'Governor of Maine | Maine | Regular | Primary | Democratic | Mary Jackson | Advanced | 57',
    ]);
    expect(await rounds()).toEqual([
      'Dorothy Vaughan 1 20 Lost',
      'Katherine Johnson 1 50 Advanced',
      'Katherine Johnson 2 0 Lost',
      'Mary Jackson 1 45 Advanced',
      'Mary Jackson 2 12 Won',
    ]);
    const elections = await database.db.selectFrom('elections').select(['date', 'type']).execute();
    expect(elections).toEqual([{ date: '2018-06-12', type: 'Primary' }]);
    const races = await database.db.selectFrom('races').select(['is_ranked_choice', 'number_of_seats']).execute();
    expect(races).toEqual([{ is_ranked_choice: true, number_of_seats: 1 }]);
  });

  test('without votes for a name, or with votes that exist only there, is a separate race', async () => {
    await importOf('rctab', summaryOf('house-2'));
    expect((await rounds()).join()).not.toContain('Write-ins');
  });

  test('that cannot be stored as gains of one winner is skipped and reported', async () => {
    expect(await reportOf(join(FIXTURES, 'rctab'))).toEqual([
      'loses-votes.json: a continuing candidate loses votes between rounds, which the exchange format cannot represent',
      'two-seats.json: 2 are elected: only rounds of contests with one winner can be stored',
    ]);
    expect(await candidatesIn(database.db)).toHaveLength(6);
  });

  test('with fractions of votes is skipped and reported, and the other files of its folder come in', async () => {
    const text = readFileSync(summaryOf('governor-primary'), 'utf8');
    const fractions = text.replace(/"45"/, '"45.25"');
    expect(fractions).not.toBe(text);
    expect(await reportOf(folderOf({ 'board.json': fractions, 'governor.json': text }))).toEqual([
      'board.json: has fractions of votes, which the exchange format cannot represent',
    ]);
    expect(await candidatesIn(database.db)).toHaveLength(3);
  });
});

const RESULTS: [SourceName, string] = ['medsl', join(FIXTURES, 'medsl/contests.csv')];
const SUMMARY: [SourceName, string] = ['rctab', summaryOf('house-2')];

test.each([
  ['after', [RESULTS, SUMMARY]],
  ['before', [SUMMARY, RESULTS]],
] as const)('%s precinct results it is the same race, and all ids remain in any order', async (_, sources) => {
  for (const [source, path] of sources) await importOf(source, path);
  const race = (await candidatesIn(database.db)).filter((line) => line.includes('Maine District 2'));
  expect(race.map((line) => line.replace(/^.* \| General \| /, ''))).toEqual([
    expect.stringMatching(/^Ada (B\. )?Lovelace \| Democratic \| Won \| 40$/),
    'Grace Hopper | Republican | Lost | 31',
  ]);
  expect((await rounds()).map((line) => line.replace(' B.', ''))).toEqual([
    'Ada Lovelace 1 22 Advanced',
    'Ada Lovelace 2 18 Won',
    'Grace Hopper 1 30 Advanced',
    'Grace Hopper 2 1 Lost',
  ]);
  const before = await fingerprint(database.db);
  for (const [source, path] of sources.toReversed()) await importOf(source, path);
  expect(await fingerprint(database.db)).toEqual(before);
});
