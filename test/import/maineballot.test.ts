import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { candidatesIn, lines } from './feed-stores.ts';
import { fingerprint, folderOf } from './folders.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/import/maineballot');

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, persons, sources, record_sources, external_identifiers cascade`.execute(database.db);
});

const importOf = (...paths: string[]) => runImport(database.db, 'maineballot', paths);

describe('maineballot', () => {
  test('imports questions with their wording, the meaning of a vote, and their outcomes', async () => {
    const { report } = await importOf(join(FOLDER, 'november-2020'), join(FOLDER, 'july-2020'));
    expect(report).toEqual([]);
    const measures = await database.db
      .selectFrom('ballot_measures as m')
      .innerJoin('elections as e', 'e.id', 'm.election_id')
      .innerJoin('districts as d', 'd.id', 'm.district_id')
      .select(['e.date', 'e.type as election', 'd.name as district', 'm.name', 'm.type', 'm.status'])
      .select(['m.official_title', 'm.yes_vote', 'm.no_vote'])
      .orderBy('e.date')
      .orderBy('m.name')
      .execute();
    expect(measures).toEqual([
      {
        date: '2020-07-14',
        election: 'Primary',
        district: 'Maine',
        name: 'Question 1: Chowder',
        type: 'Veto referendum',
        status: null,
        official_title: 'Do you want to reject the new law on chowder?',
        yes_vote: null,
        no_vote: null,
      },
      {
        date: '2020-11-03',
        election: 'General',
        district: 'Maine',
        name: 'Question 1: Lighthouses',
        type: 'Bond issue',
        status: 'Approved',
        official_title: 'Do you favor a $1,000,000 bond issue to paint lighthouses?',
        yes_vote: 'I want the State to borrow money and to paint them.',
        no_vote: 'I do not want the State to borrow money.',
      },
      {
        date: '2020-11-03',
        election: 'General',
        district: 'Maine',
        name: 'Question 2: Moose',
        type: 'Citizen initiative',
        status: 'Defeated',
        official_title: 'Do you want to give moose the right of way?',
        yes_vote: null,
        no_vote: null,
      },
    ]);
  });

  test('imports candidates with their links, and reports those with an unknown district', async () => {
    const { report } = await importOf(join(FOLDER, 'candidates-2020-11.csv'));
    expect(await candidatesIn(database.db)).toEqual([
      'County Commissioner | York County Commissioner District 2 | Regular | General | Lise Meitner | Democratic',
      'Maine House of Representatives District 4 | Maine House of Representatives District 4 | Regular | General | Alan Turing',
      'Maine State Senate District 10 | Maine State Senate District 10 | Regular | General | Mary Jackson Jr | Republican',
      'Sheriff | York County | Regular | General | Dorothy Vaughan | Democratic',
      'U.S. Senate Maine | Maine | Regular | General | Ada B. Lovelace | Democratic',
      'U.S. Senate Maine | Maine | Regular | General | Grace Hopper | Republican',
    ]);
    const links = `select concat_ws(' ', p.name, p.url, c.collection, c.contact_type, c.contact) as line
      from persons as p left join contacts as c on c.person_id = p.id where p.url is not null or c.id is not null`;
    expect(await lines(database.db, links)).toEqual([
      'Ada B. Lovelace https://ballotpedia.org/Ada_Lovelace contact Website https://ada.example/',
      'Grace Hopper social Facebook https://www.facebook.com/grace',
    ]);
    const ranked = await database.db
      .selectFrom('races')
      .select('office_id')
      .where('is_ranked_choice', '=', true)
      .execute();
    expect(ranked).toHaveLength(1);
    expect(report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      'candidates-2020-11.csv | County Commissioner | York: line 8: the source does not name the district',
      'candidates-2020-11.csv | Dog Catcher: line 9: the source does not name the county',
    ]);
  });

  test('imports candidates of a primary by party, and skips a month without a known election', async () => {
    const header = 'Office,Dist,County,Party,LastName,FirstName,MiddleName,Suffix,Type\n';
    const list = `${header}United States Senate,,,Democrat,Lovelace,Ada,,,RCV\nUnited States Senate,,,Republican,Hopper,Grace,,,RCV\nUnited States Senate,,,,Turing,Alan,,,RCV\n`;
    const { report } = await importOf(folderOf({ 'candidates-2020-07.csv': list, 'candidates-2020-09.csv': list }));
    expect(await candidatesIn(database.db)).toEqual([
      'U.S. Senate Maine | Maine | Regular | Primary | Democratic | Ada Lovelace | Democratic',
      'U.S. Senate Maine | Maine | Regular | Primary | Republican | Grace Hopper | Republican',
    ]);
    expect(report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      'candidates-2020-07.csv | United States Senate: line 4: the party of the primary is missing',
      'candidates-2020-09.csv: no election of that month is known, so its candidates were skipped',
    ]);
  });

  test('imports a list without the column that marks ranked choice, and state offices', async () => {
    const header = 'Office,Dist,County,Party,LastName,FirstName,MiddleName,Suffix\n';
    await importOf(folderOf({ 'candidates-2020-07.csv': `${header}Governor,,,D,Lovelace,Ada,,\n` }));
    expect(await candidatesIn(database.db)).toContain(
      'Governor of Maine | Maine | Regular | Primary | Democratic | Ada Lovelace | Democratic',
    );
  });

  test('imported again, and in another order, changes nothing', async () => {
    const parts = [join(FOLDER, 'candidates-2020-11.csv'), join(FOLDER, 'november-2020'), join(FOLDER, 'july-2020')];
    for (const part of parts) await importOf(part);
    const before = await fingerprint(database.db);
    for (const part of parts.toReversed()) await importOf(part);
    await importOf(FOLDER);
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test.each<[what: string, file: string, content: string, message: RegExp]>([
    ['a question without a date', 'Q1.mdx', "---\ntitle: 'Q'\ntags: []\n---\n", /^Q1\.mdx: electionDate: /],
    [
      'a day that does not exist',
      'Q1.mdx',
      "---\ntitle: 'Q'\nelectionDate: '2020-02-30'\ntags: []\n---\n",
      /is not a day/,
    ],
    ['a head that is not YAML', 'Q1.mdx', '---\ntitle: "Q\n---\n', /^Q1\.mdx:\d: is not YAML/],
    [
      'a list of another name',
      'people.csv',
      'Office\n',
      /people\.csv: the file name must be like candidates-2020-11\.csv/,
    ],
    [
      'a list without a column',
      'candidates-2020-11.csv',
      'Office,Dist\n',
      /candidates-2020-11\.csv:1: the column County, /,
    ],
  ])('%s is rejected', async (_, name, content, message) => {
    await expect(importOf(folderOf({ [name]: content }))).rejects.toThrow(message);
  });
});
