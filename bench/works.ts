import * as documents from './documents.ts';
import { BENCH_KEY } from './store/build.ts';

export const ELECTION_DATE = '2024-11-05';

export interface BenchPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** The data from which requests are drawn: the same for all targets. */
export interface Draw {
  readonly points: readonly BenchPoint[];
  readonly states: readonly string[];
}

export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type WorkName = 'districts' | 'officeholders' | 'ballot' | 'state' | 'points';
export const WORKS: readonly WorkName[] = ['districts', 'officeholders', 'ballot', 'state', 'points'];

const POINTS_AT_ONCE = 100;

/**
 * Returns the i-th request of a run for a kind of server and a workload; undefined if the server does not support it.
 */
export type Asker = (work: WorkName, i: number, draw: Draw) => Ask | undefined;

const at = <Item>(items: readonly Item[], i: number) => items[i % items.length] as Item;

function pointsFrom({ points }: Draw, i: number): BenchPoint[] {
  return Array.from({ length: POINTS_AT_ONCE }, (_, n) => at(points, i * 17 + n));
}

export const askFloor: Asker = (work, i, draw) => {
  const { latitude, longitude } = at(draw.points, i);
  const point = `lat=${latitude}&long=${longitude}`;
  if (work === 'points') return json('/points', pointsFrom(draw, i));
  if (work === 'state') return { method: 'GET', path: `/state?state=${at(draw.states, i)}&date=${ELECTION_DATE}` };
  return { method: 'GET', path: `/${work}?${point}${work === 'ballot' ? `&date=${ELECTION_DATE}` : ''}` };
};

const KEY = { 'x-api-key': BENCH_KEY };
const REST_PATHS = {
  districts: '/data/districts/point?',
  officeholders: '/data/officeholders?collections=contact&',
  ballot: `/data/elections_by_point?collections=contact&election_date=${ELECTION_DATE}&`,
  state: `/data/elections_by_state?collections=contact&election_date=${ELECTION_DATE}&state=`,
} as const;

export const askRest: Asker = (work, i, draw) => {
  if (work === 'points') return undefined;
  const { latitude, longitude } = at(draw.points, i);
  const rest = work === 'state' ? at(draw.states, i) : `lat=${latitude}&long=${longitude}`;
  return { method: 'GET', path: REST_PATHS[work] + rest, headers: KEY };
};

function variablesOf(work: WorkName, i: number, draw: Draw): Record<string, unknown> {
  if (work === 'points') return { points: pointsFrom(draw, i) };
  if (work === 'state') return { state: at(draw.states, i), electionDate: ELECTION_DATE };
  const { latitude, longitude } = at(draw.points, i);
  return { latitude, longitude, ...(work === 'ballot' && { electionDate: ELECTION_DATE }) };
}

const COLLECTIONS = {
  districts: {},
  officeholders: { contact: true, social: false },
  ballot: { results: true, contact: true, social: false },
  state: { results: true, contact: true, social: false, page: 1 },
  points: {},
} as const;

export const askGraph: Asker = (work, i, draw) =>
  json(
    '/graphql',
    { query: documents.ours[work], variables: { ...variablesOf(work, i, draw), ...COLLECTIONS[work] } },
    KEY,
  );

export const askWritten: Asker = (work, i, draw) =>
  json('/graphql', { query: documents.written[work], variables: variablesOf(work, i, draw) });

export const askPostgraphile: Asker = (work, i, draw) => {
  if (work !== 'points')
    return json('/graphql', { query: documents.postgraphile[work], variables: variablesOf(work, i, draw) });
  const points = pointsFrom(draw, i);
  const variables = Object.fromEntries(
    points.flatMap((p, n) => [
      [`a${n}`, p.latitude],
      [`b${n}`, p.longitude],
    ]),
  );
  return json('/graphql', { query: documents.postgraphile.points(points.length), variables });
};

function json(path: string, body: unknown, headers: Record<string, string> = {}): Ask {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
