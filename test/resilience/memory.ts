import { seeded } from '../drawn/random.ts';
import { drawRequest } from '../drawn/requests.ts';
import { type Client, createClient, graphql, type TestRequest } from './support/client.ts';
import { COLLECTING, watchMemory } from './support/memory.ts';
import { argument, report, Tally } from './support/report.ts';
import { startService } from './support/service.ts';

// Sends requests of every kind, successful and rejected, cached and not, some aborted: after a warm-up, the resident
// memory of the gateway does not rise. It is measured 51 times, each time after the gateway has collected its garbage.

const requests = argument('requests', 1_000_000);
const warmUp = argument('warm-up', requests / 5);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const SAMPLES = 50;
const CLIENTS = 16;
const MOST_RISE = 0.02;
const PACKAGES = ['full', 'no-results', 'lookup'] as const;

const environment = {
  TODAY: '2026-07-01',
  MAX_IN_FLIGHT_PER_KEY: '64',
  // The unknown keys are sent from one address.
  MAX_FAILED_KEYS_PER_SECOND: '1000000',
  // Full after the warm-up, so that entries are added and evicted throughout.
  RESPONSE_CACHE_BYTES: '4000000',
  // As docs/operations.md advises: a reserve for each thread comes in steps of some MiB, whenever a thread first needs it.
  MALLOC_ARENA_MAX: '2',
};
const service = await startService('server', environment, COLLECTING);
const keys = await Promise.all(PACKAGES.map((name) => service.key(name)));
const client = createClient(service.gateway.url);
const memory = watchMemory(service.gateway);
const random = seeded(seed);
const statuses = new Tally();
let [requested, drawn] = [0, 0];

/**
 * Requests that the suites' random ones do not include: one-off documents, invalid ones, unknown keys, large and
 * malformed bodies.
 */
const RARE: readonly (() => TestRequest)[] = [
  () => graphql(`{ a${drawn}: location(latitude: 42, longitude: -98) { districts { id: databaseId name } } }`),
  () => graphql(`{ unknown${drawn} location(latitude: 42, longitude: -98) { nothing } }`),
  () => graphql(`{ unfinished${drawn} (`),
  () => graphql(`{ ${'__typename '.repeat(1_001)} }`),
  () => ({ path: '/graphql', body: `{"query": "${'x'.repeat(70_000)}"}` }),
  () => ({ path: '/graphql', body: `{"query": ${drawn}` }),
  () => ({ path: `/data/districts/point?lat=${drawn}&long=0` }),
  () => ({ path: `/nowhere/${drawn}` }),
  () => ({ path: '/getQueryList' }),
  () => ({ path: '/health' }),
  () => registered(`{ b${drawn}: district(databaseId: 10) { name } }`),
];

function registered(query: string): TestRequest {
  return {
    path: '/graphql',
    body: JSON.stringify({ query, extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } }),
  };
}

/** Most requests repeat those of other clients. */
const POPULAR = Array.from({ length: 200 }, () => drawRequest(random));

function nextRequest(): TestRequest {
  const chance = random();
  if (chance < 0.7) return POPULAR[Math.floor(random() * POPULAR.length)] as TestRequest;
  const rare = chance < 0.9 ? RARE[drawn % RARE.length] : undefined;
  return rare?.() ?? drawRequest(random);
}

async function requestOne(through: Client): Promise<void> {
  drawn++;
  const request = nextRequest();
  const isUnknownKey = random() < 0.02;
  const key = isUnknownKey ? `bg_abcdefgh_${String(drawn).padStart(43, 'A')}` : (keys[drawn % keys.length] ?? '');
  const leaving = random() < 0.01 ? AbortSignal.timeout(1) : undefined;
  try {
    statuses.add(String((await through.send(request, key, leaving)).status));
  } catch (error) {
    statuses.add(leaving?.aborted ? 'left' : `broken: ${error instanceof Error ? error.message : ''}`);
  }
}

async function requestMany(count: number): Promise<void> {
  const end = requested + count;
  const one = async () => {
    while (requested < end) {
      requested++;
      await requestOne(client);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
}

await requestMany(warmUp);
await memory.sample();
const began = performance.now();
for (let sample = 0; sample < SAMPLES; sample++) {
  await requestMany(requests / SAMPLES);
  await memory.sample();
  const { residentMiB, heapUsedMiB, heapMiB, risePercent } = memory.figures().figures;
  const heap = `heap ${heapUsedMiB.at(-1)} of ${heapMiB.at(-1)}`;
  process.stderr.write(
    `${requested} requests: ${residentMiB.at(-1)} MiB (${heap}), risen by ${risePercent} % so far\n`,
  );
}
const seconds = (performance.now() - began) / 1_000;
client.close();
const exitCode = await service.stop();
const { figures, rise } = memory.figures();
const expected = ['200', '400', '401', '404', '413', 'left'];
report(
  'memory over many requests',
  { seed, warmUp, requested, perSecond: Math.round((requested - warmUp) / seconds), statuses, ...figures, exitCode },
  {
    'requests of every kind': expected.every((status) => statuses.of(status) > 0),
    'no internal error': Object.keys(statuses.toJSON()).every((status) => [...expected, '403'].includes(status)),
    [`memory rises by ${MOST_RISE * 100} % at most`]: rise <= MOST_RISE,
    'exits with 0': exitCode === 0,
  },
);
