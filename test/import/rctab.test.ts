import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { runImport, type SourceName } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { candidatesIn, lines } from './feed-stores.ts';
import { fingerprint } from './folders.ts';

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

  test('in which a candidate loses votes without being elected is skipped and reported', async () => {
    expect(await reportOf(join(FIXTURES, 'rctab'))).toEqual([
      'house-2.json: not attributed to a candidate: Undeclared Write-ins 20',
      'loses-votes.json: the votes that round 1 transfers to Curie, Marie are not those of the next round',
      'three-seats.json: not attributed to a candidate: Undeclared Write-ins 4',
      'unknown-office.json: no row of offices.csv declares the office Dog Catcher',
    ]);
    expect(await candidatesIn(database.db)).toHaveLength(12);
  });

  test('of several seats comes in with the surplus that elected candidates transfer, also in fractions', async () => {
    expect(await reportOf(summaryOf('three-seats'))).toEqual([
      'three-seats.json: not attributed to a candidate: Undeclared Write-ins 4',
    ]);
    expect(await rounds()).toEqual(
      [
        'Claude Shannon 1 30 Advanced',
        'Claude Shannon 2 6.3333 Won',
        'Claude Shannon 3 -6.3333 Won',
        'John Backus 1 20 Advanced',
        'John Backus 2 1.6667 Advanced',
        'John Backus 3 6.0001 Won',
        'Alan Turing 1 40 Won',
        'Alan Turing 2 -10 Won',
        'Alan Turing 3 0 Won',
        'Grace Hopper 1 9 Advanced',
        'Grace Hopper 2 1 Advanced',
        'Grace Hopper 3 0.25 Lost',
      ].sort(),
    );
    const races = await database.db.selectFrom('races').select(['number_of_seats']).execute();
    expect(races).toEqual([{ number_of_seats: 3 }]);
    // In whole votes: 30, 27.6668 and 10.25 after the last round.
    expect((await candidatesIn(database.db)).map((line) => line.replace(/^.* \| General \| /, ''))).toEqual([
      expect.stringMatching(/Alan Turing \| Won \| 30$/),
      expect.stringMatching(/Claude Shannon \| Won \| 30$/),
      expect.stringMatching(/Grace Hopper \| Lost \| 10$/),
      expect.stringMatching(/John Backus \| Won \| 28$/),
    ]);
    const before = await fingerprint(database.db);
    await importOf('rctab', summaryOf('three-seats'));
    expect(await fingerprint(database.db)).toEqual(before);
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
