import fc from 'fast-check';
import { openApiDocument } from '../../src/gateway/rest/document.ts';
import { schema } from '../../src/graph/schema.ts';
import { addressesOf, documentsOf } from '../drawn/mutations.ts';
import { harmIn } from '../hostile/check.ts';
import { violationsOf } from '../support/responses/check.ts';
import { createClient, type TestRequest } from './support/client.ts';
import { statusOf } from './support/gateway.ts';
import { COLLECTING, watchMemory } from './support/memory.ts';
import { argument, report, Tally, textArgument } from './support/report.ts';
import { startService } from './support/service.ts';

// Sends mutated documents generated from the schema and mutated requests generated from the OpenAPI document over a
// socket: half of them the same in each run, half from a seed of this run. A failure is shrunk to a short request
// that causes it.

const requests = argument('requests', 200_000);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const database = textArgument('backend', 'server');
const FIXED_SEED = 20_241_105;
/** The number of clients for each API and each seed; they run concurrently. */
const CLIENTS = 2;
/** The share of the requests that is sent before memory is measured. */
const WARM_UP = 0.2;
/**
 * The maximum relative rise of objects and buffers, and of resident memory: `memory.ts` has a stricter limit for the
 * latter, over a million requests.
 */
const MOST_RISE = { cached: 0.02, resident: 0.05 };
/** With fewer requests, the gateway's caches are not full when memory is first measured. */
const ENOUGH_FOR_MEMORY = 50_000;

const environment = {
  TODAY: '2026-07-01',
  MAX_IN_FLIGHT_PER_KEY: '64',
  MAX_EVENT_LOOP_DELAY_MS: '0',
  // The cache is full before memory is measured.
  RESPONSE_CACHE_BYTES: '2000000',
};
const service = await startService(database === 'embedded' ? 'embedded' : 'server', environment, COLLECTING);
const key = await service.key('full');
const client = createClient(service.gateway.url);
const memory = watchMemory(service.gateway);

const statuses = new Tally();
let [requested, completed, slowestMs] = [0, 0, 0];

async function isHarmless(request: TestRequest): Promise<boolean> {
  const began = performance.now();
  const { status, text, headers } = await client.send(request, key);
  requested++;
  statuses.add(`${request.body === undefined ? 'REST' : 'GraphQL'} ${status}`);
  if (status === 200 && /"data":\s*[{[]/.test(text)) completed++;
  slowestMs = Math.max(slowestMs, performance.now() - began);
  const harm = harmIn({ statusCode: status, headers, body: text }, { key, ms: 0 });
  const { path: url, body: requestBody } = request;
  const method = requestBody === undefined ? 'GET' : 'POST';
  harm.push(...(violationsOf({ method, url, requestBody, status, headers, body: text }) ?? []));
  if (harm.length > 0) throw new Error(`${harm.join(', ')}: ${status} ${text.slice(0, 300)}`);
  return true;
}

const documents = documentsOf(schema).map((made): TestRequest => ({ path: '/graphql', body: JSON.stringify(made) }));
const addresses = addressesOf(openApiDocument()).map((path): TestRequest => ({ path }));

/** Sends one part of the requests, for both APIs and both seeds. */
async function requestAround(count: number, part: number): Promise<string[]> {
  const runs = [documents, addresses].flatMap((made) =>
    [FIXED_SEED, seed].flatMap((from) =>
      Array.from({ length: CLIENTS }, (_, client) => ({ made, seed: from + part * CLIENTS + client })),
    ),
  );
  const numRuns = Math.ceil(count / runs.length);
  const results = await Promise.all(
    runs.map((run) => fc.check(fc.asyncProperty(run.made, isHarmless), { numRuns, seed: run.seed })),
  );
  return results
    .filter(({ failed }) => failed)
    .map(({ counterexample, errorInstance }) => `${JSON.stringify(counterexample)}: ${errorInstance}`);
}

const PARTS = 20;
const harm: string[] = [];
for (let part = 0; part < PARTS; part++) {
  harm.push(...(await requestAround(requests / PARTS, part)));
  if ((part + 1) / PARTS > WARM_UP) await memory.sample();
}
const health = await statusOf(`${service.gateway.url}/health`);
client.close();
const lines = service.gateway.lines.filter((line) => line.includes('"level":50') || line.includes('"level":60'));
const exitCode = await service.stop();
const { figures, rise, retainedRise } = memory.figures();
report(
  'fuzz',
  {
    database: service.kind,
    seeds: [FIXED_SEED, seed],
    requested,
    completed,
    slowestMs: Math.round(slowestMs),
    statuses,
    harm: harm.slice(0, 5),
    ...figures,
    health,
    errorLines: lines.slice(0, 5),
    exitCode,
  },
  {
    'the given number of requests': requested >= requests,
    'both APIs returned results and rejections': [
      'REST 200',
      'REST 400',
      'REST 404',
      'GraphQL 200',
      'GraphQL 400',
    ].every((status) => statuses.of(status) > 0),
    'no response of 500, no leak': harm.length === 0 && lines.length === 0,
    'the process is alive': health === 200 && exitCode === 0,
    'memory is flat': requests < ENOUGH_FOR_MEMORY || (retainedRise <= MOST_RISE.cached && rise <= MOST_RISE.resident),
  },
);
