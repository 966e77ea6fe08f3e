import type { ImportOptions, SourceName } from '../../src/importers/import.ts';

/** Small inputs of feeds and of counts by rounds that contradict themselves, or that are made to mislead: the editions of one source, one after the other. */
export interface HostileFeed {
  readonly source: SourceName;
  readonly editions: readonly Readonly<Record<string, string | Buffer>>[];
  readonly options?: ImportOptions;
}

const text = (t: string) => `<Text language="en">${t}</Text>`;
const oid = (v: string, type = 'ocd-id') =>
  `<ExternalIdentifiers><ExternalIdentifier><Type>${type}</Type><Value>${v}</Value></ExternalIdentifier></ExternalIdentifiers>`;
const ME = 'ocd-division/country:us/state:me';
const cand = (id: string, name: string, more = '') =>
  `<Candidate id="${id}"><BallotName>${text(name)}</BallotName>${more}</Candidate>`;
const sel = (id: string, cands: string, more = '') =>
  `<CandidateSelection id="${id}"><CandidateIds>${cands}</CandidateIds>${more}</CandidateSelection>`;
const office = (id: string, ed: string, name: string, more = '') =>
  `<Office id="${id}"><ElectoralDistrictId>${ed}</ElectoralDistrictId><Name>${text(name)}</Name>${more}</Office>`;
const contest = (id: string, sels: string, ed: string, off: string, more = '<NumberElected>1</NumberElected>') =>
  `<CandidateContest id="${id}"><BallotSelectionIds>${sels}</BallotSelectionIds><ElectoralDistrictId>${ed}</ElectoralDistrictId><Name>C ${id}</Name>${more}<OfficeIds>${off}</OfficeIds></CandidateContest>`;
const ed = (id: string, name: string, type: string, ids = '') =>
  `<ElectoralDistrict id="${id}">${ids}<Name>${name}</Name><Type>${type}</Type></ElectoralDistrict>`;
const win = '<PostElectionStatus>winner</PostElectionStatus>';
const vip = (
  body: string,
  {
    day = '2022-11-08',
    type = 'General',
    made = '2022-12-01',
    date = `<Date>${day}</Date>`,
    vid = '23',
    state = ME,
  }: { day?: string; type?: string; made?: string; date?: string; vid?: string; state?: string } = {},
) => `<?xml version="1.0" encoding="UTF-8"?>
<VipObject xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" schemaVersion="5.2">
<Source id="src1"><DateTime>${made}T12:00:00</DateTime><Name>Example</Name><VipId>${vid}</VipId></Source>
<Election id="ele1">${date}<ElectionType>${text(type)}</ElectionType><StateId>st</StateId></Election>
<State id="st">${oid(state)}<Name>Maine</Name></State>
${body}
</VipObject>
`;
const V = (body: string, o = {}): HostileFeed => ({ source: 'vip', editions: [{ 'vip.xml': vip(body, o) }] });
const GOV = office('off1', 'st', 'Governor');
const CANDIDATES = cand('c1', 'Ann Roe') + cand('c2', 'Bob Doe');
const SELECTIONS = sel('s1', 'c1') + sel('s2', 'c2');
const TWO = CANDIDATES + SELECTIONS;
const RACE = SELECTIONS + GOV + contest('k1', 's1 s2', 'st', 'off1');
const SHERIFF = office('off1', 'ed7', 'Sheriff') + contest('k1', 's1 s2', 'ed7', 'off1');
const WON_BY_FIRST = cand('c1', 'Ann Roe', win) + cand('c2', 'Bob Doe');
const CD1 = ed('ed1', 'CD 1', 'congressional', oid(`${ME}/cd:1`));

// --- CDF
const vc = (unit: string, count: string, type = 'total') =>
  `<VoteCounts>${unit ? `<GpUnitId>${unit}</GpUnitId>` : ''}<Type>${type}</Type><Count>${count}</Count></VoteCounts>`;
const cc = (id: string, name: string, more = '') =>
  `<Candidate objectId="${id}"><BallotName>${text(name)}</BallotName>${more}</Candidate>`;
const cs = (id: string, cands: string, counts = '', more = '') =>
  `<BallotSelection objectId="${id}" xsi:type="CandidateSelection">${counts ? `<VoteCountsCollection>${counts}</VoteCountsCollection>` : ''}<CandidateIds>${cands}</CandidateIds>${more}</BallotSelection>`;
const con = (
  id: string,
  sels: string,
  unit: string,
  off: string,
  more = '<NumberElected>1</NumberElected>',
  type = 'CandidateContest',
) =>
  `<Contest objectId="${id}" xsi:type="${type}">${sels}<ElectoralDistrictId>${unit}</ElectoralDistrictId><Name>C ${id}</Name>${more}${off ? `<OfficeIds>${off}</OfficeIds>` : ''}</Contest>`;
const gp = (id: string, name: string, type: string, ids = '') =>
  `<GpUnit objectId="${id}" xsi:type="ReportingUnit">${ids}<Name>${name}</Name><Type>${type}</Type></GpUnit>`;
const off = (id: string, unit: string, name: string, more = '') =>
  `<Office objectId="${id}"><ElectoralDistrictId>${unit}</ElectoralDistrictId><Name>${text(name)}</Name>${more}</Office>`;
const UNITS =
  gp('me', 'Maine', 'state', oid(ME)) +
  gp('york', 'York County', 'county', oid(`${ME}/county:york`)) +
  gp('knox', 'Knox County', 'county', oid(`${ME}/county:knox`)) +
  gp('p1', 'P1', 'precinct') +
  gp('p2', 'P2', 'precinct');
interface CdfParts {
  readonly cands: string;
  readonly contests: string;
  readonly units?: string;
  readonly offices?: string;
  readonly persons?: string;
  readonly parties?: string;
  readonly scope?: string;
  readonly type?: string;
  readonly start?: string;
  readonly end?: string;
  readonly made?: string;
  readonly status?: string;
  readonly more?: string;
}
const cdf = ({
  cands,
  contests,
  units = UNITS,
  offices = off('gov', 'me', 'Governor'),
  persons = '',
  parties = '',
  scope = 'me',
  type = 'general',
  start = '2022-11-08',
  end = start,
  made = '2022-12-01',
  status = 'certified',
  more = '',
}: CdfParts) => `<?xml version="1.0" encoding="UTF-8"?>
<ElectionReport xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<Election objectId="el1"><CandidateCollection>${cands}</CandidateCollection><ContestCollection>${contests}</ContestCollection>
<ElectionScopeId>${scope}</ElectionScopeId><Name>${text('E')}</Name>${start ? `<StartDate>${start}</StartDate><EndDate>${end}</EndDate>` : ''}<Type>${type}</Type></Election>
<GeneratedDate>${made}T00:00:00</GeneratedDate><GpUnitCollection>${units}</GpUnitCollection><Issuer>Example</Issuer>
<OfficeCollection>${offices}</OfficeCollection><PartyCollection>${parties}</PartyCollection><PersonCollection>${persons}</PersonCollection><Status>${status}</Status>${more}
</ElectionReport>
`;
const C = (o: CdfParts): HostileFeed => ({ source: 'civics-cdf', editions: [{ 'e.xml': cdf(o) }] });
const AB = cc('c1', 'Ann Roe') + cc('c2', 'Bob Doe');
const FIRST_WON = cc('c1', 'Ann Roe', win) + cc('c2', 'Bob Doe');
const votes = (a: string, b: string) => con('k1', cs('s1', 'c1', a) + cs('s2', 'c2', b), 'me', 'gov');
const VOTES = votes(vc('me', '30'), vc('me', '20'));
const LINES = cs('s1', 'c1', vc('me', '30')) + cs('s2', 'c2', vc('me', '20'));

// --- RCTab
type Round = readonly [Readonly<Record<string, string>>, readonly object[]];
type Rounds = readonly Round[];
const rc = (rounds: Rounds, o: object = {}) =>
  JSON.stringify({
    config: {
      contest: '2018 General Election',
      date: '2018-11-06',
      generatedBy: 'RCTab 2.0.0',
      jurisdiction: 'Maine',
      office: 'Congressional District 2',
      ...o,
    },
    jsonFormatVersion: '1',
    results: rounds.map(([tally, tallyResults], i) => ({ round: i + 1, tally, tallyResults, threshold: '1' })),
  });
const R = (rounds: Rounds, o: object = {}, options: ImportOptions = {}): HostileFeed => ({
  source: 'rctab',
  options,
  editions: [{ 'a.json': rc(rounds, o) }],
});
const A3 = { 'Roe, Ann': '50', 'Doe, Bob': '45', 'Poe, Cy': '20' };
const A2 = { 'Roe, Ann': '50', 'Doe, Bob': '57' };
const FIRST: Round = [A3, [{ eliminated: 'Poe, Cy', transfers: { 'Doe, Bob': '12', exhausted: '8' } }]];
const GOOD: Rounds = [FIRST, [A2, [{ elected: 'Doe, Bob' }]]];
// --- ranked-vote
const rv = (
  cands: (string | [string, string])[],
  rounds: [number | 'X', number][][],
  winner: number,
  info: object = {},
) =>
  JSON.stringify({
    info: {
      name: 'x',
      date: '2018-11-06',
      jurisdictionPath: 'us/me',
      officeName: 'Congressional District 2',
      jurisdictionName: 'Maine',
      electionName: 'General Election',
      ...info,
    },
    candidates: cands.map((c) =>
      typeof c === 'string' ? { name: c, candidate_type: 'Regular' } : { name: c[0], candidate_type: c[1] },
    ),
    rounds: rounds.map((r) => ({ allocations: r.map(([allocatee, votes]) => ({ allocatee, votes })) })),
    winner,
  });
const Q = (...a: Parameters<typeof rv>): HostileFeed => ({
  source: 'ranked-vote',
  editions: [{ 'report.json': rv(...a) }],
});
const RV3 = ['Ann Roe', 'Bob Doe', 'Cy Poe'];
const RVR: [number | 'X', number][][] = [
  [
    [0, 50],
    [1, 45],
    [2, 20],
    ['X', 1],
  ],
  [
    [0, 50],
    [1, 57],
    ['X', 9],
  ],
];

export const HOSTILE_FEEDS: Readonly<Record<string, HostileFeed>> = {
  'VIP: selection of another contest': V(
    WON_BY_FIRST +
      sel('s1', 'c1') +
      sel('s2', 'c2') +
      GOV +
      CD1 +
      office('off2', 'ed1', 'US Representative') +
      contest('k1', 's1 s2', 'st', 'off1') +
      contest('k2', 's1', 'ed1', 'off2'),
  ),
  'VIP: two contests of one office': V(
    TWO +
      cand('c3', 'Cy Poe', win) +
      cand('c4', 'Di Loe', win) +
      sel('s3', 'c3') +
      sel('s4', 'c4') +
      GOV +
      contest('k1', 's1 s3', 'st', 'off1') +
      contest('k2', 's2 s4', 'st', 'off1'),
  ),
  'VIP: same id twice': V(TWO + cand('c1', 'Cy Poe') + GOV + contest('k1', 's1 s2', 'st', 'off1')),
  'VIP: two winners one seat': V(cand('c1', 'Ann Roe', win) + cand('c2', 'Bob Doe', win) + RACE),
  'VIP: withdrawn winner': V(
    cand('c1', 'Ann Roe', `${win}<PreElectionStatus>withdrawn</PreElectionStatus>`) + cand('c2', 'Bob Doe') + RACE,
  ),
  'VIP: label write-in as candidate': V(
    cand('c1', 'Ann Roe') +
      cand('c2', 'WRITE-IN') +
      cand('c3', 'None of the above') +
      cand('c4', 'Under Votes') +
      cand('c5', 'Yes') +
      sel('s1', 'c1') +
      sel('s2', 'c2') +
      sel('s3', 'c3') +
      sel('s4', 'c4') +
      sel('s5', 'c5') +
      GOV +
      contest('k1', 's1 s2 s3 s4 s5', 'st', 'off1'),
  ),
  'VIP: marks after names': V(
    cand('c1', 'ANN ROE (I) (Dem)') +
      cand('c2', 'Bob Doe (Withdrawn)') +
      cand('c3', 'Cora Poe (Deceased)') +
      cand('c4', 'Dee Foe (Write-In)') +
      sel('s1', 'c1') +
      sel('s2', 'c2') +
      sel('s3', 'c3') +
      sel('s4', 'c4') +
      GOV +
      contest('k1', 's1 s2 s3 s4', 'st', 'off1'),
  ),
  'VIP: president winner of a state': V(
    WON_BY_FIRST +
      sel('s1', 'c1') +
      sel('s2', 'c2') +
      office('off1', 'st', 'President of the United States') +
      contest('k1', 's1 s2', 'st', 'off1'),
  ),
  'VIP: seats': V(
    TWO +
      cand('c3', 'Cy Poe') +
      cand('c4', 'Di Loe') +
      cand('c5', 'Ed Moe') +
      sel('s3', 'c3') +
      sel('s4', 'c4') +
      sel('s5', 'c5') +
      ['abc', '0', '-1', '1.5', '1e9']
        .map(
          (n, i) =>
            office(
              `o${i}`,
              'st',
              ['Governor', 'Auditor', 'Treasurer', 'Secretary of State', 'Attorney General'][i] ?? '',
            ) + contest(`k${i}`, `s${i + 1}`, 'st', `o${i}`, `<NumberElected>${n}</NumberElected>`),
        )
        .join(''),
  ),
  'VIP: congress district without a seat': V(
    TWO +
      ed('ed7', 'CD 7', 'congressional', oid(`${ME}/cd:7`)) +
      office('off1', 'ed7', 'US Representative') +
      contest('k1', 's1 s2', 'ed7', 'off1'),
  ),
  'VIP: legislative district text': V(
    TWO +
      ed('ed7', 'House Vote', 'state-house', oid(`${ME}/sldl:vote`)) +
      office('off1', 'ed7', 'State Representative') +
      contest('k1', 's1 s2', 'ed7', 'off1'),
  ),
  'VIP: county of an ocd id that is none': V(
    TWO + ed('ed7', 'Chicago', 'county', oid(`${ME}/county:chicago`)) + SHERIFF,
  ),
  'VIP: county of a fips that is none': V(TWO + ed('ed7', 'Chicago', 'county', oid('23999', 'fips')) + SHERIFF),
  'VIP: county fips contradicts name': V(TWO + ed('ed7', 'York County', 'county', oid('23013', 'fips')) + SHERIFF),
  'VIP: county ocd contradicts name': V(TWO + ed('ed7', 'York County', 'county', oid(`${ME}/county:knox`)) + SHERIFF),
  'VIP: city as county by type': V(TWO + ed('ed7', 'City of Bangor', 'county') + SHERIFF),
  'VIP: two names one person (no ids) in two primaries': V(
    `<Party id="p1"><Name>${text('Democratic Party')}</Name></Party><Party id="p2"><Name>${text('Republican Party')}</Name></Party>` +
      cand('c1', 'John Smith', '<PartyId>p1</PartyId>') +
      cand('c2', 'John Smith', '<PartyId>p2</PartyId>') +
      cand('c3', 'Bob Doe', '<PartyId>p1</PartyId>') +
      sel('s1', 'c1') +
      sel('s2', 'c2') +
      sel('s3', 'c3') +
      GOV +
      contest('k1', 's1 s3', 'st', 'off1', '<NumberElected>1</NumberElected><PrimaryPartyIds>p1</PrimaryPartyIds>') +
      contest('k2', 's2', 'st', 'off1', '<NumberElected>1</NumberElected><PrimaryPartyIds>p2</PrimaryPartyIds>'),
    { type: 'Primary', day: '2022-06-14' },
  ),
  'VIP: two persons of one name with ids': V(
    `<Person id="q1"><FirstName>John</FirstName><LastName>Smith</LastName></Person><Person id="q2"><FirstName>John</FirstName><LastName>Smith</LastName></Person>` +
      cand('c1', 'John Smith', '<PersonId>q1</PersonId>') +
      cand('c2', 'John Smith', '<PersonId>q2</PersonId>') +
      RACE,
  ),
  'VIP: one person is two candidates of a contest': V(
    `<Person id="q1"><FirstName>John</FirstName><LastName>Smith</LastName></Person>` +
      cand('c1', 'John Smith', '<PersonId>q1</PersonId>') +
      cand('c2', 'Bob Doe', '<PersonId>q1</PersonId>') +
      RACE,
  ),
  'VIP: two bioguides of one person': V(
    `<Person id="q1"><ExternalIdentifiers><ExternalIdentifier><Type>other</Type><OtherType>bioguide</OtherType><Value>A000001</Value></ExternalIdentifier></ExternalIdentifiers><FirstName>Ann</FirstName><LastName>Roe</LastName></Person><Person id="q2"><ExternalIdentifiers><ExternalIdentifier><Type>other</Type><OtherType>bioguide</OtherType><Value>A000001</Value></ExternalIdentifier></ExternalIdentifiers><FirstName>Bob</FirstName><LastName>Doe</LastName></Person>` +
      cand('c1', 'Ann Roe', '<PersonId>q1</PersonId>') +
      cand('c2', 'Bob Doe', '<PersonId>q2</PersonId>') +
      RACE,
  ),
  'VIP: no date': V(CANDIDATES + RACE, { date: '' }),
  'VIP: 30 February': V(CANDIDATES + RACE, { day: '2022-02-30' }),
  'VIP: recall': V(WON_BY_FIRST + RACE, { type: 'recall', day: '2022-09-14' }),
  'VIP: runoff': V(CANDIDATES + RACE, { type: 'Runoff', day: '2022-12-06' }),
  'VIP: retention two judges': V(
    TWO +
      office('off1', 'st', 'Justice of the Supreme Court') +
      `<RetentionContest id="rc1"><BallotSelectionIds>b1 b2</BallotSelectionIds><ElectoralDistrictId>st</ElectoralDistrictId><Name>Retention</Name><CandidateId>c1 c2</CandidateId><OfficeId>off1</OfficeId></RetentionContest><BallotMeasureSelection id="b1"><Selection>${text('Yes')}</Selection></BallotMeasureSelection><BallotMeasureSelection id="b2"><Selection>${text('No')}</Selection></BallotMeasureSelection>`,
  ),
  'VIP: retention without judge': V(
    TWO +
      office('off1', 'st', 'Justice of the Supreme Court') +
      `<RetentionContest id="rc1"><BallotSelectionIds>b1</BallotSelectionIds><ElectoralDistrictId>st</ElectoralDistrictId><Name>Retention</Name><OfficeId>off1</OfficeId></RetentionContest><BallotMeasureSelection id="b1"><Selection>${text('Yes')}</Selection></BallotMeasureSelection>`,
  ),
  'VIP: measure with candidates': V(
    TWO +
      `<BallotMeasureContest id="m1"><BallotSelectionIds>s1 s2</BallotSelectionIds><ElectoralDistrictId>st</ElectoralDistrictId><Name>Question 1</Name></BallotMeasureContest>`,
  ),
  'VIP: contest with measure answers': V(
    TWO +
      GOV +
      `<BallotMeasureSelection id="b1"><Selection>${text('Yes')}</Selection></BallotMeasureSelection>` +
      contest('k1', 's1 b1', 'st', 'off1'),
  ),
  'VIP: selection without candidate but write-in': V(
    TWO +
      GOV +
      '<CandidateSelection id="s9"><IsWriteIn>true</IsWriteIn></CandidateSelection>' +
      contest('k1', 's1 s2 s9', 'st', 'off1'),
  ),
  'VIP: huge name': V(cand('c1', 'A'.repeat(200000)) + cand('c2', 'Bob Doe') + RACE),
  'VIP: direction of text': V(cand('c1', '\u202eeoR nnA\u202c') + cand('c2', 'Bob\u200b Doe') + RACE),
  'VIP: huge id': V(
    cand('c'.repeat(200000), 'Ann Roe') +
      cand('c2', 'Bob Doe') +
      sel('s1', 'c'.repeat(200000)) +
      sel('s2', 'c2') +
      GOV +
      contest('k'.repeat(200000), 's1 s2', 'st', 'off1'),
  ),
  'VIP: bom': {
    source: 'vip',
    editions: [{ 'vip.xml': `\ufeff${vip(CANDIDATES + RACE)}` }],
  },
  'VIP: utf16': {
    source: 'vip',
    editions: [
      {
        'vip.xml': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(vip(CANDIDATES + RACE), 'utf16le')]),
      },
    ],
  },
  'VIP: latin1': {
    source: 'vip',
    editions: [
      {
        'vip.xml': Buffer.from(
          vip(cand('c1', 'José Roe') + sel('s1', 'c1') + GOV + contest('k1', 's1', 'st', 'off1')),
          'latin1',
        ),
      },
    ],
  },
  'VIP: second edition with ids exchanged': {
    source: 'vip',
    editions: [
      {
        'vip.xml': vip(WON_BY_FIRST + RACE),
      },
      {
        'vip.xml': vip(cand('c2', 'Ann Roe', win) + cand('c1', 'Bob Doe') + RACE, { made: '2022-12-05' }),
      },
    ],
  },
  'VIP: second edition, contests ids exchanged': {
    source: 'vip',
    editions: [
      {
        'vip.xml': vip(
          TWO +
            cand('c3', 'Cy Poe') +
            sel('s3', 'c3') +
            GOV +
            office('off2', 'st', 'State Auditor') +
            contest('k1', 's1 s2', 'st', 'off1') +
            contest('k2', 's3', 'st', 'off2'),
        ),
      },
      {
        'vip.xml': vip(
          TWO +
            cand('c3', 'Cy Poe') +
            sel('s3', 'c3') +
            office('off2', 'st', 'Governor') +
            office('off1', 'st', 'State Auditor') +
            contest('k2', 's1 s2', 'st', 'off2') +
            contest('k1', 's3', 'st', 'off1'),
          { made: '2022-12-05' },
        ),
      },
    ],
  },
  'VIP: second edition, corrected name and winner': {
    source: 'vip',
    editions: [
      {
        'vip.xml': vip(cand('c1', 'Ann Rowe', win) + cand('c2', 'Bob Doe') + RACE),
      },
      {
        'vip.xml': vip(cand('c1', 'Ann Roe') + cand('c2', 'Bob Doe', win) + RACE, { made: '2022-12-05' }),
      },
    ],
  },
  'VIP: second edition takes winner back': {
    source: 'vip',
    editions: [
      {
        'vip.xml': vip(WON_BY_FIRST + RACE),
      },
      { 'vip.xml': vip(CANDIDATES + RACE, { made: '2022-12-05' }) },
    ],
  },
  'VIP: older edition after the newer': {
    source: 'vip',
    editions: [
      {
        'vip.xml': vip(cand('c1', 'Ann Roe') + cand('c2', 'Bob Doe', win) + RACE, { made: '2022-12-05' }),
      },
      {
        'vip.xml': vip(WON_BY_FIRST + RACE, { made: '2022-11-09' }),
      },
    ],
  },
  'VIP: unknown state': V(CANDIDATES + RACE, {
    state: 'ocd-division/country:us/state:zz',
    vid: '99',
  }),
  'VIP: same candidate by two selections': V(
    cand('c1', 'Ann Roe') +
      cand('c2', 'Bob Doe') +
      sel('s1', 'c1') +
      sel('s2', 'c2') +
      sel('s3', 'c1') +
      GOV +
      contest('k1', 's1 s2 s3', 'st', 'off1'),
  ),
  'VIP: selection listed twice': V(TWO + GOV + contest('k1', 's1 s1 s2', 'st', 'off1')),
  'VIP: office of another district': V(
    TWO + CD1 + office('off1', 'ed1', 'US Representative') + contest('k1', 's1 s2', 'st', 'off1'),
  ),
  'VIP: empty name': V(cand('c1', ' ') + cand('c2', 'Bob Doe') + RACE),

  'CDF: votes odd': C({
    cands:
      AB + cc('c3', 'C C') + cc('c4', 'D D') + cc('c5', 'E E') + cc('c6', 'F F') + cc('c7', 'G G') + cc('c8', 'H H'),
    contests: con(
      'k1',
      ['-5', '1.5', '0x10', '1e3', '99999999999', '', '1,000', '+7']
        .map((n, i) => cs(`s${i}`, `c${i + 1}`, vc('me', n)))
        .join(''),
      'me',
      'gov',
    ),
  }),
  'CDF: overflow sum': C({
    cands: AB,
    contests: votes(vc('york', '2000000000') + vc('knox', '2000000000'), vc('york', '1') + vc('knox', '1')),
  }),
  'CDF: total below its modes': C({
    cands: AB,
    contests: votes(vc('me', '10') + vc('me', '30', 'absentee'), vc('me', '20')),
  }),
  'CDF: parts above the whole': C({
    cands: AB,
    contests: votes(vc('me', '10') + vc('york', '30') + vc('knox', '5'), vc('me', '20')),
  }),
  'CDF: two counties of sixteen': C({
    cands: FIRST_WON,
    contests: votes(vc('york', '10') + vc('knox', '5'), vc('york', '30') + vc('knox', '5')),
  }),
  'CDF: county report of a state contest': C({
    scope: 'york',
    cands: FIRST_WON,
    contests: votes(vc('york', '10'), vc('york', '3')),
  }),
  'CDF: county report of a state contest, precincts': C({
    scope: 'york',
    cands: FIRST_WON,
    contests: votes(vc('p1', '10') + vc('p2', '1'), vc('p1', '3') + vc('p2', '2')),
  }),
  'CDF: rival lacks an area': C({
    cands: AB,
    offices: off('gov', 'york', 'Sheriff'),
    contests: con(
      'k1',
      cs('s1', 'c1', vc('p1', '10') + vc('p2', '30')) + cs('s2', 'c2', vc('p1', '20')),
      'york',
      'gov',
    ),
  }),
  'CDF: winner has fewest votes': C({
    cands: FIRST_WON,
    contests: votes(vc('me', '3'), vc('me', '500')),
  }),
  'CDF: tie with winner': C({
    cands: FIRST_WON,
    contests: votes(vc('me', '30'), vc('me', '30')),
  }),
  'CDF: president of a state': C({
    cands: FIRST_WON,
    offices: off('gov', 'me', 'President and Vice President', '<Role>president</Role>'),
    contests: VOTES,
  }),
  'CDF: party lines of a candidate': C({
    cands: AB,
    contests: con(
      'k1',
      cs('s1', 'c1', vc('me', '30')) + cs('s3', 'c1', vc('me', '20')) + cs('s2', 'c2', vc('me', '40')),
      'me',
      'gov',
    ),
  }),
  'CDF: write-in line': C({
    cands: AB + cc('c3', 'Write-in'),
    contests: con('k1', LINES + cs('s3', 'c3', vc('me', '400'), '<IsWriteIn>true</IsWriteIn>'), 'me', 'gov'),
  }),
  'CDF: label wins': C({
    cands: AB + cc('c3', 'Write-in', win),
    contests: con('k1', LINES + cs('s3', 'c3', vc('me', '400'), '<IsWriteIn>true</IsWriteIn>'), 'me', 'gov'),
  }),
  'CDF: no date': C({ cands: AB, contests: VOTES, start: '' }),
  'CDF: unknown type': C({ cands: AB, contests: VOTES, type: 'festival' }),
  'CDF: measure with candidates': C({
    cands: cc('c1', 'Ann Roe', win),
    contests: con('k1', cs('s1', 'c1', vc('me', '30')), 'me', '', '', 'BallotMeasureContest'),
  }),
  'CDF: measure yes twice': C({
    cands: '',
    contests: con(
      'k1',
      ['Yes', 'Yes', 'No']
        .map(
          (a, i) =>
            `<BallotSelection objectId="b${i}" xsi:type="BallotMeasureSelection"><VoteCountsCollection>${vc('me', '9')}</VoteCountsCollection><Selection>${text(a)}</Selection></BallotSelection>`,
        )
        .join(''),
      'me',
      '',
      '',
      'BallotMeasureContest',
    ),
  }),
  'CDF: measure county votes of a state': C({
    scope: 'me',
    cands: '',
    contests: con(
      'k1',
      ['Yes', 'No']
        .map(
          (a, i) =>
            `<BallotSelection objectId="b${i}" xsi:type="BallotMeasureSelection"><VoteCountsCollection>${vc('york', '9')}</VoteCountsCollection><Selection>${text(a)}</Selection></BallotSelection>`,
        )
        .join(''),
      'me',
      '',
      '',
      'BallotMeasureContest',
    ),
  }),
  'CDF: holder dates odd': C({
    cands: AB,
    contests: VOTES,
    persons: `<Person objectId="q1"><FullName>${text('Zed Zorn')}</FullName></Person>`,
    offices: off(
      'gov',
      'me',
      'Governor',
      '<OfficeHolderPersonIds>q1</OfficeHolderPersonIds><Term><EndDate>2020-01-01</EndDate><StartDate>2022-01-05</StartDate></Term>',
    ),
  }),
  'CDF: second edition other order of elections': {
    source: 'civics-cdf',
    editions: [0, 1].map((i) => ({
      'e.xml': cdf({ cands: AB, contests: VOTES, made: `2022-12-0${i + 1}` }).replace(
        /(<Election objectId="el1">[\s\S]*?<\/Election>)/,
        (m) => {
          const o = `<Election objectId="el2"><CandidateCollection>${cc('d1', 'Zed Zorn')}</CandidateCollection><ContestCollection>${con('j1', cs('t1', 'd1', vc('me', '5')), 'me', 'gov')}</ContestCollection><ElectionScopeId>me</ElectionScopeId><StartDate>2022-06-14</StartDate><EndDate>2022-06-14</EndDate><Type>primary</Type></Election>`;
          return i ? o + m : m + o;
        },
      ),
    })),
  },
  'CDF: count of another district unit': C({ cands: AB, contests: votes(vc('nowhere', '30'), vc('nowhere', '20')) }),
  'CDF: namespace': {
    source: 'civics-cdf',
    editions: [
      {
        'e.xml': cdf({ cands: AB, contests: VOTES }).replace(
          '<ElectionReport ',
          '<ElectionReport xmlns="http://example.org/x" ',
        ),
      },
    ],
  },

  'RCTab: elected is no candidate': R([FIRST, [A2, [{ elected: 'Zed Zorn' }]]]),
  'RCTab: elected was eliminated': R([
    [A3, [{ eliminated: 'Poe, Cy' }]],
    [A2, [{ elected: 'Poe, Cy' }]],
  ]),
  'RCTab: elected has fewer votes': R([FIRST, [A2, [{ elected: 'Roe, Ann' }]]]),
  'RCTab: elected label': R([
    [{ ...A3, 'Undeclared Write-ins': '70' }, [{ eliminated: 'Poe, Cy' }]],
    [{ ...A2, 'Undeclared Write-ins': '72' }, [{ elected: 'Undeclared Write-ins' }]],
  ]),
  'RCTab: rounds grow': R([FIRST, [{ 'Roe, Ann': '50', 'Doe, Bob': '570' }, [{ elected: 'Doe, Bob' }]]]),
  'RCTab: transfers contradict': R([
    [A3, [{ eliminated: 'Poe, Cy', transfers: { 'Doe, Bob': '2', exhausted: '18' } }]],
    [A2, [{ elected: 'Doe, Bob' }]],
  ]),
  'RCTab: rounds out of order': {
    source: 'rctab',
    editions: [
      {
        'a.json': rc(GOOD)
          .replace('"round":1', '"round":7')
          .replace('"round":2', '"round":1')
          .replace('"round":7', '"round":2'),
      },
    ],
  },
  'RCTab: round twice': { source: 'rctab', editions: [{ 'a.json': rc(GOOD).replace('"round":2', '"round":1') }] },
  'RCTab: reappears': R([
    [A3, [{ eliminated: 'Doe, Bob' }]],
    [{ 'Roe, Ann': '60', 'Poe, Cy': '30' }, []],
    [{ 'Roe, Ann': '40', 'Doe, Bob': '57' }, [{ elected: 'Doe, Bob' }]],
  ]),
  'RCTab: one name in two forms': R([
    [{ ...A3, 'Bob Doe': '5' }, [{ eliminated: 'Poe, Cy' }]],
    [{ ...A2, 'Bob Doe': '6' }, [{ elected: 'Doe, Bob' }]],
  ]),
  'RCTab: all exhausted': R([
    [A3, [{ eliminated: 'Poe, Cy', transfers: { exhausted: '20' } }]],
    [{ 'Roe, Ann': '50', 'Doe, Bob': '45' }, [{ elected: 'Roe, Ann' }]],
  ]),
  'RCTab: tie': R([
    [{ 'Roe, Ann': '50', 'Doe, Bob': '50' }, [{ eliminated: 'Doe, Bob' }]],
    [{ 'Roe, Ann': '100' }, [{ elected: 'Roe, Ann' }]],
  ]),
  'RCTab: nobody elected': R([FIRST, [A2, []]]),
  'RCTab: overflow': R([[{ 'Roe, Ann': '99999999999999999999', 'Doe, Bob': '1' }, [{ elected: 'Roe, Ann' }]]]),
  'RCTab: negative': R([[{ 'Roe, Ann': '-5', 'Doe, Bob': '1' }, [{ elected: 'Doe, Bob' }]]]),
  'RCTab: fraction': R([[{ 'Roe, Ann': '5.5', 'Doe, Bob': '1' }, [{ elected: 'Roe, Ann' }]]]),
  'RCTab: blank votes': R([[{ 'Roe, Ann': '', 'Doe, Bob': '1' }, [{ elected: 'Doe, Bob' }]]]),
  'RCTab: empty tally': R([[{}, [{ elected: 'Doe, Bob' }]]]),
  'RCTab: no date': R(GOOD, { date: '' }),
  'RCTab: bad date': R(GOOD, { date: '2018-02-30' }),
  'RCTab: congress 99': R(GOOD, { office: 'Congressional District 99' }),
  'RCTab: state rep foo': R(GOOD, { office: 'State Representative - District vote' }),
  'RCTab: state rep 9999': R(GOOD, { office: 'State Representative - District 9999' }),
  'RCTab: jurisdiction blank with state': R(GOOD, { jurisdiction: '', office: 'Mayor' }, { state: 'ME' }),
  'RCTab: office blank': R(GOOD, { jurisdiction: 'Portland, ME', office: '' }),
  'RCTab: county that is none': R(GOOD, { jurisdiction: 'Portland County, ME', office: 'Sheriff' }),
  'RCTab: special': R(GOOD, { contest: '2018 Special Election' }),
  'RCTab: president': R(GOOD, { office: 'President' }),
  'RCTab: state contradicts option': R(GOOD, { jurisdiction: 'Portland, OR', office: 'Mayor' }, { state: 'ME' }),
  'RCTab: second edition with another winner': {
    source: 'rctab',
    editions: [
      { 'a.json': rc(GOOD) },
      {
        'a.json': rc([
          [A3, [{ eliminated: 'Poe, Cy' }]],
          [{ 'Roe, Ann': '60', 'Doe, Bob': '55' }, [{ elected: 'Roe, Ann' }]],
        ]),
      },
    ],
  },
  'RCTab: second edition with a corrected name': {
    source: 'rctab',
    editions: [{ 'a.json': rc(GOOD) }, { 'a.json': rc(GOOD).replaceAll('Doe, Bob', 'Dough, Bob') }],
  },
  'RCTab: two files of one contest': {
    source: 'rctab',
    editions: [
      {
        'a.json': rc(GOOD),
        'b.json': rc([
          [A3, [{ eliminated: 'Poe, Cy' }]],
          [{ 'Roe, Ann': '60', 'Doe, Bob': '55' }, [{ elected: 'Roe, Ann' }]],
        ]),
      },
    ],
  },
  'RCTab: huge name': R([[{ ['A'.repeat(200000)]: '50', 'Doe, Bob': '1' }, [{ elected: 'A'.repeat(200000) }]]]),

  'ranked-vote: winner out of range': Q(RV3, RVR, 9),
  'ranked-vote: winner was eliminated': Q(RV3, RVR, 2),
  'ranked-vote: winner has fewer': Q(RV3, RVR, 0),
  'ranked-vote: winner is write-in': Q(['Ann Roe', ['Write-in', 'WriteIn'], 'Cy Poe'], RVR, 1),
  'ranked-vote: allocatee out of range': Q(
    RV3,
    [
      [
        [0, 50],
        [1, 45],
        [7, 200],
      ],
      [
        [0, 50],
        [1, 57],
      ],
    ],
    1,
  ),
  'ranked-vote: allocatee twice': Q(
    RV3,
    [
      [
        [0, 50],
        [1, 45],
        [1, 45],
        [2, 20],
      ],
      [
        [0, 50],
        [1, 57],
      ],
    ],
    1,
  ),
  'ranked-vote: rounds grow': Q(
    RV3,
    [
      [
        [0, 50],
        [1, 45],
        [2, 20],
      ],
      [
        [0, 50],
        [1, 570],
      ],
    ],
    1,
  ),
  'ranked-vote: reappears': Q(
    RV3,
    [
      [
        [0, 50],
        [1, 45],
        [2, 20],
      ],
      [
        [0, 55],
        [2, 30],
      ],
      [
        [0, 40],
        [1, 57],
      ],
    ],
    1,
  ),
  'ranked-vote: same name twice': Q(['Ann Roe', 'Bob Doe', 'Bob Doe'], RVR, 1),
  'ranked-vote: congress 99': Q(RV3, RVR, 1, { officeName: 'Congressional District 99' }),
  'ranked-vote: no jurisdiction name': Q(RV3, RVR, 1, {
    jurisdictionPath: 'us/me/portland',
    jurisdictionName: '',
    officeName: 'Mayor',
  }),
  'ranked-vote: negative': Q(
    RV3,
    [
      [
        [0, -50],
        [1, 45],
      ],
    ],
    1,
  ),
  'ranked-vote: overflow': Q(
    RV3,
    [
      [
        [0, 5000000000],
        [1, 45],
      ],
    ],
    0,
  ),
  'ranked-vote: president': Q(RV3, RVR, 1, { officeName: 'President' }),
  'ranked-vote: candidate in no round': Q([...RV3, 'Di Loe'], RVR, 1),
  'ranked-vote: bom': { source: 'ranked-vote', editions: [{ 'report.json': `\ufeff${rv(RV3, RVR, 1)}` }] },
  'ranked-vote: second edition another winner': {
    source: 'ranked-vote',
    editions: [
      { 'report.json': rv(RV3, RVR, 1) },
      {
        'report.json': rv(
          RV3,
          [
            [
              [0, 50],
              [1, 45],
              [2, 20],
            ],
            [
              [0, 60],
              [1, 55],
            ],
          ],
          0,
        ),
      },
    ],
  },
};
