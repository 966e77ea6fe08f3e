import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ImportError, runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { candidatesIn, FEEDS, feedWith, lines, sampleFeeds } from './feed-stores.ts';
import { counts, fingerprint, folderOf } from './folders.ts';

const ELECTION = join(FEEDS, 'election.xml');
const HOLDERS = join(FEEDS, 'officeholders.xml');

describe('a feed of an election', () => {
  const database = useDatabase();

  test('imports votes of the whole district, otherwise those of areas of one kind, and no others', async () => {
    const { report } = await runImport(database.db, 'civics-cdf', [ELECTION]);
    expect(await candidatesIn(database.db)).toEqual([
      'U.S. Senate Maine | Maine | Regular | Primary | Republican | Ada Q. Elm | Republican | 22',
      'U.S. Senate Maine | Maine | Regular | Primary | Republican | Bo Birch | Moderate',
      'U.S. Senate Maine | Maine | Regular | Primary | Republican | Cy Cedar | 30',
    ]);
    expect(report.map(({ record, reason }) => `${record}: ${reason}`).sort()).toEqual([
      'election.xml BallotMeasureSelection bs2: votes are hidden for privacy',
      'election.xml CandidateContest cc2: is canceled: it is not held on its day',
      'election.xml CandidateSelection cs2: votes are given for areas of several kinds, which may overlap; they cannot be summed',
      'election.xml GpUnit: 3 skipped: is a place where votes are cast or counted, without elected offices',
    ]);
  });

  test('imports an office of a chamber for each district, and distinguishes special contests and classes of senators', async () => {
    const races = `select concat_ws(' | ', o.name, o.seat, d.name, r.type, r.stage_type, r.results_certified, e.type, e.date) as line
      from races as r join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id
      join elections as e on e.id = r.election_id`;
    expect(await lines(database.db, races)).toEqual([
      'Maine House of Representatives District 5 | Maine House of Representatives District 5 | Special | Primary | Primary | 2020-07-14',
      'Maine House of Representatives District 6 | Maine House of Representatives District 6 | Regular | Primary | Primary | 2020-07-14',
      'U.S. Senate Maine | Class 2 | Maine | Regular | Primary | t | Primary | 2020-07-14',
    ]);
  });

  test('imports a measure with the meaning of yes and no; hidden votes are null', async () => {
    const measures = `select concat_ws(' | ', m.name, d.name, yes_vote, yes_votes_total, coalesce(no_votes_total::text, 'null')) as line
      from ballot_measures as m join districts as d on d.id = m.district_id`;
    expect(await lines(database.db, measures)).toEqual([
      'Jail bond | York County | A YES vote means the jail is built. | 9 | null',
    ]);
  });

  test('leaves out a county without identifiers that its state does not have', async () => {
    const content = readFileSync(ELECTION, 'utf8').replace('>Knox County<', '>Knoxx County<');
    const path = join(folderOf({ 'election.xml': content }), 'election.xml');
    const { report } = await runImport(database.db, 'civics-cdf', [path], { dryRun: true });
    expect(report.map(({ record, reason }) => `${record}: ${reason}`)).toContain(
      'election.xml GpUnit: 1 skipped: Knoxx County is no county of Maine',
    );
  });

  test('changes nothing when it is imported again; a later feed matches its records by their stable ids', async () => {
    const before = await fingerprint(database.db);
    await runImport(database.db, 'civics-cdf', [ELECTION]);
    expect(await fingerprint(database.db)).toEqual(before);
    const later = readFileSync(ELECTION, 'utf8')
      .replaceAll('can1<', 'other1<')
      .replace('objectId="can1"', 'objectId="other1"')
      .replace('<Count>10<', '<Count>11<')
      .replace('2020-07-20', '2020-07-21');
    const summary = await runImport(database.db, 'civics-cdf', [join(folderOf({ 'later.xml': later }), 'later.xml')]);
    expect(counts(summary)['candidates.csv']).toEqual([0, 1, 2, 0]);
    expect((await candidatesIn(database.db))[0]).toMatch(/Ada Q\. Elm \| Republican \| 23$/);
  });
});

describe('a feed of officeholders', () => {
  const database = useDatabase();

  test('imports terms with contacts, in English, and skips officeholders outside the United States', async () => {
    const { report } = await runImport(database.db, 'civics-cdf', [HOLDERS]);
    const terms = `select concat_ws(' | ', o.name, p.name, h.status, h.start_date, h.end_date, y.name) as line
      from officeholders as h join offices as o on o.id = h.office_id join persons as p on p.id = h.person_id
      left join parties as y on y.id = h.partisan_affiliation`;
    expect(await lines(database.db, terms)).toEqual([
      'Governor of Maine | Fay Fir | Current | 2023-01-04 | Green',
      'Governor of Maine | Hal Hazel | Former | 2019-01-02 | 2023-01-04',
      'Maine Treasurer | Gil Gum | Current',
    ]);
    const contacts = `select concat_ws(' | ', p.name, c.officeholder_id is not null, c.collection, c.contact_type, c.contact) as line
      from contacts as c left join officeholders as h on h.id = c.officeholder_id
      join persons as p on p.id = coalesce(c.person_id, h.person_id)`;
    expect(await lines(database.db, contacts)).toEqual([
      'Fay Fir | f | contact | Email | fay@example.com',
      'Fay Fir | f | contact | Website | https://fay.example',
      'Fay Fir | f | social | Twitter | https://x.example/fay',
      'Fay Fir | t | contact | Phone | 207-555-0100',
    ]);
    expect(report.map(({ record, reason }) => `${record}: ${reason}`).sort()).toEqual([
      'officeholders.xml ContactInformation: 1 skipped: is not in English',
      'officeholders.xml GpUnit: 1 skipped: is outside the United States',
      'officeholders.xml Office off2: StartDate: 2023-01 is not a date YYYY-MM-DD and is ignored',
      'officeholders.xml Office: 1 skipped: its district is outside the United States',
      'officeholders.xml Uri: 1 skipped: is a reference work about a person, not a contact',
    ]);
  });

  test('changes nothing when it is imported again', async () => {
    const before = await fingerprint(database.db);
    await runImport(database.db, 'civics-cdf', [HOLDERS]);
    expect(await fingerprint(database.db)).toEqual(before);
  });
});

describe('a feed that says how an election or an office is held', () => {
  const database = useDatabase();

  test.each<[what: string, from: string, to: string, status: string]>([
    ['canceled', '<Type>partisan', '<ElectionDateStatus>canceled</ElectionDateStatus><Type>partisan', 'Cancelled'],
    ['postponed', '<Type>partisan', '<ElectionDateStatus>postponed</ElectionDateStatus><Type>partisan', 'Postponed'],
    ['final counts', '<Status>certified<', '<Status>certified<!-- --><', 'Certified'],
    ['no word about it, after an earlier feed', '<Status>certified<', '<Status>unofficial-partial<', 'Certified'],
  ])('an election: %s', async (_, from, to, status) => {
    await runImport(database.db, 'civics-cdf', [feedWith('election.xml', from, to)]);
    expect(await lines(database.db, 'select status::text as line from elections')).toEqual([status]);
  });

  test.each<[what: string, to: string, status: string]>([
    ['a person who is on leave', '<SeatStatus>on-leave</SeatStatus>', 'On leave'],
    ['a temporary appointment', '<SeatStatus>temporary-appointment</SeatStatus>', 'Appointed'],
    ['a seat that is held as usual', '<SeatStatus>active</SeatStatus>', 'Current'],
  ])('an office: %s', async (_, to, status) => {
    const term = '<Term><StartDate>2023-01-04';
    await runImport(database.db, 'civics-cdf', [feedWith('officeholders.xml', term, to + term)]);
    const query = `select h.status as line from officeholders as h join persons as p on p.id = h.person_id where p.name = 'Fay Fir'`;
    expect(await lines(database.db, query)).toEqual([status]);
  });
});

describe('ambiguous records are reported, and the others imported', () => {
  const database = useDatabase();

  test.each<[what: string, from: string, to: string, reason: RegExp]>([
    [
      'an election that is off',
      '<Type>partisan',
      '<ElectionDateStatus>postponed</ElectionDateStatus><Type>partisan',
      /is postponed/,
    ],
    [
      'a reference to something else',
      '<CandidateIds>can1<',
      '<CandidateIds>per1<',
      /line 20: refers to the candidate per1, which is a <Person>/,
    ],
    ['half a vote', '<Count>7<', '<Count>7.5<', /line 25: Count is not a number of votes/],
    ['votes below zero', '<Count>7<', '<Count>-7<', /line 25: Count is not a number of votes/],
  ])('%s', async (_, from, to, reason) => {
    const { report } = await runImport(database.db, 'civics-cdf', [feedWith('election.xml', from, to)], {
      dryRun: true,
    });
    expect(report.map((entry) => entry.reason).join('\n')).toMatch(reason);
  });

  test.each<[what: string, feed: () => string, problem: RegExp]>([
    [
      'the namespace of the standard itself',
      () =>
        feedWith(
          'election.xml',
          '<ElectionReport ',
          '<ElectionReport xmlns="http://itl.nist.gov/ns/voting/1500-100/v2" ',
        ),
      /election\.xml:2: <ElectionReport> is in the namespace http:\/\/itl\.nist\.gov/,
    ],
    [
      'an election on a day that does not exist',
      () => feedWith('election.xml', '<StartDate>2020-07-14<', '<StartDate>2020-02-30<'),
      /none of its 5 contests can be stored: .* 2020-02-30, is not YYYY-MM-DD/,
    ],
    [
      'an election of a type of its own',
      () => feedWith('election.xml', 'partisan-primary-closed', 'other'),
      /none of its 5 contests can be stored: .* the type \(none\) is not a stage/,
    ],
    ['no issuer', () => feedWith('election.xml', '<Issuer>Example Data</Issuer>', ''), /needs a Issuer/],
    [
      'an id twice',
      () => feedWith('election.xml', 'objectId="ru-h6"', 'objectId="ru-h5"'),
      /the id ru-h5 is already used on line \d+/,
    ],
    [
      'an end tag that is missing',
      () => feedWith('election.xml', '</ContestCollection>', ''),
      /election\.xml:\d+: is not well-formed XML/,
    ],
    [
      'a feed of the Voting Information Project',
      () => join(FEEDS, 'vip.xml'),
      /begins with <VipObject>; a feed begins with <ElectionReport>/,
    ],
  ])('rejected: %s', async (_, feed, problem) => {
    const before = await fingerprint(database.db);
    const error = await runImport(database.db, 'civics-cdf', [feed()]).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(problem);
    expect(await fingerprint(database.db)).toEqual(before);
  });
});

const samples = sampleFeeds('civics-cdf');

describe.skipIf(!samples)('the sample feeds of the format (needs the folder data/feeds/civics-cdf)', () => {
  const database = useDatabase();
  const path = (name: string) => join(samples ?? '', name);

  test.each<[name: string, inserted: Record<string, number>]>([
    ['pre_election_sample_feed.xml', { 'races.csv': 15, 'candidates.csv': 24, 'districts.csv': 11 }],
    ['ballot_measure_contest_sample_feed_with_results.xml', { 'ballot_measures.csv': 1 }],
    ['officeholder_sample_feed.xml', { 'officeholders.csv': 2 }],
  ])('%s is imported, twice with the same result', async (name, expected) => {
    const summary = await runImport(database.db, 'civics-cdf', [path(name)]);
    const inserted = Object.fromEntries(Object.entries(counts(summary)).map(([file, [first]]) => [file, first]));
    expect(inserted).toMatchObject(expected);
    const before = await fingerprint(database.db);
    await runImport(database.db, 'civics-cdf', [path(name)]);
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('results are added to the candidates recorded before the election', async () => {
    const races = 'select count(*)::text as line from races';
    const before = await lines(database.db, races);
    await runImport(database.db, 'civics-cdf', [path('post_election_sample_feed_summary.xml')]);
    expect(await lines(database.db, races)).toEqual(before);
    const governor = (await candidatesIn(database.db)).filter((line) => line.startsWith('Governor'));
    expect(governor.map((line) => line.replace(/^.*General \| /, ''))).toEqual([
      'Ken Cuccinelli | Republican | 14259',
      'Robert Sarvis | Libertarian | 14463',
      'Terry McAuliffe | Democratic | 12453',
    ]);
    const measure = `select yes_votes_total || ' ' || no_votes_total as line from ballot_measures`;
    expect(await lines(database.db, measure)).toEqual(['7551434 4499702']);
  });

  test('one is not XML and is rejected; corrected, its postponed election abroad is reported', async () => {
    const name = 'election_dates_sample_feed.xml';
    await expect(runImport(database.db, 'civics-cdf', [path(name)])).rejects.toThrow(
      `${name}:198: is not well-formed XML`,
    );
    const mended = readFileSync(path(name), 'utf8').replace('v0<<', 'v0<');
    const { report } = await runImport(database.db, 'civics-cdf', [join(folderOf({ [name]: mended }), name)]);
    expect(report.map(({ reason }) => reason).join('\n')).toMatch(/is postponed[\s\S]*outside the United States/);
  });
});
