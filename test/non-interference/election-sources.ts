import { join } from 'node:path';
import { countiesOf, plainCountyName } from '../../src/importers/facts/counties.ts';
import type { SourceName } from '../../src/importers/import.ts';

/** Election results as sources publish them, the winner first: a permutation determines who wins. */

const PEOPLE = ['Zoe Zander', 'Ada Able', 'Max Miller', 'Bo Baker', 'Kim Kent', 'Eve Ellis'];
const CONTESTS = [
  { office: 'US HOUSE', district: '001', dataverse: 'HOUSE', open: 'U.S. House,1' },
  { office: 'US HOUSE', district: '002', dataverse: 'HOUSE', open: 'U.S. House,2' },
  { office: 'US SENATE', district: 'STATEWIDE', dataverse: 'SENATE', open: 'U.S. Senate,' },
  { office: 'GOVERNOR', district: 'STATEWIDE', dataverse: 'STATE', open: 'Governor,' },
];
const PARTIES = ['DEM', 'REP', 'IND'];
/** Only files with all counties decide a contest of a state or a district. */
const COUNTIES = countiesOf('ME', '2018-11-06').map((county) => ({
  fips: county.geoid,
  name: plainCountyName(county),
}));

/** The votes by rank; the last one has some, too, so that every candidate is in all rows. */
const votesOf = (place: number): number => 1000 - 137 * place;

interface Line {
  readonly contest: number;
  readonly name: string;
  readonly party: string;
  readonly votes: number;
}

/** A line for each candidate, as a file that is sorted by votes over all of its contests has them. */
function linesOf(places: readonly number[]): Line[] {
  const lines = CONTESTS.flatMap((_, contest) =>
    places.slice(0, 4).map((place, index) => ({
      contest,
      name: PEOPLE[(index + contest) % PEOPLE.length] ?? '',
      party: PARTIES[index % PARTIES.length] ?? '',
      votes: votesOf((place + contest) % 4) + contest,
    })),
  );
  return lines.sort((a, b) => b.votes - a.votes);
}

const MEDSL =
  'precinct,office,party_detailed,mode,votes,county_name,county_fips,jurisdiction_name,candidate,district,magnitude,dataverse,stage,special,writein,state_po,date';

function medsl(places: readonly number[]): string {
  const row = (office: string, party: string, votes: number, candidate: string, district: string, dataverse: string) =>
    COUNTIES.map(
      ({ fips, name }) =>
        `A,${office},${party},TOTAL,${votes},${name.toUpperCase()},${fips},A,${candidate},${district},1,${dataverse},GEN,FALSE,FALSE,ME,2018-11-06`,
    ).join('\n');
  const candidates = linesOf(places).map(({ contest, name, party, votes }) => {
    const { office = '', district = '', dataverse = '' } = CONTESTS[contest] ?? {};
    return row(office, party, votes, name.toUpperCase(), district, dataverse);
  });
  const responses = [1, 2, 3].flatMap((number) => {
    const counts = [100 + number * 10, 200 + number];
    const [yes = 0, no = 0] = (places[number] ?? 0) % 2 === 0 ? counts : counts.toReversed();
    const rows = [
      { votes: yes, text: row(`QUESTION ${number}: BONDS FOR ROADS ${number}`, '', yes, 'YES', 'STATEWIDE', 'STATE') },
      { votes: no, text: row(`QUESTION ${number}: BONDS FOR ROADS ${number}`, '', no, 'NO', 'STATEWIDE', 'STATE') },
    ];
    return rows.sort((a, b) => b.votes - a.votes).map(({ text }) => text);
  });
  return [MEDSL, ...candidates, ...responses, ''].join('\n');
}

function openElections(places: readonly number[]): string {
  const rows = linesOf(places).flatMap(({ contest, name, party, votes }) =>
    COUNTIES.map((county) => `${county.name},A,${CONTESTS[contest]?.open},${party},${name},${votes}`),
  );
  return ['county,town,office,district,party,candidate,votes', ...rows, ''].join('\n');
}

/** Names with the votes of two rounds, the winner first; the third is eliminated after the first round. */
function rounds(places: readonly number[]) {
  return places
    .slice(0, 3)
    .map((place, index) => ({ name: PEOPLE[index] ?? '', place: place % 3, votes: votesOf(place % 3) }))
    .sort((a, b) => a.place - b.place);
}

function rankedVote(places: readonly number[]): string {
  const ranked = rounds(places);
  const allocations = (round: number) =>
    ranked
      .filter(({ place }) => round === 1 || place < 2)
      .map(({ votes }, index) => ({ allocatee: index, votes: votes + (round === 1 ? 0 : 50 - index) }));
  return JSON.stringify({
    info: {
      date: '2022-11-08',
      jurisdictionPath: 'us/me',
      jurisdictionName: 'Maine',
      officeName: 'Congressional District 2',
      electionName: 'General Election',
    },
    candidates: ranked.map(({ name }) => ({ name, candidate_type: 'Regular' })),
    rounds: [1, 2].map((round) => ({ allocations: allocations(round) })),
    winner: 0,
  });
}

function rctab(places: readonly number[]): string {
  const ranked = rounds(places);
  const [first, second, third] = ranked.map(({ name }) => name);
  const tally = (round: number) =>
    Object.fromEntries(
      ranked
        .filter(({ place }) => round === 1 || place < 2)
        .map(({ name, votes }) => [name, String(votes + 10 * round)]),
    );
  return JSON.stringify({
    config: { contest: 'Governor', date: '2022-11-08', jurisdiction: 'Maine', office: 'Governor' },
    results: [
      { round: 1, tally: tally(1), tallyResults: [{ eliminated: third }] },
      { round: 2, tally: tally(2), tallyResults: [{ elected: first }, { eliminated: second }] },
    ],
  });
}

/** Returns the files of all sources for elections with this outcome: the rank of each candidate, 0 for the winner. */
export function electionSources(places: readonly number[]): { source: SourceName; files: Record<string, string> }[] {
  return [
    { source: 'medsl', files: { 'contests.csv': medsl(places) } },
    { source: 'openelections', files: { [join('open', '20201103__me__general__town.csv')]: openElections(places) } },
    { source: 'ranked-vote', files: { 'report.json': rankedVote(places) } },
    { source: 'rctab', files: { 'governor.json': rctab(places) } },
  ];
}
