import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentOfGraphql, contentOfRest } from './content.ts';
import {
  baselineRequest,
  batchedBaselineRequest,
  graphqlRequest,
  handWrittenRequest,
  postgraphileRequest,
  restRequest,
} from './requests.ts';
import type { RequestOf, WorkloadName } from './workloads.ts';

/** A server under test: several targets may share one. */
export interface ServerSpec {
  readonly name: string;
  /** The path relative to the root. */
  readonly script: string;
  /** The checkout from which the server is started. */
  readonly root: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A way to send requests to a server, measured as one row of the table. */
export interface Target {
  readonly name: string;
  readonly server: string;
  readonly request: RequestOf;
  readonly content: (workload: WorkloadName, body: unknown) => unknown;
  /**
   * If true, the responses must equal the baseline in every detail; peers are compared in the requested fields only.
   */
  readonly strict: boolean;
  /** If true, the response cache is filled before each measurement. */
  readonly cached?: boolean;
  /** If true, it is only measured if `--targets` names it. */
  readonly onlyIfNamed?: boolean;
  /** How the target is set up, for the page of results. */
  readonly setup: string;
}

export const ROOT = join(import.meta.dirname, '..');
export const GATEWAY_SCRIPT = 'src/main.ts';

const GATEWAY_ENVIRONMENT = {
  TODAY: '2026-07-01',
  LOG_LEVEL: 'warn',
  GRAPHIQL: 'false',
  // One key sends all requests.
  MAX_IN_FLIGHT: '1000',
  MAX_IN_FLIGHT_PER_KEY: '1000',
  MAX_EVENT_LOOP_DELAY_MS: '0',
};
const PRODUCTION = { NODE_ENV: 'production', GRAPHILE_ENV: 'production' };

/** Returns the servers of this service in a checkout: without and with the response cache. */
export function gatewayServers(root: string, suffix = ''): ServerSpec[] {
  const uncached = { ...GATEWAY_ENVIRONMENT, [cacheVariable(root)]: '0' };
  return [
    { name: `gateway${suffix}`, script: GATEWAY_SCRIPT, root, environment: uncached },
    { name: `gateway-cached${suffix}`, script: GATEWAY_SCRIPT, root, environment: GATEWAY_ENVIRONMENT },
  ];
}

/** Returns the name of the variable for the size of the response cache: earlier commits call it `CACHE`. */
function cacheVariable(root: string): string {
  const documentation = join(root, 'docs/configuration.md');
  const isRenamed = existsSync(documentation) && readFileSync(documentation, 'utf8').includes('RESPONSE_CACHE_BYTES');
  return isRenamed ? 'RESPONSE_CACHE_BYTES' : 'CACHE';
}

/** Returns the server of this service as it runs behind a pooler in transaction mode. */
function unpreparedServer(root: string): ServerSpec {
  const [uncached] = gatewayServers(root) as [ServerSpec];
  return {
    ...uncached,
    name: UNPREPARED,
    environment: { ...uncached.environment, PREPARED_STATEMENTS: 'false' },
  };
}

const UNPREPARED = 'gateway-unprepared';
const restContent = (_: WorkloadName, body: unknown) => contentOfRest(body);

/** Returns the targets of this service in a checkout, which get the documents of that checkout. */
export function gatewayTargets(root: string, suffix = ''): Target[] {
  const graphql = { request: graphqlRequest(root), content: contentOfGraphql, strict: true };
  const rest = { request: restRequest, content: restContent, strict: true };
  const name = (text: string) => (suffix ? `${text} ${suffix}` : text);
  const uncached = 'the gateway as `npm start` runs it, without the response cache';
  const cached = 'the same with the default response cache, filled with neighbours of the requested addresses';
  return [
    { name: name('graphql'), server: `gateway${suffix}`, setup: uncached, ...graphql },
    { name: name('rest'), server: `gateway${suffix}`, setup: uncached, ...rest },
    { name: name('graphql cached'), server: `gateway-cached${suffix}`, setup: cached, ...graphql, cached: true },
    { name: name('rest cached'), server: `gateway-cached${suffix}`, setup: cached, ...rest, cached: true },
  ];
}

export const BASELINE = 'baseline';

const peer = (name: string): ServerSpec => ({
  name,
  script: `bench/peers/${name}.js`,
  root: ROOT,
  environment: PRODUCTION,
});

export const SERVERS: readonly ServerSpec[] = [
  { name: BASELINE, script: 'bench/targets/baseline.ts', root: ROOT },
  { name: 'batched-baseline', script: 'bench/targets/batched-baseline.ts', root: ROOT },
  ...gatewayServers(ROOT),
  unpreparedServer(ROOT),
  ...['postgraphile', 'mercurius', 'mercurius-one', 'apollo'].map(peer),
];

const unprepared = {
  server: UNPREPARED,
  setup: 'the gateway with `PREPARED_STATEMENTS=false`, without the response cache',
  onlyIfNamed: true,
};
const ofBaseline = { content: restContent, strict: true };
const ofPeer = { content: contentOfGraphql, strict: false };

export const TARGETS: readonly Target[] = [
  {
    ...{ name: BASELINE, server: BASELINE, request: baselineRequest, ...ofBaseline },
    setup: 'one hand-written statement with `json_agg` per request, its JSON passed through, behind bare `node:http`',
  },
  {
    ...{ name: 'baseline batched', server: 'batched-baseline', request: batchedBaselineRequest, ...ofBaseline },
    setup: 'the same statements, shared by the requests that arrive together, at most three at a time',
  },
  ...gatewayTargets(ROOT),
  ...gatewayTargets(ROOT).flatMap((target): Target[] =>
    target.cached ? [] : [{ ...target, ...unprepared, name: `${target.name} unprepared` }],
  ),
  {
    ...{ name: 'postgraphile', server: 'postgraphile', request: postgraphileRequest, ...ofPeer },
    setup: 'Amber preset, `outputDataAsString`, simple lists, inlinable SQL functions, no NodePlugin',
  },
  {
    ...{ name: 'mercurius', server: 'mercurius', request: handWrittenRequest, ...ofPeer },
    setup: 'JIT from the first request, one loader per list with `cache: false`, persons and offices joined',
  },
  {
    ...{ name: 'mercurius one', server: 'mercurius-one', request: handWrittenRequest, ...ofPeer },
    setup: "JIT; each root resolver runs one hand-written statement with `json_agg`, the baseline's where it fits",
  },
  {
    ...{ name: 'apollo', server: 'apollo', request: handWrittenRequest, ...ofPeer },
    setup: 'on Fastify, one DataLoader per list and request, persons and offices joined, no introspection',
  },
];
