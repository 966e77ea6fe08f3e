import { globalId } from '../../../src/graph/builder/global-id.ts';
import { graphql, type TestRequest } from './client.ts';
import type { GreedyRun } from './greedy.ts';
import { HEAVY_ELECTION, longestName, nameOfHolder, pointIn } from './heavy-country.ts';

/** The most expensive allowed requests of one key, or of clients without a key. */
export type GreedyLoad = Omit<GreedyRun, 'url' | 'key' | 'connections'> & {
  readonly connections?: number;
  readonly withoutKey?: boolean;
};

/** What the loads that suit every database ask for. */
export interface LoadTargets {
  /** Boundaries of 2,500 to 3,500 vertices. */
  readonly outlines: readonly number[];
  /** The boundaries with the most vertices, and their districts. */
  readonly largest: readonly { readonly boundary: number; readonly district: number }[];
  /** The corners of a rectangle in which many boundaries are. */
  readonly rectangle: { readonly south: number; readonly west: number; readonly north: number; readonly east: number };
}

const GZIP = { 'accept-encoding': 'gzip' };
/** The number of variants of a query, so that few responses come from the cache. */
const VARIANTS = 40;
const variants = (queryOf: (variant: number) => TestRequest) => Array.from({ length: VARIANTS }, (_, n) => queryOf(n));
const aliases = (count: number, field: (alias: number) => string) =>
  Array.from({ length: count }, (_, n) => `a${n}:${field(n)}`).join(' ');

/** Returns the loads that suit every database. */
export function loadsOf({ outlines, largest, rectangle }: LoadTargets): Readonly<Record<string, GreedyLoad>> {
  const drawn = Array.from({ length: 500 }, () => graphql(outlinesQuery(drawnFrom(outlines, OUTLINES_AT_ONCE))));
  const { south, west, north, east } = rectangle;
  return {
    'outlines of 3,000 vertices': { requests: drawn },
    'outlines of 3,000 vertices, gzip': { requests: drawn, headers: GZIP },
    'outlines of 3,000 vertices, brotli': { requests: drawn, headers: { 'accept-encoding': 'br' } },
    'addresses of single letters': { requests: geocodes(lettersOf), mayBeRefused: true },
    'addresses of abbreviations': { requests: geocodes(abbreviationsOf), mayBeRefused: true },
    'districts that the largest contain': {
      requests: variants((n) =>
        graphql(
          `{${aliases(10, (m) => `district(databaseId:${largest[(n + m) % largest.length]?.district}){contains(first:${100 - n}){totalCount}}`)}}`,
        ),
      ),
      mayBeRefused: true,
    },
    'areas of rectangles': {
      requests: variants((n) =>
        graphql(
          `{${aliases(7, (m) => `area(boundingBox:{south:${south + (n * 7 + m) / 1_000},west:${west},north:${north},east:${east}}){districts{district{name}}}`)}}`,
        ),
      ),
      mayBeRefused: true,
    },
    'outlines simplified': {
      requests: variants((n) =>
        graphql(
          `{nodes(ids:${idsOf(largest.map(({ boundary }) => boundary))}){... on Boundary{geometry(tolerance:${1 + n})}}}`,
        ),
      ),
      mayBeRefused: true,
    },
    ...Object.fromEntries(
      Object.entries(NEW_DOCUMENTS).map(([name, text]) => [
        `new documents: ${name}`,
        { requests: Array.from({ length: 2_000 }, (_, n) => graphql(text(`Q${n}`))), mayBeRefused: true },
      ]),
    ),
    'new documents: tools of MCP': { requests: [mcp('tools/list')], headers: MCP_HEADERS },
    'new documents: schema over MCP': {
      requests: [mcp('resources/read', { uri: 'ballotgraph://schema.graphql' })],
      headers: MCP_HEADERS,
    },
    'wrong keys on 600 connections': {
      requests: [{ path: '/graphql?query={__typename}' }],
      headers: { 'x-api-key': 'guessed' },
      connections: 600,
      withoutKey: true,
      mayBeRefused: true,
    },
    'one key on 600 connections': { requests: [{ path: '/graphql?query={__typename}' }], connections: 600 },
    ...Object.fromEntries(
      ['/ready', '/health', '/graphql', '/openapi.json', '/docs', '/nothing'].flatMap((path, n) => [
        [`${path}, 90 pipelined`, keyless({ path }, 90, n)],
        [`${path}, 1,000 pipelined`, keyless({ path }, 1_000, n)],
      ]),
    ),
    'guessed keys, 90 pipelined': {
      ...keyless({ path: '/graphql?query={__typename}' }, 90, 20),
      headers: { 'x-api-key': 'guessed' },
    },
    'operations, 90 pipelined': {
      requests: variants((n) => ({ path: `/graphql?query={__typename,a${n}:__typename}` })),
      pipelined: 90,
    },
    'idle connections': {
      requests: [{ path: '/health' }],
      connections: 2_000,
      idle: true,
      withoutKey: true,
      from: '127.0.1.1',
    },
  };
}

/** Documents that are small, and take long to validate or to execute; each is sent with an operation name of its own. */
const NEW_DOCUMENTS: Readonly<Record<string, (name: string) => string>> = {
  'the schema': (name) => `query ${name} { __schema { types { fields { args { type { name } } type { name } } } } }`,
  'a field forty times': (name) => `query ${name} { district(databaseId: 1) { ${'offices { name } '.repeat(40)} } }`,
  'a field 240 times': (name) => `query ${name} { district(databaseId: 1) { ${'offices { name } '.repeat(240)} } }`,
  'unknown fields': (name) => `query ${name} { ${Array.from({ length: 70 }, (_, n) => `unknown${n}`).join(' ')} }`,
  'unused variables': (name) =>
    `query ${name}(${Array.from({ length: 60 }, (_, n) => `$v${n}: Int`).join(' ')}) { __typename }`,
};

function mcp(method: string, params: object = {}): TestRequest {
  return { path: '/mcp', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) };
}
const MCP_HEADERS = { accept: 'application/json, text/event-stream' };

/** Returns requests without a key on 30 connections, from an address of its own for each load. */
function keyless(request: TestRequest, pipelined: number, load: number): GreedyLoad {
  const from = `127.0.2.${2 * load + (pipelined > 100 ? 2 : 1)}`;
  return { requests: [request], pipelined, connections: 30, withoutKey: true, from, mayBeRefused: true };
}

const OUTLINES_AT_ONCE = 48;
const idsOf = (boundaries: readonly number[]) => JSON.stringify(boundaries.map((id) => globalId('Boundary', id)));
const outlinesQuery = (ids: readonly number[]) => `{nodes(ids:${idsOf(ids)}){... on Boundary{geometry}}}`;

let seed = 1;
/** Returns values drawn at random, each at most once; the same in each run. */
function drawnFrom(values: readonly number[], count: number): number[] {
  const left = [...values];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return left.splice(seed % left.length, 1)[0] as number;
  });
}

function geocodes(textOf: (variant: number) => string): TestRequest[] {
  return variants((n) =>
    graphql(`query($t:String!){${aliases(10, () => 'geocode(text:$t,first:20){matches{label}}')}}`, {
      t: textOf(n).slice(0, 199),
    }),
  );
}
const lettersOf = (variant: number) =>
  `7 ${Array.from({ length: 100 }, (_, n) => String.fromCharCode(97 + ((n + variant) % 26))).join(' ')}`;
const ABBREVIATIONS = ['st', 'rd', 'ln', 'dr', 'av', 'ct', 'n', 'e', 's', 'w'];
const abbreviationsOf = (variant: number) =>
  `7 ${Array.from({ length: 70 }, (_, n) => ABBREVIATIONS[(n * (variant + 1)) % ABBREVIATIONS.length]).join(' ')}`;

/** The loads of the heavy country (`heavy-country.ts`). */
export function heavyLoads(nameLength: number): Readonly<Record<string, GreedyLoad>> {
  return {
    'lists with identifiers and sources': {
      requests: variants((n) =>
        graphql(
          `{${aliases(28, () => `districts(name:"a",first:${100 - n}){totalCount edges{node{identifiers{scheme value} sources{name}}}}`)}}`,
        ),
      ),
    },
    'ballots of a state with areas': {
      requests: variants((n) => graphql(`{${aliases(10, () => stateBallot(n))}}`)),
    },
    'ballots of a state, four': {
      requests: variants((n) => graphql(`{${aliases(4, () => stateBallot(n))}}`)),
    },
    'geometries simplified': {
      requests: variants((n) =>
        graphql(
          `{districts(state:"AA",types:[STATE_LEGISLATIVE_LOWER],first:60){edges{node{boundary{${aliases(2, (m) => `geometry(tolerance:${100 + 2 * n + m})`)}}}}}}`,
        ),
      ),
      mayBeRefused: true,
    },
    'geometries by way of people': {
      requests: variants((n) =>
        graphql(
          `{people(name:"${nameOfHolder(n)}",first:1){edges{node{officeholders{office{district{boundary{geometry}}}}}}}}`,
        ),
      ),
      headers: GZIP,
    },
    'long names': {
      requests: [
        graphql(`query($n:String!){${aliases(28, () => 'districts(name:$n){totalCount}')}}`, {
          n: longestName(nameLength),
        }),
      ],
    },
    'many points': {
      requests: Array.from({ length: 50 }, (_, n) =>
        graphql(
          `query($p:[PointInput!]!){locations(points:$p){districts{id: databaseId name offices{id: databaseId name officeholders{id: databaseId person{name}}}}}}`,
          { p: Array.from({ length: 100 }, (__, m) => movedPoint(n * 100 + m)) },
        ),
      ),
    },
    'voting of 25 points': {
      requests: Array.from({ length: 50 }, (_, n) =>
        graphql(
          `query($p:[PointInput!]!){locations(points:$p){voting(on:"${HEAVY_ELECTION}"){state precinct{name} office{name} places{distance place{id: databaseId name openIntervals{opens}}} deadlines{kind day phrase{text}}}}}`,
          { p: Array.from({ length: 25 }, (__, m) => movedPoint(n * 25 + m)) },
        ),
      ),
    },
    'places of a large election, by distance': {
      requests: variants((n) => {
        const { latitude, longitude } = movedPoint(n);
        const near = `near:{latitude:${latitude},longitude:${longitude}},first:${100 - n}`;
        return graphql(
          `{elections(state:"AA",date:"${HEAVY_ELECTION}"){nodes{votingPlaces(${near}){totalCount edges{distance node{id: databaseId name}}}}}}`,
        );
      }),
    },
    'exports, 256 at once': {
      requests: exportsOf(['district-boundaries', 'candidates-of-date', 'districts', 'race-results']),
      connections: 256,
    },
    'exports of clients that leave': {
      requests: exportsOf(['district-boundaries', 'race-results']),
      connections: 64,
      leaveAfterMs: 300,
    },
    'pages of GraphiQL, without a key': {
      requests: [{ path: '/graphql' }],
      headers: { accept: 'text/html', 'accept-encoding': 'br' },
      connections: 16,
      withoutKey: true,
    },
  };
}

function stateBallot(variant: number): string {
  return `stateBallot(state:"AA",electionDate:"${HEAVY_ELECTION}",first:${100 - variant}){edges{node{district{name boundary{area}} races{id: databaseId type candidates{id: databaseId votes share isWinner person{name}}}}}}`;
}

function exportsOf(ids: readonly string[]): TestRequest[] {
  return ids.flatMap((id) =>
    ['csv', 'json', 'ndjson'].map((format) => ({ path: '/getQueryResults', body: JSON.stringify({ id, format }) })),
  );
}

/** Returns a point that differs for each n, so that none is served from the cache by its coordinates alone. */
export function movedPoint(n: number): { latitude: number; longitude: number } {
  const { latitude, longitude } = pointIn(n % 400);
  return { latitude: latitude + ((n * 13) % 97) / 10_000, longitude: longitude + ((n * 31) % 89) / 10_000 };
}
