import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { countiesOf, plainCountyName } from '../../../src/importers/facts/counties.ts';
import { type ImportOptions, runImport, type SourceName } from '../../../src/importers/import.ts';
import { withdrawSource } from '../../../src/importers/load/editions/withdraw.ts';
import { loadFolder } from '../../../src/importers/load/load.ts';
import { useDatabase } from '../../support/database.ts';
import { lines } from '../feed-stores.ts';
import { folderOf } from '../folders.ts';

// Whichever of two sources comes first, the same persons hold the same terms and candidacies. Ids and days of imports may differ.

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, persons, distinct_persons, person_assignments, sources, record_sources,
    external_identifiers cascade`.execute(database.db);
});

interface Given {
  readonly source: SourceName | 'folder';
  readonly files: Readonly<Record<string, string>>;
  readonly options?: ImportOptions;
}

const FIXTURES = join(import.meta.dirname, '../../fixtures');

async function importOf({ source, files, options }: Given): Promise<void> {
  const own = Object.entries(files).filter(([, content]) => content !== '');
  const folder = own.length > 0 ? folderOf(Object.fromEntries(own)) : '';
  const stored = Object.keys(files)
    .filter((name) => files[name] === '')
    .map((name) => join(FIXTURES, name));
  const isWhole = source === 'folder' || source === 'congress-legislators' || source === 'openstates-people';
  const paths = isWhole ? [folder || (stored[0] ?? '')] : [...own.map(([name]) => join(folder, name)), ...stored];
  if (source === 'folder') await loadFolder(database.db, folder);
  else await runImport(database.db, source, paths, options);
}

/** Who holds and sought what: of each person, all terms and candidacies. What persons have distinguishes them. */
async function people(): Promise<string[]> {
  return lines(
    database.db,
    `select concat_ws(' | ', lower(p.name),
       (select string_agg(concat_ws(' ', o.name, d.ocdid, h.start_date, h.end_date, h.status), ', '
          order by o.name, d.ocdid, h.start_date, h.end_date)
        from officeholders as h join offices as o on o.id = h.office_id join districts as d on d.id = o.district_id
        where h.person_id = p.id),
       (select string_agg(concat_ws(' ', o.name, d.ocdid, e.date, r.stage_type, c.votes_for_cand, c.cand_status, c.holds_office), ', '
          order by o.name, d.ocdid, e.date, r.stage_type, c.votes_for_cand, c.cand_status)
        from candidates as c join races as r on r.id = c.race_id join elections as e on e.id = r.election_id
        join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id
        where c.person_id = p.id)) as line
     from persons as p`,
  );
}

async function after(imports: readonly Given[]): Promise<string[]> {
  for (const each of imports) await importOf(each);
  return people();
}

async function emptied(): Promise<void> {
  await sql`truncate districts, persons, distinct_persons, person_assignments, sources, record_sources,
    external_identifiers cascade`.execute(database.db);
}

async function inBothOrders(one: Given, other: Given): Promise<string[]> {
  const forward = await after([one, other]);
  await emptied();
  expect(await after([other, one])).toEqual(forward);
  return forward;
}

const legislator = (
  id: string,
  name: string,
  terms: readonly [type: string, start: string, end: string, more: string][],
) =>
  `- id: {bioguide: ${id}}
  name: {first: ${name.split(' ')[0]}, last: ${name.split(' ')[1]}}
  terms:
${terms.map(([type, start, end, more]) => `  - {type: ${type}, start: '${start}', end: '${end}', state: ME, party: Democrat, ${more}}`).join('\n')}
`;
const CONGRESS: Given = {
  source: 'congress-legislators',
  files: {
    'legislators-historical.yaml': legislator('B000001', 'Abel Bell', [
      ['rep', '2005-01-04', '2007-01-03', 'district: 2'],
      ['rep', '2007-01-04', '2009-01-03', 'district: 2'],
    ]),
    'legislators-current.yaml':
      legislator('B000002', 'Abel Bell', [['rep', '2009-01-06', '2011-01-03', 'district: 2']]) +
      legislator('M000003', 'Marta Mac', [
        ['rep', '2011-01-05', '2013-01-03', 'district: 2'],
        ['sen', '2013-01-03', '2019-01-03', 'class: 1'],
      ]),
  },
  options: { asOf: '2014-01-01' },
};
const role = (type: string, start: string, end = '', district = '5') =>
  `- {jurisdiction: 'ocd-jurisdiction/country:us/state:me/government', type: ${type}, district: '${district}', start_date: ${start}${end && `, end_date: ${end}`}}`;
const STATE: Given = {
  source: 'openstates-people',
  files: {
    'elder.yml': `id: ocd-person/a\nname: Cole Case\nroles:\n${role('lower', '2016-12-07', '2018-12-05')}\n`,
    'younger.yml': `id: ocd-person/b\nname: Cole Case\nroles:\n${role('lower', '2018-12-05', '2020-12-02')}\n`,
    'both.yml': `id: ocd-person/c\nname: Beth Both\nroles:\n${role('lower', '2020-12-02', '2022-12-07')}\n${role('upper', '2022-12-07', '', '3')}\n`,
  },
  options: { asOf: '2023-06-01' },
};

const MAINE = countiesOf('ME', '2004-11-02').map((county) => plainCountyName(county));
type Contest = readonly [office: string, district: string, winner: string, loser: string];
const ELECTIONS: Readonly<Record<string, readonly Contest[]>> = {
  '20041102': [['U.S. House', '2', 'Abel Bell', 'Foe Cab']],
  '20061107': [['U.S. House', '2', 'Abel Bell', 'Foe Dab']],
  '20081104': [['U.S. House', '2', 'Abel Bell', 'Foe Eab']],
  '20101102': [['U.S. House', '2', 'Marta Mac', 'Abel Bell']],
  '20121106': [['U.S. Senate', '', 'Marta Mac', 'Foe Fab']],
  '20161108': [['State House', '5', 'Cole Case', 'Foe Gab']],
  '20181106': [['State House', '5', 'Cole Case', 'Foe Hab']],
  '20201103': [['State House', '5', 'Beth Both', 'Cole Case']],
  '20221108': [['State Senate', '3', 'Beth Both', 'Foe Iab']],
};
const OPENELECTIONS: Given = {
  source: 'openelections',
  files: Object.fromEntries(
    Object.entries(ELECTIONS).map(([day, contests]) => [
      `${day}__me__general__precinct.csv`,
      `county,precinct,office,district,party,candidate,votes\n${contests
        .flatMap(([office, district, winner, loser]) =>
          // Only a file of all counties of the state decides a contest of several.
          MAINE.flatMap((county) => [
            `${county},A,${office},${district},DEM,${winner},${county === 'York' ? 115 : 1}`,
            `${county},A,${office},${district},REP,${loser},${county === 'York' ? 75 : 1}`,
          ]),
        )
        .join('\n')}\n`,
    ]),
  ),
};
const MEDSL: Given = {
  source: 'medsl',
  files: Object.fromEntries(
    Object.entries(ELECTIONS).map(([day, contests]) => {
      const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
      const rows = contests.flatMap(([office, district, ...names]) =>
        names.map((name, index) => {
          const of = office.replace('U.S.', 'US').toUpperCase();
          const party = index === 0 ? 'DEMOCRAT' : 'REPUBLICAN';
          const where = of.startsWith('US') ? of.slice(3) : 'STATE';
          return `A,${of},${party},TOTAL,${130 - 40 * index},YORK,23031,YORK,${name.toUpperCase()},${district.padStart(3, '0')},1,${where},GEN,FALSE,FALSE,ME,${date}`;
        }),
      );
      const header =
        'precinct,office,party_detailed,mode,votes,county_name,county_fips,jurisdiction_name,candidate,district,magnitude,dataverse,stage,special,writein,state_po,date';
      return [`${day.slice(0, 4)}-me-precinct-general.csv`, [header, ...rows, ''].join('\n')];
    }),
  ),
};
const fixture = (source: SourceName, path: string, options?: ImportOptions): Given => ({
  source,
  files: { [path]: '' },
  ...(options ? { options } : {}),
});
const SOURCES: readonly Given[] = [
  CONGRESS,
  STATE,
  OPENELECTIONS,
  MEDSL,
  fixture('congress-legislators', 'congress/2026-06-15', { asOf: '2026-06-15' }),
  fixture('medsl', 'import/medsl/contests.csv'),
  fixture('openelections', 'import/openelections/20181106__me__general__town.csv'),
  fixture('ranked-vote', 'import/ranked-vote/report.json'),
  fixture('rctab', 'import/rctab/house-2.json'),
  fixture('vip', 'import/feeds/vip.xml'),
  fixture('civics-cdf', 'import/feeds/election.xml'),
  fixture('civics-cdf', 'import/feeds/officeholders.xml'),
];
const nameOf = ({ source, files }: Given) => {
  const [first = ''] = Object.keys(files);
  return `${source} ${files[first] === '' ? basename(first) : 'invented'}`;
};
/** The fixtures of one race that contradict each other in votes, a name and a candidate: what the first one says stays. */
const CONTRADICTING = ['contests.csv', '20181106__me__general__town.csv', 'report.json', 'house-2.json'];
const contradict = (...given: readonly Given[]) =>
  given.every(({ files }) => CONTRADICTING.includes(basename(Object.keys(files)[0] ?? '')));
const PAIRS = SOURCES.flatMap((one, index) =>
  SOURCES.slice(index + 1).map((other) => [nameOf(one), nameOf(other), one, other] as const),
).filter(([, , one, other]) => !contradict(one, other));

describe('two sources in both orders give the same persons, terms and candidacies', () => {
  test.each(PAIRS)('%s and %s', async (_, __, one, other) => {
    await inBothOrders(one, other);
  });
});

const IDS = ['ocd-division/country:us/state:me', 'ocd-division/country:us/state:me/cd:2'];
const FOLDER: Given = {
  source: 'folder',
  files: {
    'districts.csv': `id,type,name,state,ocdid\n1,State,Maine,ME,${IDS[0]}\n2,Congress,2nd Congressional District,ME,${IDS[1]}\n`,
    'offices.csv':
      'id,district_id,name,level,branch,chamber,is_partisan\n1,2,U.S. Representative,Federal,Legislative,Lower,Partisan all\n',
    'persons.csv': 'id,name,first_name,last_name\n1,Abel Bell,Abel,Bell\n',
    'officeholders.csv': 'id,office_id,person_id,status,start_date,end_date\n1,1,1,Former,2009-01-06,2011-01-03\n',
  },
};
const repeated = () =>
  lines(
    database.db,
    `select 'ocdid: is also the ocdid of district ' || id as line from districts where ocdid in ('${IDS.join("', '")}')`,
  );

// The ids of a folder are those of the database: it repeats what an import made, and an import finds what a folder has.
test.each(SOURCES.map((source) => [nameOf(source), source] as const))(
  'a folder in the exchange format is refused after %s with what it repeats, and is the same before it and loaded again',
  async (_, source) => {
    const imported = await after([source]);
    const repeats = await repeated();
    const load = importOf(FOLDER);
    if (repeats.length === 0) await load;
    else {
      await expect(load).rejects.toThrow(repeats[0]);
      await expect(load).rejects.toThrow(repeats.at(-1));
      expect(await people()).toEqual(imported);
    }
    const loaded = await people();
    await emptied();
    const both = await after([FOLDER, source]);
    expect(both).toEqual(
      repeats.length === 0 ? loaded : expect.arrayContaining([expect.stringMatching(/^abel bell/i)]),
    );
    expect(await repeated()).toEqual(
      expect.arrayContaining(IDS.map((_, index) => `ocdid: is also the ocdid of district ${index + 1}`)),
    );
    expect(await after([FOLDER])).toEqual(both);
  },
);

test('two persons of one name whom identifiers distinguish are two; each has the elections before its terms', async () => {
  const found = await inBothOrders(CONGRESS, OPENELECTIONS);
  const bells = found.filter((line) => line.startsWith('abel bell'));
  expect(bells.map((line) => [...line.matchAll(/20\d\d-1\d-\d\d General \d+ \w+/g)].map(String))).toEqual([
    ['2004-11-02 General 130 Won', '2006-11-07 General 130 Won'],
    ['2008-11-04 General 130 Won'],
    // Who lost in 2010 may be either: a record of its own.
    ['2010-11-02 General 90 Lost'],
  ]);
  const [mac, ...more] = found.filter((line) => line.startsWith('marta mac'));
  expect(more).toEqual([]);
  expect(mac).toMatch(/2011-01-05.*2013-01-03.*2010-11-02.*Won.*2012-11-06/);
});

describe('a race whose candidates two sources name otherwise', () => {
  const leftOut = () => lines(database.db, `select coalesce(left_out::text, 'all') as line from races`);

  // Whom the second source has; whether the first one's outcome stands; what is left out.
  test.each<[string, Vote, Vote, 'open' | 'won', RegExp, Source?]>([
    ['with as many votes as the winner', ['Don Marsh', 2710], ['Lou Gram', 2710], 'open', /2710/],
    ['with more votes than the winner', ['Don Marsh', 2710], ['Lou Gram', 3000], 'open', /3000/],
    ['with fewer votes than the winner', ['Don Marsh', 2710], ['Lou Gram', 2115], 'won', /2115/],
    ['with the name of a stored one in another spelling', ['Don Marsh', 2710], ['D. Dale', 2115], 'won', /all/],
    ['with the votes of the winner in another spelling', ['Don Marhs', 2710], ['Dan Dale', 2115], 'won', /all/],
    ['with the last name of one whom both have', ['Don Marsh', 2710], ['Lee Marsh', 2900], 'open', /2900/],
    [
      'of a feed with as many votes as the winner',
      ['Don Marsh', 2710],
      ['Lou Gram', 2710],
      'open',
      /2710/,
      'civics-cdf',
    ],
    ['of a feed with fewer votes', ['Don Marsh', 2710], ['Lou Gram', 2115], 'won', /2115/, 'civics-cdf'],
    ['of a feed in another spelling', ['Don Marsh', 2710], ['D. Dale', 2115], 'won', /all/, 'civics-cdf'],
    ['of a feed without votes', ['Don Marsh', 2710], ['Lou Gram', 2710], 'won', /"vip:23": null/, 'vip'],
  ])('another candidate %s', async (_, [first, most], [second, least], outcome, left, source = 'medsl') => {
    const one = ofHouse16('openelections', [
      ['Don Marsh', 'REP', 2710],
      ['Dan Dale', 'DEM', 2115],
    ]);
    const two = ofHouse16(source, [
      [first, 'REP', most],
      [second, 'DEM', least],
    ]);
    for (const order of [
      [one, two],
      [two, one],
    ] as const) {
      await emptied();
      for (const each of order) await importOf(each);
      const before = [await people(), await leftOut()];
      if (order[0] === one) {
        expect(before[0]?.some((line) => /^don marsh .*Won/.test(line))).toBe(outcome === 'won');
        expect(before[1]).toEqual([expect.stringMatching(left)]);
      }
      for (const each of order) {
        await importOf(each);
        expect([await people(), await leftOut()]).toEqual(before);
      }
    }
  });

  test('is of one source again when the other one is withdrawn', async () => {
    const one = ofHouse16('openelections', [
      ['Don Marsh', 'REP', 2710],
      ['Dan Dale', 'DEM', 2115],
    ]);
    const two = ofHouse16('medsl', [
      ['Sharon Mack', 'REP', 2710],
      ['Lou Gram', 'DEM', 2115],
    ]);
    await importOf(one);
    await importOf(two);
    expect((await people()).join()).not.toMatch(/Won|Lost/);
    await withdrawSource(database.db, 'medsl', {});
    expect(await leftOut()).toEqual(['all']);
    await importOf(one);
    expect(await people()).toContainEqual(expect.stringMatching(/^don marsh .*2710 Won/));
  });
});

type Named = readonly [name: string, party: 'REP' | 'DEM', votes: number];
type Vote = readonly [name: string, votes: number];
type Source = 'medsl' | 'openelections' | 'civics-cdf' | 'vip';

function ofHouse16(source: Source, rows: readonly Named[]): Given {
  if (source === 'vip' || source === 'civics-cdf') return feedOfHouse16(source, rows);
  const all = MAINE.flatMap((county) =>
    rows.map(([name, party, votes]) => ({ county, name, party, votes: county === 'York' ? votes : 0 })),
  );
  if (source === 'openelections') {
    const cells = all.map(({ county, name, party, votes }) => `${county},A,State House,16,${party},${name},${votes}\n`);
    return {
      source,
      files: {
        '20181106__me__general__precinct.csv': `county,precinct,office,district,party,candidate,votes\n${cells.join('')}`,
      },
    };
  }
  const cells = all.map(
    ({ county, name, party, votes }) =>
      `ME,2018-11-06,GEN,FALSE,STATE HOUSE,016,1,${county.toUpperCase()},A,${name.toUpperCase()},${party === 'REP' ? 'REPUBLICAN' : 'DEMOCRAT'},FALSE,TOTAL,${votes}\n`,
  );
  return {
    source,
    files: {
      '2018-me.csv': `state_po,date,stage,special,office,district,magnitude,county_name,precinct,candidate,party_detailed,writein,mode,votes\n${cells.join('')}`,
    },
  };
}

function feedOfHouse16(source: 'civics-cdf' | 'vip', rows: readonly Named[]): Given {
  const text = (words: string) => `<Text language="en">${words}</Text>`;
  const id = (value: string) =>
    `<ExternalIdentifiers><ExternalIdentifier><Type>ocd-id</Type><Value>${value}</Value></ExternalIdentifier></ExternalIdentifiers>`;
  const [state, district] = [IDS[0] ?? '', `${IDS[0]}/sldl:16`];
  const [key, isCdf] = [source === 'vip' ? 'id' : 'objectId', source === 'civics-cdf'];
  const candidates = rows
    .map(([name], index) => `<Candidate ${key}="c${index}"><BallotName>${text(name)}</BallotName></Candidate>`)
    .join('');
  const office = `<Office ${key}="o"><ElectoralDistrictId>d</ElectoralDistrictId><Name>${text('State House of Representatives')}</Name></Office>`;
  const contest = `<ElectoralDistrictId>d</ElectoralDistrictId><Name>House 16</Name><NumberElected>1</NumberElected><OfficeIds>o</OfficeIds>`;
  const selections = rows.map(([, , votes], index) =>
    isCdf
      ? `<BallotSelection objectId="s${index}" xsi:type="CandidateSelection"><VoteCountsCollection><VoteCounts><GpUnitId>d</GpUnitId><Type>total</Type><Count>${votes}</Count></VoteCounts></VoteCountsCollection><CandidateIds>c${index}</CandidateIds></BallotSelection>`
      : `<CandidateSelection id="s${index}"><CandidateIds>c${index}</CandidateIds></CandidateSelection>`,
  );
  const gpUnit = (own: string, name: string, type: string, ocdid: string) =>
    `<GpUnit objectId="${own}" xsi:type="ReportingUnit">${id(ocdid)}<Name>${name}</Name><Type>${type}</Type></GpUnit>`;
  const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  const xml = isCdf
    ? `<ElectionReport ${XSI}><Election objectId="e"><CandidateCollection>${candidates}</CandidateCollection><ContestCollection><Contest objectId="k" xsi:type="CandidateContest">${selections.join('')}${contest}</Contest></ContestCollection>
<ElectionScopeId>st</ElectionScopeId><Name>${text('E')}</Name><StartDate>2018-11-06</StartDate><EndDate>2018-11-06</EndDate><Type>general</Type></Election>
<GeneratedDate>2018-12-01T00:00:00</GeneratedDate><GpUnitCollection>${gpUnit('st', 'Maine', 'state', state)}${gpUnit('d', 'District 16', 'state-house', district)}</GpUnitCollection><Issuer>Example</Issuer>
<OfficeCollection>${office}</OfficeCollection><Status>certified</Status></ElectionReport>`
    : `<VipObject ${XSI} schemaVersion="5.2"><Source id="r"><DateTime>2018-12-01T12:00:00</DateTime><Name>Example</Name><VipId>23</VipId></Source>
<Election id="e"><Date>2018-11-06</Date><ElectionType>${text('General')}</ElectionType><StateId>st</StateId></Election><State id="st">${id(state)}<Name>Maine</Name></State>
<ElectoralDistrict id="d">${id(district)}<Name>District 16</Name><Type>state-house</Type></ElectoralDistrict>${office}${candidates}${selections.join('')}
<CandidateContest id="k"><BallotSelectionIds>${rows.map((_, index) => `s${index}`).join(' ')}</BallotSelectionIds>${contest}</CandidateContest></VipObject>`;
  return { source, files: { 'feed.xml': `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n` } };
}
