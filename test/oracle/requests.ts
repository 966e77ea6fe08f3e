import type { InjectOptions } from 'fastify';
import type { Expected, Question } from './rules.ts';

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
  const query = `query ($latitude: Latitude!, $longitude: Longitude!, $day: Date!) {
    location(latitude: $latitude, longitude: $longitude) { ${selection} } }`;
  const text = query.includes('$day)') ? query : query.replace(', $day: Date!', '');
  const request = ({ latitude, longitude, day }: Question) => {
    const variables = { latitude, longitude, ...(text === query && { day }) };
    return { method: 'POST', url: '/graphql', payload: { query: text, variables } } as const;
  };
  return { name: `GraphQL: ${name}`, request, ...parts, read: ({ location }) => parts.read(location) };
}

function rest(path: string, parts: Pick<Form, 'expected' | 'read' | 'isToday'>, day?: string): Form {
  const request = (question: Question) => {
    const dated = day === undefined ? '' : `&${day}=${question.day}`;
    return { url: `/data/${path}?lat=${question.latitude}&long=${question.longitude}${dated}` };
  };
  return { name: `REST: ${path}`, request, ...parts };
}

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

const CONTESTS =
  'district { id: databaseId } boundary { id: databaseId } races { id: databaseId } ballotMeasures { id: databaseId }';

export const FORMS: readonly Form[] = [
  graph(
    'districts',
    'districtsWithBoundary(on: $day) { district { id: databaseId } boundary { id: databaseId endDate } }',
    {
      expected: ({ districts }) => districts,
      read: ({ districtsWithBoundary }) =>
        districtsWithBoundary.map(
          ({ district, boundary }: { district: Named; boundary: Named & { endDate: string | null } }) => ({
            ...{ id: district.id, boundary: boundary.id, end: boundary.endDate },
          }),
        ),
    },
  ),
  graph('holders', 'districts(on: $day) { offices { id: databaseId officeholders(on: $day) { id: databaseId } } }', {
    expected: ({ holders }) => holders,
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
  rest(
    'districts/point',
    {
      expected: ({ districts }) => districts.map(({ id, end }) => ({ id: String(id), end_date: end })),
      read: (data) => data.map(({ id, end_date }: { id: string; end_date: string | null }) => ({ id, end_date })),
    },
    'date',
  ),
  rest('officeholders', {
    isToday: true,
    expected: ({ districts, holders }) => ({ districts: districts.map(({ id }) => id), holders }),
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
