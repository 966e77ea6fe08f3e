import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ImportError, runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { boundary } from '../support/world.ts';
import { candidatesIn, FEEDS, feedWith, lines, sampleFeeds } from './feed-stores.ts';
import { counts, fingerprint, folderOf } from './folders.ts';

const FEED = join(FEEDS, 'vip.xml');

describe('a feed of the Voting Information Project', () => {
  const database = useDatabase();

  test('imports races with candidates, tickets and parties; unsupported records are counted by kind', async () => {
    const { report } = await runImport(database.db, 'vip', [FEED]);
    expect(await candidatesIn(database.db)).toEqual([
      'Governor of Maine | Maine | Regular | General | Cy Cedar | with Dee Dogwood',
      'Justice of the Supreme Court of Maine | Maine | Retention | General | Retention of Eve Ebony | Eve Ebony',
      'U.S. House Maine District 1 | Maine District 1 | Regular | General | Ada Elm | Democratic/Working Families | Won',
      'U.S. House Maine District 1 | Maine District 1 | Regular | General | B. J. "Bo" Birch',
    ]);
    expect(report.map(({ record, reason }) => `${record}: ${reason}`).sort()).toEqual([
      'vip.xml BallotMeasureContest bmc2: its answers "Alfred", "Biddeford" are not a yes and a no; their meaning and votes are omitted',
      'vip.xml Candidate: 1 skipped: is not the first candidate of a ballot selection in an imported contest, like running mates',
      'vip.xml CandidateContest cc2: line 105: refers to the selection cs77, which the feed does not have',
      'vip.xml CandidateContest cc5: NumberElected is missing, and several votes are allowed; the number of seats is unknown',
      'vip.xml CandidateSelection cs4: is a line without a candidate',
      'vip.xml ConStatement: 1 skipped: is an argument, not the effect of a yes or no',
      'vip.xml ElectionAdministration: 1 skipped: has no office with a name and a web address',
      'vip.xml ElectoralDistrict: 1 skipped: districts of the type grange are not supported',
      'vip.xml OfficeIds: 1 skipped: is the second office of a contest, whose race has one',
      'vip.xml Party: 1 skipped: is not a party',
      'vip.xml PartyContest: 1 skipped: voters choose a party; a race needs candidates',
      'vip.xml Person: 1 skipped: neither runs for an imported office nor holds one',
      'vip.xml Text: 1 skipped: is in another language than the imported text',
    ]);
  });

  test('imports places to vote by kind, with their hours and the precincts that vote there', async () => {
    await runImport(database.db, 'vip', [FEED]);
    const places = `select concat_ws(' | ', p.kind, p.name, p.address, p.latitude, p.hours, array_to_string(p.open_intervals, ' '), p.time_zone,
      p.notes, (select string_agg(d.type || ' ' || d.name, ', ' order by d.name) from districts as d where d.id = any(p.district_ids))) as line
      from voting_places as p`;
    const hours =
      '2022-11-01 to 2022-11-02 09:00-12:00; 2022-11-01 to 2022-11-02 13:00-17:00; 2022-11-03 10:00-11:00 by appointment';
    const intervals = [
      ...['2022-11-01T09:00/2022-11-01T12:00', '2022-11-01T13:00/2022-11-01T17:00'],
      ...['2022-11-02T09:00/2022-11-02T12:00', '2022-11-02T13:00/2022-11-02T17:00'],
    ].join(' ');
    const school = `1 School Street | 1 School Street, Alfred, ME 04002 | ${hours} | ${intervals} | Precinct Alfred 1`;
    expect(await lines(database.db, places)).toEqual([
      `Drop box | ${school}`,
      `Early voting | ${school}`,
      'Election day | Town Hall | 16 Saco Road, Alfred, ME 04002 | 43.47 | 07:00-20:00 | 2022-11-08T07:00/2022-11-08T20:00 | Use the back door. | Precinct Alfred 1, Precinct Alfred 2',
    ]);
  });

  test('imports the election offices of the state and its counties, and names the most local one for a point', async () => {
    await runImport(database.db, 'vip', [FEED]);
    const offices = `select concat_ws(' | ', o.name, o.website, o.as_of, d.type, d.name) as line
      from district_election_offices as o join districts as d on d.id = o.district_id`;
    expect(await lines(database.db, offices)).toEqual([
      'Elections Division | https://elections.example/ | 2022-10-01 | State | Maine',
      'York County Clerk | https://york.example/where | 2022-10-01 | County | York County',
    ]);
    const { rows } = await sql<{ id: number; type: string }>`
      select id, type from districts where type in ('State', 'County') and name <> 'Waldo County'`.execute(database.db);
    const idOf = (type: string) => rows.find((row) => row.type === type)?.id ?? 0;
    await boundary(database.db, idOf('State'), ['2000-01-01', null], [-71, 43, -67, 47]);
    await boundary(database.db, idOf('County'), ['2000-01-01', null], [-71, 43, -70, 44]);
    const at = async (longitude: number) => {
      const voting = 'voting(on: "2022-11-08") { notKnown office { name website state source asOf } }';
      const document = `{ location(latitude: 43.5, longitude: ${longitude}) { ${voting} } }`;
      const { data, errors } = await request(database.db, document);
      expect(errors).toBeUndefined();
      return (data?.location as { voting: object } | undefined)?.voting;
    };
    const of = { state: 'ME', source: 'Example Election Office', asOf: '2022-10-01' };
    const unknown = 'The places to vote of this election are not in the data. Ask';
    expect(await at(-70.5)).toEqual({
      office: { ...of, name: 'York County Clerk', website: 'https://york.example/where' },
      notKnown: `${unknown} York County Clerk: https://york.example/where`,
    });
    expect(await at(-69)).toEqual({
      office: { ...of, name: 'Elections Division', website: 'https://elections.example/' },
      notKnown: `${unknown} Elections Division: https://elections.example/`,
    });
  });

  test('imports an office that no rule names with its name', async () => {
    await runImport(database.db, 'vip', [FEED]);
    const offices = `select concat_ws(' | ', name, level, branch) as line from offices where name ~ 'Bell'`;
    expect(await lines(database.db, offices)).toEqual(['Keeper of the Bell | Local | Executive']);
  });

  test('imports seats, ranked choice, the type of a race, level and branch', async () => {
    const races = `select concat_ws(' | ', o.name, o.level, o.branch, o.chamber, d.type, r.type, r.number_of_seats,
      r.is_ranked_choice) as line
      from races as r join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id`;
    expect(await lines(database.db, races)).toEqual([
      'City Council | Local | Legislative | City-town subdivision | Regular | 2',
      'Governor of Maine | State | Executive | State | Regular | 1',
      'Justice of the Supreme Court of Maine | State | Judicial | State | Retention | 1',
      // NumberElected is missing.
      'School Board | Local | Legislative | City-town subdivision | Regular',
      'Sheriff | Local | Executive | County | Special | 1',
      'U.S. House Maine District 1 | Federal | Legislative | Lower | Congress | Regular | 1 | t',
    ]);
  });

  test('imports districts by OCD id and county code, persons with FEC id and contacts, and questions', async () => {
    const districts = `select concat_ws(' | ', type, name, state, ocdid, geo_id) as line from districts`;
    expect(await lines(database.db, districts)).toEqual([
      'City-town subdivision | Ward 1 | ME',
      'Congress | Maine District 1 | ME | ocd-division/country:us/state:me/cd:1 | 5001800US2301',
      'County | Waldo County | ME | ocd-division/country:us/state:me/county:waldo | 0500000US23027',
      'County | York County | ME | ocd-division/country:us/state:me/county:york | 0500000US23031',
      'Precinct | Alfred 1 | ME',
      'Precinct | Alfred 2 | ME',
      'State | Maine | ME | ocd-division/country:us/state:me | 0400000US23',
    ]);
    const contacts = `select concat_ws(' | ', p.name, p.url, k.fec_id, k.is_incumbent, c.collection, c.contact_type, c.contact) as line
      from contacts as c join persons as p on p.id = c.person_id join candidates as k on k.person_id = p.id`;
    expect(await lines(database.db, contacts)).toEqual([
      'Ada Elm | https://elm.example | H2ME01001 | t | contact | Address | 1 Elm St, Portland, ME 04101',
      'Ada Elm | https://elm.example | H2ME01001 | t | contact | TDD | 207-555-0001',
      'Ada Elm | https://elm.example | H2ME01001 | t | contact | Website | https://elm.example',
      'Ada Elm | https://elm.example | H2ME01001 | t | social | Facebook | https://facebook.example/elm',
    ]);
    const measures =
      `select concat_ws(' | ', m.name, type, official_title, yes_vote, no_vote, url, e.date, e.type) as line
      from ballot_measures as m join elections as e on e.id = m.election_id`.replace(' type,', ' m.type,');
    expect(await lines(database.db, measures)).toEqual([
      'Question 1 | Initiative | Shall the bridge be built? | For the bridge | Against the bridge | https://question.example | 2022-11-08 | General',
      'Where shall the court stand? | 2022-11-08 | General',
    ]);
  });

  test('changes nothing and keeps every id when it is imported again', async () => {
    const before = await fingerprint(database.db);
    const again = await runImport(database.db, 'vip', [FEED]);
    expect(await fingerprint(database.db)).toEqual(before);
    expect(counts(again)['candidates.csv']).toEqual([0, 0, 4, 0]);
  });

  test('is matched with precinct results: the same election, race and candidates', async () => {
    const header =
      'precinct,office,party_detailed,party_simplified,mode,votes,county_name,county_fips,jurisdiction_name,jurisdiction_fips,candidate,district,dataverse,year,stage,state,special,writein,state_po,state_fips,state_cen,state_ic,date,readme_check,magnitude';
    const row = (name: string, votes: number) =>
      `A,US HOUSE,DEMOCRAT,DEMOCRAT,TOTAL,${votes},YORK,23031,YORK,23031,${name},001,HOUSE,2022,GEN,MAINE,FALSE,FALSE,ME,23,11,2,2022-11-08,FALSE,1`;
    const folder = folderOf({ 'me.csv': `${[header, row('ADA ELM', 7), row('CAL CEDAR', 3)].join('\n')}\n` });
    const { report } = await runImport(database.db, 'medsl', [join(folder, 'me.csv')]);
    const congress = (await candidatesIn(database.db)).filter((line) => line.startsWith('U.S. House Maine'));
    expect(congress[0]).toMatch(/Ada Elm \| Democratic\/Working Families \| Won \| 7$/);
    expect(congress).toHaveLength(2);
    expect(report.map(({ record }) => record).join()).toMatch(/cedar/i);
  });
});

describe('an invalid feed is rejected with its line, and nothing is changed', () => {
  const database = useDatabase();

  const bomb = `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;"><!ENTITY lol3 "&lol2;&lol2;&lol2;">]>`;
  test.each<[what: string, feed: () => string, problem: RegExp]>([
    [
      'entities that expand',
      () => feedWith('vip.xml', '<VipObject', `${bomb}\n<VipObject`),
      /vip\.xml:2: has a DOCTYPE/,
    ],
    [
      'an external entity',
      () => feedWith('vip.xml', '<VipObject', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n<VipObject'),
      /vip\.xml:2: has a DOCTYPE/,
    ],
    [
      'an entity without a declaration',
      () => feedWith('vip.xml', 'YORK', '&york;'),
      /vip\.xml:32: is not well-formed XML: undefined entity/,
    ],
    [
      'a file that is cut off',
      () => feedWith('vip.xml', /<PartyContest[\s\S]*$/, '<PartyC'),
      /vip\.xml:\d+: the file is cut off/,
    ],
    ['content after the end', () => feedWith('vip.xml', /\n$/, '\n<VipObject/>'), /not well-formed XML/],
    [
      'a namespace',
      () => feedWith('vip.xml', '<VipObject ', '<VipObject xmlns="urn:vip" '),
      /vip\.xml:2: <VipObject> is in the namespace urn:vip; it must not be in a namespace/,
    ],
    [
      'another version',
      () => feedWith('vip.xml', '"5.2"', '"3.0"'),
      /vip\.xml:2: has the schemaVersion 3.0; supported versions are 5.0 to 6.0/,
    ],
    [
      'another root',
      () => feedWith('election.xml', 'Maine', 'Maine '),
      /begins with <ElectionReport>; a feed begins with <VipObject>/,
    ],
    [
      'an id twice',
      () => feedWith('vip.xml', 'id="can2"', 'id="can1"'),
      /vip\.xml:\d+: <Candidate>: the id can1 is already used on line \d+/,
    ],
    ['no id', () => feedWith('vip.xml', '<Party id="par1">', '<Party>'), /vip\.xml:\d+: <Party>: has no id/],
    ['Latin-1', () => feedWith('vip.xml', 'UTF-8', 'ISO-8859-1'), /vip\.xml:1: declares the encoding ISO-8859-1/],
    ['no source', () => feedWith('vip.xml', /<Source[\s\S]*<\/Source>/, ''), /has no <Source>/],
    [
      'two elections',
      () => feedWith('vip.xml', '<State ', '<Election id="e9"/><State '),
      /has 2 <Election>; a feed has one/,
    ],
    [
      'elements within elements without end',
      () => feedWith('vip.xml', 'YORK COUNTY', '<a>'.repeat(20_000)),
      /vip\.xml:32: is nested deeper than 32/,
    ],
    [
      'an element without end',
      () => feedWith('vip.xml', 'YORK COUNTY', 'x'.repeat(5 * 1024 * 1024)),
      /vip\.xml:\d+: contains an element, or a gap, of more than 4 MiB/,
    ],
  ])('%s', async (_, feed, problem) => {
    const before = await fingerprint(database.db);
    const error = await runImport(database.db, 'vip', [feed()]).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(problem);
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('two feeds at once are rejected, because the later one may correct the other', async () => {
    const folder = folderOf({ 'a.xml': '<VipObject/>', 'b.xml': '<VipObject/>' });
    await expect(runImport(database.db, 'vip', [folder])).rejects.toThrow('a.xml, b.xml: import feeds one at a time');
  });

  test('thousands of addresses are skipped and counted', async () => {
    const streets = Array.from(
      { length: 50_000 },
      (_, index) => `<StreetSegment id="s${index}"><City>X</City></StreetSegment>`,
    );
    const feed = feedWith('vip.xml', '</VipObject>', `${streets.join('\n')}</VipObject>`);
    const { report } = await runImport(database.db, 'vip', [feed]);
    expect(report.find(({ record }) => record === 'vip.xml StreetSegment')?.reason).toBe(
      '50,000 skipped: is an address',
    );
  });
});

const samples = sampleFeeds('vip');

describe.skipIf(!samples)('the sample feed of the specification (needs the folder data/feeds/vip)', () => {
  const database = useDatabase();

  test('is imported with all of its contests, twice with the same result', async () => {
    const path = join(samples ?? '', 'sample_feed_v5.xml');
    const summary = await runImport(database.db, 'vip', [path]);
    const inserted = Object.fromEntries(Object.entries(counts(summary)).map(([file, [first]]) => [file, first]));
    expect(inserted).toMatchObject({
      'offices.csv': 16,
      'races.csv': 16,
      'candidates.csv': 26,
      'ballot_measures.csv': 1,
      'contacts.csv': 93,
    });
    const reasons = summary.report.map(({ record, reason }) => `${record} ${reason}`).join('\n');
    expect(reasons).not.toMatch(/Precinct|PollingLocation|HoursOpen/);
    const kinds = `select kind || ' ' || count(*) || ' ' || count(district_ids) as line from voting_places group by kind`;
    expect(await lines(database.db, kinds)).toEqual(['Drop box 1 1', 'Early voting 2 2', 'Election day 25 25']);
    expect(reasons).not.toMatch(/refers to/);
    const before = await fingerprint(database.db);
    await runImport(database.db, 'vip', [path]);
    expect(await fingerprint(database.db)).toEqual(before);
  });
});

describe('a feed with a contest for president', () => {
  const database = useDatabase();

  test('has a race of the state: another state has its own on the same day', async () => {
    const feed = feedWith(
      'vip.xml',
      '<Name><Text language="en">Governor</Text></Name>',
      '<Name><Text language="en">President</Text></Name>',
    );
    await runImport(database.db, 'vip', [feed]);
    const ids = `select value as line from external_identifiers where kind = 'race' and scheme = 'race' and value like 'prez%'`;
    expect(await lines(database.db, ids)).toEqual([
      expect.stringMatching(/^prez \S*state:me \d{4}-\d\d-\d\d Regular General$/),
    ]);
  });
});

describe('a feed of another publisher', () => {
  const database = useDatabase();

  test('may have a version of three numbers', async () => {
    await runImport(database.db, 'vip', [feedWith('vip.xml', '"5.2"', '"5.1.2"')]);
    expect(await candidatesIn(database.db)).toHaveLength(4);
  });

  test('may name a governor together with the running mate', async () => {
    const name = (office: string) => `<Name><Text language="en">${office}</Text></Name>`;
    const feed = feedWith('vip.xml', name('Governor'), name('Governor and Lieutenant Governor'));
    await runImport(database.db, 'vip', [feed]);
    expect(await candidatesIn(database.db)).toContain(
      'Governor of Maine | Maine | Regular | General | Cy Cedar | with Dee Dogwood',
    );
  });
});
