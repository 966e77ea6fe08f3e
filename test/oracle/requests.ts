import type { InjectOptions } from 'fastify';
import type { Expected as ExpectedByRules, Question } from './rules.ts';
import {
  by,
  type ExpectedDeadline,
  type ExpectedVoting,
  NEAR,
  sortedDeadlines,
  type VotingExpected,
} from './voting.ts';

export type Expected = ExpectedByRules & VotingExpected;

/** A request of one API for a part of the expected result, and a function that reads that part from its response. */
export interface Form {
  readonly name: string;
  /** Whether it is about today only: its `day` is today. */
  readonly isToday?: true;
  request(question: Question): InjectOptions;
  expected(expected: Expected): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
  read(data: any): unknown;
}

type Named = { readonly id: number };

function graph(name: string, selection: string, parts: Pick<Form, 'expected' | 'read'>): Form {
  const isUsed = (name: string) => selection.includes(`$${name}`);
  const declared = [...(isUsed('day') ? ['$day: Date!'] : []), ...(isUsed('election') ? ['$election: ID!'] : [])];
  const query = `query (${['$latitude: Latitude!, $longitude: Longitude!', ...declared].join(', ')}) {
    location(latitude: $latitude, longitude: $longitude) { ${selection} } }`;
  const request = ({ latitude, longitude, day, electionId }: Question) => {
    const ofDay = { ...(isUsed('day') && { day }), ...(isUsed('election') && { election: electionId }) };
    return {
      method: 'POST',
      url: '/graphql',
      payload: { query, variables: { latitude, longitude, ...ofDay } },
    } as const;
  };
  return { name: `GraphQL: ${name}`, request, ...parts, read: ({ location }) => parts.read(location) };
}

function rest(path: string, parts: Pick<Form, 'expected' | 'read' | 'isToday'>, day?: string): Form {
  const request = (question: Question) => {
    const dated = day === undefined ? '' : `&${day}=${question.day}`;
    const point = `lat=${question.latitude}&long=${question.longitude}`;
    return { url: `/data/${path}${path.includes('?') ? '&' : '?'}${point}${dated}` };
  };
  return { name: `REST: ${path}${day === undefined ? '' : `, ${day}`}`, request, ...parts };
}

/** REST, but for `/data/voting`, has precincts on request only. */
const withoutPrecincts = (districts: Expected['districts']) => districts.filter(({ type }) => type !== 'Precinct');

const ids = (items: readonly Named[] | null) => (items ?? []).map(({ id }) => id);
/** The specification does not define the order within a district. */
const sortedIds = (items: readonly Named[] | null) => ids(items).toSorted((a, b) => a - b);

type GraphContests = { district: Named; boundary: Named; races: Named[]; ballotMeasures: Named[] };
const graphContests = (districts: readonly GraphContests[]) =>
  districts.map(({ district, boundary, races, ballotMeasures }) => ({
    ...{ id: district.id, boundary: boundary.id },
    ...{ races: sortedIds(races), measures: sortedIds(ballotMeasures) },
  }));

type Offices = { offices: { id: number; officeholders: Named[] | null }[] | null }[];
const holdersIn = (districts: Offices | null) =>
  (districts ?? [])
    .flatMap(({ offices }) => offices ?? [])
    .map(({ id, officeholders }) => ({ office: id, officeholders: ids(officeholders) }))
    .toSorted((a, b) => a.office - b.office);

const deadlines = (language: string, more = '') => `deadlines(language: "${language}"${more}) {
  kind day time basis asOf older: isOlderThanElection label { text language } phrase { text language }
  district { id: databaseId } }`;

const voting = (args: string, language = 'es') => `voting${args} {
  date election { id: databaseId } state notKnown precinct { id: databaseId } office { website } ${deadlines(language)}
  places { distance place { id: databaseId kind hours openIntervals { opens closes } status movedTo } } }`;

/** The days in the order of the response, and the deadlines in an order of their own, as those of one day have none. */
const inOrder = (found: readonly ExpectedDeadline[]) => ({
  days: found.map(({ day }) => day),
  deadlines: sortedDeadlines(found),
});

type GraphDeadline = Omit<ExpectedDeadline, 'district'> & { readonly district: Named };
const graphDeadlines = (found: readonly GraphDeadline[]) =>
  inOrder(found.map(({ district, ...each }) => ({ ...each, district: district.id })));

/** Those of one kind by name: the order of the kinds is not defined. */
const byKind = <Place extends { readonly kind: string }>(places: readonly Place[]) =>
  places.toSorted(by(({ kind }) => kind));

const orderedVoting = (found: ExpectedVoting | null) => found && { ...found, deadlines: inOrder(found.deadlines) };

// biome-ignore lint/suspicious/noExplicitAny: a response
const graphVoting = ({ voting: found }: any) =>
  found && {
    ...{ date: found.date, election: found.election.id, state: found.state, notKnown: found.notKnown },
    ...{ precinct: found.precinct?.id ?? null, office: found.office?.website ?? null },
    places: byKind(
      found.places.map(
        // biome-ignore lint/suspicious/noExplicitAny: a response
        ({ distance, place: { openIntervals, ...place } }: any) => ({
          ...{ ...place, distance },
          open: openIntervals.map(({ opens, closes }: { opens: string; closes: string }) => [opens, closes]),
        }),
      ),
    ),
    deadlines: graphDeadlines(found.deadlines),
  };

/** REST has neither the election nor the districts of deadlines. */
// biome-ignore lint/suspicious/noExplicitAny: a response
const restVoting = ({ elections: [found] }: any) =>
  found
    ? {
        ...{ date: found.date, state: found.state, notKnown: found.not_known },
        ...{ precinct: found.precinct?.id ?? null, office: found.office?.website ?? null },
        places: byKind(
          // biome-ignore lint/suspicious/noExplicitAny: a response
          found.places.map(({ id, kind, distance_m, hours, open, status, moved_to }: any) => ({
            ...{ id, kind, distance: distance_m, hours, status, movedTo: moved_to },
            open: open.map(({ from, to }: { from: string; to: string }) => [from, to]),
          })),
        ),
        deadlines: inOrder(
          // biome-ignore lint/suspicious/noExplicitAny: a response
          found.deadlines.map(({ kind, day, time, basis, as_of, is_older_than_election, label, phrase }: any) => ({
            ...{ kind, day, time, basis, asOf: as_of, older: is_older_than_election, label, phrase },
          })),
        ),
      }
    : null;

function asInRest(found: ExpectedVoting | null) {
  if (!found) return null;
  const { election: _, deadlines: all, ...voting } = found;
  return { ...voting, deadlines: inOrder(all.map(({ district: _, ...each }) => each as ExpectedDeadline)) };
}

const placesOf = ({ edges }: { edges: { distance: number | null; node: Named }[] }) =>
  edges.map(({ distance, node: { id } }) => ({ id, distance }));

const PRECINCTS = `query ($race: Int!) { race(databaseId: $race) { results(by: PRECINCT, first: 50) {
  differences { candidate { id: databaseId } votes }
  nodes { county town precinct district { id: databaseId } votes { candidate { id: databaseId } votes } } } } }`;

type Votes = readonly { readonly candidate: Named; readonly votes: number | null }[];
const votesOf = (all: Votes) => all.map(({ candidate, votes }) => [candidate.id, votes]);

const CONTESTS =
  'district { id: databaseId } boundary { id: databaseId } races { id: databaseId } ballotMeasures { id: databaseId }';

export const FORMS: readonly Form[] = [
  graph(
    'districts',
    'districtsWithBoundary(on: $day) { district { id: databaseId } boundary { id: databaseId endDate } }',
    {
      expected: ({ districts }) => districts.map(({ type: _, ...district }) => district),
      read: ({ districtsWithBoundary }) =>
        districtsWithBoundary.map(
          ({ district, boundary }: { district: Named; boundary: Named & { endDate: string | null } }) => ({
            ...{ id: district.id, boundary: boundary.id, end: boundary.endDate },
          }),
        ),
    },
  ),
  graph('holders', 'districts(on: $day) { offices { id: databaseId officeholders(on: $day) { id: databaseId } } }', {
    expected: ({ holders }) => holders.map(({ district: _, ...each }) => each),
    read: ({ districts }) => holdersIn(districts),
  }),
  graph('elections', 'elections { id: databaseId }', {
    expected: ({ elections }) => elections,
    read: ({ elections }) => ids(elections),
  }),
  graph(
    'ballot',
    `ballot(electionDate: $day) { elections { id: databaseId } candidateListsComplete districts { ${CONTESTS} } }`,
    {
      expected: ({ ballot }) => ballot,
      read: ({ ballot: { elections, candidateListsComplete, districts } }) => ({
        ...{ elections: ids(elections), complete: candidateListsComplete, districts: graphContests(districts) },
      }),
    },
  ),
  graph('voting on a day', voting('(on: $day)'), {
    expected: ({ voting }) => orderedVoting(voting),
    read: graphVoting,
  }),
  graph('voting in the next election', voting(''), {
    expected: ({ nextVoting }) => orderedVoting(nextVoting),
    read: graphVoting,
  }),
  graph('voting in an election', voting('(electionId: $election)', 'zh-Hant'), {
    expected: ({ electionVoting }) => orderedVoting(electionVoting),
    read: graphVoting,
  }),
  graph(
    'places and deadlines of elections',
    `ballot(electionDate: $day) { elections { id: databaseId ${deadlines('es')}
      places: votingPlaces(first: 100) { edges { distance node { id: databaseId } } }
      near: votingPlaces(first: 100, near: { latitude: $latitude, longitude: $longitude }, within: ${NEAR.within}
        kinds: [${NEAR.kinds}]) { edges { distance node { id: databaseId } } }
      ofVermont: ${deadlines('es', ', state: "VT"')} } }`,
    {
      expected: ({ lists }) =>
        lists.map(({ deadlines, ofVermont, ...each }) => ({
          ...{ ...each, deadlines: inOrder(deadlines), ofVermont: inOrder(ofVermont) },
        })),
      read: ({ ballot }) =>
        // biome-ignore lint/suspicious/noExplicitAny: a response
        ballot.elections.map(({ id, places, near, deadlines, ofVermont }: any) => ({
          ...{ id, places: placesOf(places), near: placesOf(near) },
          ...{ deadlines: graphDeadlines(deadlines), ofVermont: graphDeadlines(ofVermont) },
        })),
    },
  ),
  {
    name: 'GraphQL: votes by precinct',
    request: ({ race }) => ({ method: 'POST', url: '/graphql', payload: { query: PRECINCTS, variables: { race } } }),
    expected: ({ precincts }) => precincts,
    read: ({ race: { results } }) => ({
      precincts: results.nodes.map(({ district, votes, ...each }: { district: Named | null; votes: Votes }) => ({
        ...{ ...each, district: district?.id ?? null, votes: votesOf(votes) },
      })),
      differences: votesOf(results.differences),
    }),
  },
  rest('voting?language=es', { expected: ({ voting }) => asInRest(voting), read: restVoting }, 'on'),
  rest('voting?language=es', { expected: ({ nextVoting }) => asInRest(nextVoting), read: restVoting }),
  rest(
    'districts/point?include=precincts',
    {
      expected: ({ districts }) => districts.map(({ id }) => String(id)),
      read: (data) => data.map(({ id }: { id: string }) => id),
    },
    'date',
  ),
  rest(
    'districts/point',
    {
      expected: ({ districts }) =>
        withoutPrecincts(districts).map(({ id, end }) => ({ id: String(id), end_date: end })),
      read: (data) => data.map(({ id, end_date }: { id: string; end_date: string | null }) => ({ id, end_date })),
    },
    'date',
  ),
  rest('officeholders', {
    isToday: true,
    expected: ({ districts, holders }) => {
      const ids = withoutPrecincts(districts).map(({ id }) => id);
      const here = holders.filter(({ district }) => ids.includes(district));
      return { districts: ids, holders: here.map(({ district: _, ...each }) => each) };
    },
    read: ([{ elected_officials }]) => ({
      districts: ids(elected_officials.districts),
      holders: holdersIn(elected_officials.districts),
    }),
  }),
  rest('election_dates/point', {
    expected: ({ restElections }) => restElections,
    read: ({ elections }) => ids(elections),
  }),
  rest(
    'elections_by_point',
    {
      expected: ({ ballot }) => ballot.districts.map(({ boundary: _, ...contests }) => contests),
      read: ({ elections }) =>
        (elections ?? [])
          .flatMap(({ districts }: { districts: unknown[] | null }) => districts ?? [])
          .map(
            ({ id, races, ballot_measures }: Named & { races: Named[] | null; ballot_measures: Named[] | null }) => ({
              ...{ id, races: sortedIds(races), measures: sortedIds(ballot_measures) },
            }),
          ),
    },
    'election_date',
  ),
];
