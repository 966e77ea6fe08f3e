import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { FourStates, Json } from './database.ts';
import { plainName, precinctRows, standingsOf, votesByName } from './sources.ts';

/** Downtown Anchorage and Portland, Albuquerque and Montpelier, with the names of their districts in the precinct files. */
const PLACES = {
  AK: { lat: 61.2176, long: -149.8997, house: { '2018': '20' }, senate: { '2018': 'J' } },
  ME: { lat: 43.6591, long: -70.2568, congress: '1' },
  NM: { lat: 35.0844, long: -106.6504, congress: '1' },
  VT: { lat: 44.2601, long: -72.5754, house: { '2018': 'WAS-4' }, senate: { '2018': 'WAS' } },
} as const;
type State = keyof typeof PLACES;

/** The offices in the precinct files by their types; without a district for the whole state. */
const STATEWIDE: Readonly<Record<string, string>> = {
  Governor: 'GOVERNOR',
  'Lieutenant Governor': 'LIEUTENANT GOVERNOR',
  'Attorney General': 'ATTORNEY GENERAL',
  'Secretary of State': 'SECRETARY OF STATE',
  Treasurer: 'STATE TREASURER',
  Auditor: 'STATE AUDITOR',
  'Auditor of Accounts': 'AUDITOR OF ACCOUNTS',
  'Commissioner of Public Lands': 'COMMISSIONER OF PUBLIC LANDS',
};

interface Contest {
  readonly office: string;
  readonly district?: string;
}

/** The contest of the precinct files that a race of a ballot is; undefined for those that are not compared. */
function contestOf(race: Json, state: State, year: '2018' | '2022'): Contest | undefined {
  const { type, level, chamber } = race.office;
  const place: { congress?: string; house?: Record<string, string>; senate?: Record<string, string> } = PLACES[state];
  if (level === 'Federal' && type === 'Senator') return { office: 'US SENATE' };
  if (level === 'Federal' && type === 'Representative') return { office: 'US HOUSE', district: place.congress };
  if (chamber === 'Lower') return { office: 'STATE HOUSE', district: place.house?.[year] ?? '?' };
  if (chamber === 'Upper') return { office: 'STATE SENATE', district: place.senate?.[year] ?? '?' };
  const office = STATEWIDE[type ?? ''];
  return office === undefined ? undefined : { office };
}

const BALLOTS: readonly [State, '2018-11-06' | '2022-11-08', offices: string[]][] = [
  [
    'AK',
    '2018-11-06',
    ['Governor of Alaska', 'Alaska House of Representatives District 20', 'U.S. House Alaska At-large District'],
  ],
  ['AK', '2022-11-08', ['Governor of Alaska', 'U.S. House Alaska At-large District', 'U.S. Senate Alaska']],
  ['ME', '2018-11-06', ['Governor of Maine', 'U.S. House Maine District 1', 'U.S. Senate Maine']],
  ['ME', '2022-11-08', ['Governor of Maine', 'U.S. House Maine District 1']],
  [
    'NM',
    '2018-11-06',
    [
      'Attorney General of New Mexico',
      'New Mexico Commissioner of Public Lands',
      'Governor of New Mexico',
      'New Mexico Secretary of State',
    ],
  ],
  [
    'NM',
    '2022-11-08',
    [
      'Attorney General of New Mexico',
      'New Mexico Commissioner of Public Lands',
      'Governor of New Mexico',
      'New Mexico Secretary of State',
    ],
  ],
  [
    'VT',
    '2018-11-06',
    [
      'Attorney General of Vermont',
      'Vermont Auditor of Accounts',
      'Governor of Vermont',
      'Lieutenant Governor of Vermont',
    ],
  ],
  [
    'VT',
    '2022-11-08',
    [
      'Attorney General of Vermont',
      'Vermont Auditor of Accounts',
      'Governor of Vermont',
      'Lieutenant Governor of Vermont',
    ],
  ],
];

async function ballot(states: FourStates, state: State, date: string): Promise<Json[]> {
  const { lat, long } = PLACES[state];
  const { elections } = await states.get('/data/elections_by_point', { lat, long, election_date: date });
  return elections.flatMap(({ districts }: Json) => districts);
}

/** Returns the district of a contest without leading zeros; an empty text for any spelling of the whole state. */
const plainDistrict = (district = '') =>
  district
    .toUpperCase()
    .replace(/^(STATEWIDE|AT-LARGE)$/, '')
    .replace(/^0+(?=.)/, '')
    .replace(/^0$/, '');

/**
 * Returns the name of a person in a source: the same name, or the only one with the same family name, because a person
 * who is in several sources is stored with the name of one of them.
 */
function nameIn(source: ReadonlyMap<string, unknown>, name: string): string | undefined {
  if (source.has(name)) return name;
  const family = (each: string) =>
    each
      .replace(/ (JR|SR|II|III)$/, '')
      .split(' ')
      .at(-1);
  const same = [...source.keys()].filter((each) => family(each) === family(name));
  return same.length === 1 ? same[0] : undefined;
}

/** Returns the votes of a name, or, if they are so many, those of all names in which the last name is the same: voters write it in differently. */
function spellings(source: ReadonlyMap<string, number>, name: string, votes: number): number | undefined {
  const last = name.split(' ').at(-1);
  const all = [...source].reduce((sum, [each, own]) => sum + (each.split(' ').at(-1) === last ? own : 0), 0);
  return all === votes ? all : source.get(name);
}

export function testBallots(states: FourStates): void {
  describe('ballots and results', () => {
    test.each(BALLOTS)('%s on %s: the votes of every name are the sums of the source', async (state, date, offices) => {
      const year = date.slice(0, 4) as '2018' | '2022';
      const rows = precinctRows(year, state);
      const compared: string[] = [];
      for (const race of (await ballot(states, state, date)).flatMap(({ races }) => races)) {
        const contest = contestOf(race, state, year);
        if (!contest) continue;
        const sums = votesByName(
          rows,
          (row) =>
            row.office === contest.office &&
            row.special?.toUpperCase() !== 'TRUE' &&
            plainDistrict(row.district) === (contest.district ?? ''),
        );
        const source = new Map([...sums].map(([name, votes]) => [plainName(name), votes]));
        const named = new Set<string | undefined>();
        for (const { person, votes_for_cand: votes } of race.candidates) {
          const name = nameIn(source, plainName(person.name));
          expect([race.office.name, person.name, votes]).toEqual([
            race.office.name,
            person.name,
            name === undefined ? 'not in the source' : spellings(source, name, votes),
          ]);
          named.add(name);
        }
        // No candidate with more votes is missing.
        const least = Math.min(...race.candidates.map(({ votes_for_cand: votes }: Json) => votes));
        const missing = [...source].filter(([name, votes]) => !named.has(name) && votes > least);
        expect(missing.filter(([name]) => !/^(WRITEIN|WRITE ?IN|UNDERVOTES|OVERVOTES|BLANK.*)$/.test(name))).toEqual(
          [],
        );
        compared.push(race.office.name);
      }
      expect(compared).toEqual(expect.arrayContaining(offices));
    });

    test("Maine's first district of 2018, and the second with its rounds", async () => {
      const district = async (lat: number, long: number): Promise<Json[]> => {
        const found = await states.get('/data/elections_by_point', { lat, long, election_date: '2018-11-06' });
        const all = found.elections.flatMap(({ districts }: Json) => districts);
        return all.find(({ type }: Json) => type === 'Congress').races[0].candidates;
      };
      const shown = ({ person, votes_for_cand, cand_status }: Json) => [person.name, votes_for_cand, cand_status];
      expect((await district(43.6591, -70.2568)).map(shown)).toEqual([
        ['Chellie Pingree', 201_195, 'Won'],
        ['Mark I. Holbrook', 111_188, 'Lost'],
        ['Martin J. Grohman', 29_670, 'Lost'],
      ]);
      const second = await district(44.8012, -68.7778);
      const rounds = second.map(({ person, ranked_choice_voting_rounds: all }) => [
        person.last_name,
        all.map(({ votes_for }: Json) => votes_for),
      ]);
      expect(rounds).toEqual([
        ['Golden', [132_013, 10_427]],
        ['Poliquin', [134_184, 4_747]],
        ['Bond', [16_552]],
        ['Hoar', [6_875]],
      ]);
      // The source has the votes of each round: the sum of the gains up to it.
      const counted = new Map(
        [...standingsOf('me/2018/11/cd02')].map(([name, standings]) => [plainName(name), standings] as const),
      );
      for (const { person, ranked_choice_voting_rounds: all } of second) {
        const gains = all.map(({ votes_for }: Json) => votes_for as number);
        const standings = gains.map((_: number, round: number) =>
          gains.slice(0, round + 1).reduce((sum: number, votes: number) => sum + votes, 0),
        );
        expect([person.name, standings]).toEqual([
          person.name,
          counted.get(nameIn(counted, plainName(person.name)) ?? ''),
        ]);
      }
      for (const { votes_for_cand, ranked_choice_voting_rounds: all } of second)
        expect(all.reduce((sum: number, { votes_for }: Json) => sum + votes_for, 0)).toBe(votes_for_cand);
      expect(second.map(({ cand_status }) => cand_status)).toEqual(['Won', 'Lost', 'Lost', 'Lost']);
    });

    test('the measures of New Mexico in 2022 whose place a row declares, and the others as written', async () => {
      const districts: Json[] = [];
      for (let page = 1; ; page++) {
        const district_type = 'State,County,City-town,Special District';
        const requested = { state: 'NM', election_date: '2022-11-08', district_type, page };
        const found = await states.get('/data/elections_by_state', requested);
        if (found === 'No results.') break;
        districts.push(...found.districts);
      }
      const measures = districts.flatMap(({ name, type, ballot_measures }: Json) =>
        (ballot_measures ?? []).map((measure: Json) => ({ ...measure, district: name, type: type as string })),
      );
      expect(new Set(measures.map(({ type }: Json) => type))).toEqual(new Set(['State']));
      const rows = precinctRows('2022', 'NM');
      const contests = Map.groupBy(rows, ({ office, district }) => `${office}|${district}`);
      const sums = [...contests.values()].map((contest) => votesByName(contest, () => true));
      for (const { yes_votes_total: yes, no_votes_total: no, ...measure } of measures) {
        const same = sums.filter((names) => names.get('YES') === yes && names.get('NO') === no);
        expect([measure.district, measure.official_title, same.length]).toEqual([
          measure.district,
          measure.official_title,
          1,
        ]);
      }
      expect(measures).toHaveLength(6);
      const local = await sql<{ county: string; yes: string; no: string }>`
        select county, jsonb_path_query_first(names, '$[*] ? (@.name == "YES")') ->> 'votes' as yes,
          jsonb_path_query_first(names, '$[*] ? (@.name == "NO")') ->> 'votes' as no
        from unplaced_contests where state = 'NM' and date = '2022-11-08' and names @? '$[*] ? (@.name == "YES")'`.execute(
        states.database.db,
      );
      expect(local.rows.length).toBeGreaterThan(20);
      const votes = sums.map((names) => `${names.get('YES')} ${names.get('NO')}`);
      expect(local.rows.filter(({ yes, no }) => !votes.includes(`${yes} ${no}`))).toEqual([]);
    });

    test('values that no source contains remain unknown: officeholders, and a county without a name', async () => {
      const { rows } = await sql<{ reported: number }>`
        select count(*) as reported from candidates where is_incumbent is not null`.execute(states.database.db);
      expect(rows).toEqual([{ reported: 0 }]);
      const counties = await sql<{ name: string }>`
        select name from districts
        where type = 'County' and state in ('ME', 'NM', 'VT') and not exists (
          select from boundaries as b where b.district_id = districts.id)`.execute(states.database.db);
      expect(counties.rows).toEqual([]);
    });
  });
}
