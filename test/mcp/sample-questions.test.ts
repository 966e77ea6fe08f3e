import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { loadTestSample } from '../support/sample.ts';
import { call, connect } from './client.ts';

/**
 * Questions of voters about the sample, answered by the tools alone: what GraphQL returns to the equivalent query is
 * in the results, and what the data does not contain is said, and nothing else.
 */
const TODAY = '2026-11-25';
const database = useDatabase();
beforeAll(() => loadTestSample(database.db), 300_000);
const service = useApp(database, { TODAY });
let client: Client;
beforeAll(async () => {
  client = await connect(service, service.key('full'));
});
afterAll(() => client.close());

const MONTPELIER = { latitude: 44.2601, longitude: -72.5754 };
const AUGUSTA = { latitude: 44.3106, longitude: -69.7795 };
const ANCHORAGE = { latitude: 61.2176, longitude: -149.8997 };
const SOUTH_VALLEY = { latitude: 35.05, longitude: -106.72 };
const DENVER = { latitude: 39.7392, longitude: -104.9903 };
const ATLANTA = { latitude: 33.749, longitude: -84.388 };
const at = ({ latitude, longitude }: typeof AUGUSTA) => `location(latitude: ${latitude}, longitude: ${longitude})`;
const HOLDERS = 'offices { officeholders { person { name } } }';

interface Question {
  readonly question: string;
  readonly calls: readonly (readonly [tool: string, input: Record<string, unknown>])[];
  /** Its strings and numbers have to be in the results. */
  readonly oracle?: string;
  /** Is said in `notKnown`. */
  readonly says?: RegExp;
  /** Is said nowhere: it is not so. */
  readonly never?: RegExp;
}

const QUESTIONS: readonly Question[] = [
  {
    question: 'Who is my representative in Montpelier?',
    calls: [['who_represents', { ...MONTPELIER, districtTypes: ['CONGRESS'] }]],
    oracle: `{ ${at(MONTPELIER)} { districts(types: [CONGRESS]) { name ${HOLDERS} } } }`,
    says: /^The officeholders are those of 2026-06-15: later changes are not in the data\.$/m,
  },
  {
    question: 'Who is my state representative?',
    calls: [['who_represents', { ...MONTPELIER, districtTypes: ['STATE_LEGISLATIVE_LOWER'] }]],
    says: /^VT on 2026-11-25: no data set with districts of this type was loaded \(State Legislative \(Lower\)\)\.$/m,
    never: /No district/,
  },
  {
    question: 'Who was on the ballot in Anchorage in August 2022, and who won?',
    calls: [
      ['whats_on_my_ballot', { ...ANCHORAGE, date: '2022-08-16' }],
      ['results', { state: 'AK', date: '2022-08-16' }],
    ],
    oracle: `{ ${at(ANCHORAGE)} { ballot(electionDate: "2022-08-16") { districts { races { candidates { person { name } votes } } } } } }`,
  },
  {
    question: 'When is my next election in Augusta?',
    calls: [['find_elections', AUGUSTA]],
    oracle: `{ ${at(AUGUSTA)} { elections(from: "${TODAY}", to: "2099-12-31") { date } } }`,
    says: /^Of ME, only elections of these types are loaded: .*General.*\. Others are not known\.$/m,
    never: /No election is known/,
  },
  {
    question: "How close was Maine's second district in 2018?",
    calls: [['results', { state: 'ME', date: '2018-11-06', office: 'house' }]],
    oracle:
      '{ stateBallot(state: "ME", electionDate: "2018-11-06", districtTypes: [CONGRESS], first: 100) { edges { node { races { margin } } } } }',
  },
  {
    question: 'Is Susan Collins my senator, and until when?',
    calls: [['find_person', { name: 'Susan Collins' }]],
    oracle: '{ people(name: "collins susan") { edges { node { name officeholders { endDate } } } } }',
  },
  {
    question: 'Did my district in the west of Albuquerque change?',
    calls: [
      ['compare_maps', { ...SOUTH_VALLEY, first: '2020-01-01', second: '2024-01-01', districtTypes: ['CONGRESS'] }],
    ],
    oracle: `{ ${at(SOUTH_VALLEY)} { changes(from: "2020-01-01", to: "2024-01-01") { changes { day left { district { name } } entered { district { name } } } } } }`,
  },
  {
    question: 'Did my district in Denver change?',
    calls: [['compare_maps', { ...DENVER, first: '2020-01-01', second: '2024-01-01', districtTypes: ['CONGRESS'] }]],
    says: /^CO on 2020-01-01: the districts have no boundary on this day: no map of this day was loaded \(Congress\)\.$/m,
  },
  {
    question: 'What is on my ballot in Atlanta in November 2026?',
    calls: [['whats_on_my_ballot', { ...ATLANTA, date: '2026-11-03' }]],
    says: /^The races and measures of this election are not known\.$/m,
  },
  {
    question: 'What is on my ballot in Augusta in 2028?',
    calls: [['whats_on_my_ballot', { ...AUGUSTA, date: '2028-11-07' }]],
    says: /^The races and measures of this election are not known\.$/m,
  },
  {
    question: 'Who represented me in 2019?',
    calls: [['who_represents', { ...AUGUSTA, on: '2019-06-01' }]],
    says: /is vacant, or its holder is not known/,
  },
  {
    question: 'Who represents Los Angeles County?',
    calls: [['find_place', { text: 'Los Angeles County, CA', districtTypes: ['CONGRESS'] }]],
    oracle: `{ geocode(text: "Los Angeles County, CA") { area { districts(types: [CONGRESS]) { areaShare district { name ${HOLDERS} } } } } }`,
    says: /lies in \d+ districts of the type CONGRESS: an address tells which one applies\.$/m,
    never: /"latitude"/,
  },
  {
    question: 'Who represents the ZIP code 04330?',
    calls: [['find_place', { text: '04330' }]],
    says: /^The data have a point on the map for the ZIP code 04330, but not its area, so its districts are not known\./m,
  },
  {
    question: 'Which district is the city of Augusta in Maine in?',
    calls: [['find_place', { text: 'Augusta, Maine' }]],
    says: /^The data have a point on the map for Augusta, ME, but not its area, so its districts are not known\./m,
    never: /Virginia|, VA/,
  },
  {
    question: 'Who is the delegate of Washington, DC?',
    calls: [['find_place', { text: 'Washington, DC' }]],
    oracle: `{ geocode(text: "District of Columbia") { area { districts(types: [CONGRESS, STATE]) { district { name ${HOLDERS} } } } } }`,
  },
  {
    question: 'Who represents New York, NY?',
    calls: [['find_place', { text: 'New York, NY' }]],
    oracle: '{ geocode(text: "New York, NY") { matches { label } } }',
    says: /^The data have a point on the map for New York City, NY, but not its area/m,
  },
  {
    question: 'Which elections did Vermont hold in 2022?',
    calls: [['find_elections', { state: 'vt', from: '2022-01-01', to: '2022-12-31' }]],
    oracle: '{ elections(filter: { state: "VT", year: 2022 }) { edges { node { date type } } } }',
    says: /^Of VT, only elections of these types are loaded/m,
  },
  {
    question: 'Who are the senators of Vermont?',
    calls: [['find_place', { text: 'Vermont', districtTypes: ['STATE'] }]],
    oracle: `{ geocode(text: "VT") { area { districts(types: [STATE]) { district { ${HOLDERS} } } } } }`,
  },
  {
    question: 'How did Alaska vote on a constitutional convention in 2022?',
    calls: [['results', { state: 'AK', date: '2022-11-08', office: 'constitutional convention' }]],
    oracle:
      '{ stateBallot(state: "AK", electionDate: "2022-11-08", first: 100) { edges { node { ballotMeasures { yesVotesTotal noVotesTotal } } } } }',
  },
  {
    question: 'Which school district am I in?',
    calls: [['who_represents', { ...AUGUSTA, districtTypes: ['SCHOOL_DISTRICT', 'COUNTY'] }]],
    oracle: `{ ${at(AUGUSTA)} { districts(types: [COUNTY]) { name } } }`,
    says: /no data set with districts of this type was loaded \(School District\)\.$/m,
  },
  {
    question: 'Where did Montpelier vote in November 2018?',
    calls: [['where_to_vote', { ...MONTPELIER, on: '2018-11-06', language: 'es' }]],
    oracle: `{ ${at(MONTPELIER)} { voting(on: "2018-11-06") { state places { place { name address } } deadlines(language: "es") { day phrase { text } } } } }`,
    never: /not in the data/,
  },
  {
    question: 'Where does Montpelier vote in its next election?',
    calls: [['where_to_vote', MONTPELIER]],
    oracle: `{ ${at(MONTPELIER)} { voting { date state deadlines { day asOf } } } }`,
    says: /^The places to vote of this election are not in the data\. Ask Vermont Secretary of State: https:/,
    never: /City Hall/,
  },
  {
    question: 'Until when can I register in Maine?',
    calls: [['deadlines', { state: 'ME', language: 'ar' }]],
    oracle:
      '{ elections(filter: { state: "ME", from: "2026-11-25" }) { nodes { deadlines(language: "ar") { day phrase { text } url } } } }',
  },
  {
    question: 'Who won the elections of the state ZZ?',
    calls: [['results', { state: 'ZZ', date: '2022-11-08' }]],
    says: /^The data has no state ZZ\.$/m,
  },
];

/** Returns all strings and numbers of a value. */
function valuesOf(value: unknown): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : [];
}

describe('a question about the sample', () => {
  it.each(QUESTIONS)('$question', async ({ calls, oracle, says, never }) => {
    const values = new Set<string>();
    const notKnown: string[] = [];
    let texts = '';
    for (const [tool, input] of calls) {
      const { structured, isError, text } = await call(client, tool, input);
      expect(isError, text).toBeUndefined();
      for (const value of valuesOf(structured)) values.add(String(value));
      notKnown.push(...((structured?.notKnown as string[] | undefined) ?? []));
      texts += text;
    }
    if (oracle) {
      const { data, errors } = await request(database.db, oracle, { today: TODAY });
      expect(errors).toBeUndefined();
      const expected = valuesOf(data).map(String);
      expect(expected.length).toBeGreaterThan(0);
      const all = [...values].join('\n');
      expect(expected.filter((value) => !values.has(value) && !all.includes(value))).toEqual([]);
    }
    if (says) expect(notKnown.join('\n')).toMatch(says);
    if (never) expect(texts).not.toMatch(never);
  });

  it.each([
    ['of a state', { state: 'VT' }],
    ['of a point', MONTPELIER],
  ])('with a range the wrong way round is rejected: %s', async (_, where) => {
    const { isError, text } = await call(client, 'find_elections', { ...where, from: '2023-01-01', to: '2022-01-01' });
    expect([isError, text]).toEqual([
      true,
      'INVALID_PARAMETER: from must not be after to: 2023-01-01 is after 2022-01-01.',
    ]);
  });
});
