import { BENCH_KEY } from './database/build.ts';
import { gatewayDocuments, handWrittenDocuments, postgraphileDocuments } from './documents.ts';
import {
  type BenchPoint,
  type BenchRequest,
  ELECTION_DATE,
  POINTS_PER_REQUEST,
  type RequestOf,
  type Sample,
  type WorkloadName,
} from './workloads.ts';

const at = <Item>(items: readonly Item[], i: number) => items[i % items.length] as Item;

function pointsFrom({ points }: Sample, i: number): BenchPoint[] {
  return Array.from({ length: POINTS_PER_REQUEST }, (_, n) => at(points, i * 17 + n));
}

const isOfState = (workload: WorkloadName) => workload === 'state' || workload === 'races';

export const baselineRequest: RequestOf = (workload, i, sample) => {
  const { latitude, longitude } = at(sample.points, i);
  if (workload === 'points') return json('/points', pointsFrom(sample, i));
  if (isOfState(workload))
    return { method: 'GET', path: `/${workload}?state=${at(sample.states, i)}&date=${ELECTION_DATE}` };
  const date = workload === 'ballot' ? `&date=${ELECTION_DATE}` : '';
  return { method: 'GET', path: `/${workload}?lat=${latitude}&long=${longitude}${date}` };
};

/** The batched baseline shares the statements of single points; the other workloads are those of the baseline. */
export const batchedBaselineRequest: RequestOf = (workload, i, sample) =>
  workload === 'points' || isOfState(workload) ? undefined : baselineRequest(workload, i, sample);

const KEY = { 'x-api-key': BENCH_KEY };
const REST_PATHS = {
  districts: '/data/districts/point?',
  officeholders: '/data/officeholders?collections=contact&',
  ballot: `/data/elections_by_point?collections=contact&election_date=${ELECTION_DATE}&`,
  state: `/data/elections_by_state?collections=contact&election_date=${ELECTION_DATE}&state=`,
} as const;

export const restRequest: RequestOf = (workload, i, sample) => {
  if (workload === 'points' || workload === 'races') return undefined;
  const { latitude, longitude } = at(sample.points, i);
  const rest = workload === 'state' ? at(sample.states, i) : `lat=${latitude}&long=${longitude}`;
  return { method: 'GET', path: REST_PATHS[workload] + rest, headers: KEY };
};

function variablesOf(workload: WorkloadName, i: number, sample: Sample): Record<string, unknown> {
  if (workload === 'points') return { points: pointsFrom(sample, i) };
  if (isOfState(workload)) return { state: at(sample.states, i), electionDate: ELECTION_DATE };
  const { latitude, longitude } = at(sample.points, i);
  return { latitude, longitude, ...(workload === 'ballot' && { electionDate: ELECTION_DATE }) };
}

/** What the paths add to the document on request. */
const COLLECTIONS = {
  districts: { edges: false },
  officeholders: { contact: true, social: false, edges: false },
  ballot: { results: true, contact: true, social: false },
  state: { results: true, contact: true, social: false, page: 1, count: false },
  races: {},
  points: {},
} as const;

/** Returns the requests to this service over GraphQL, with the documents of a checkout. */
export function graphqlRequest(root: string): RequestOf {
  const documents = gatewayDocuments(root);
  return (workload, i, sample) => {
    const variables = { ...variablesOf(workload, i, sample), ...COLLECTIONS[workload] };
    return json('/graphql', { query: documents[workload], variables }, KEY);
  };
}

export const handWrittenRequest: RequestOf = (workload, i, sample) =>
  json('/graphql', { query: handWrittenDocuments[workload], variables: variablesOf(workload, i, sample) });

export const postgraphileRequest: RequestOf = (workload, i, sample) => {
  const query = postgraphileDocuments[workload];
  if (workload !== 'points') return json('/graphql', { query, variables: variablesOf(workload, i, sample) });
  const points = pointsFrom(sample, i);
  const [latitudes, longitudes] = [points.map((each) => each.latitude), points.map((each) => each.longitude)];
  return json('/graphql', { query, variables: { latitudes, longitudes } });
};

function json(path: string, body: unknown, headers: Record<string, string> = {}): BenchRequest {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
