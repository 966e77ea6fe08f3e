import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { writeLine } from '../../src/base/progress.ts';
import { DEMO_KEY } from '../../src/gateway/access/demo-key.ts';
import { buildApp } from '../../src/gateway/app.ts';
import { openPreparedEmbedded } from '../../src/operate/start/prepare-embedded.ts';

/**
 * Prints the files of `src` in which a named function runs during one warm request, for GraphQL and REST, without the
 * response cache and from it: what a reader has to know to follow a request. V8 counts the calls between two equal requests;
 * what does not run in each of five, such as a timer, is not part of the request.
 *
 *   npm run node -- test/tools/request-path.ts [--files]
 */
const REPEATS = 5;
const SRC = join(import.meta.dirname, '../../src');
const POINT = { latitude: 42.3601, longitude: -71.0589 };
const REQUESTS = {
  GraphQL: {
    path: '/graphql',
    body: JSON.stringify({
      query: `query ($latitude: Latitude!, $longitude: Longitude!) { location(latitude: $latitude, longitude: $longitude) {
        districts { name offices { name officeholders { person { name } } } } } }`,
      variables: POINT,
    }),
  },
  REST: { path: `/data/officeholders?lat=${POINT.latitude}&long=${POINT.longitude}`, body: undefined },
};

async function filesOf(session: Session): Promise<Set<string>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files = result.filter(
    ({ url, functions }) =>
      url.startsWith(`file://${SRC}/`) &&
      functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  );
  return new Set(files.map(({ url }) => relative(SRC, fileURLToPath(url))));
}

const folder = await mkdtemp(join(tmpdir(), 'request-path-'));
const log = pino({ level: 'silent' });
const session = new Session();
session.connect();
const environment = { PORT: '0', HOST: '127.0.0.1', GRAPHIQL: 'false', DATA_DIR: join(folder, 'data') };
const backend = await openPreparedEmbedded(readConfig(environment).database, log);
for (const bytes of ['0', '50000000']) {
  const config = readConfig({ ...environment, RESPONSE_CACHE_BYTES: bytes });
  const app = await buildApp({
    config,
    backend: { ...backend, close: async () => undefined },
    logger: log,
    clock: createClock(config.clock),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  for (const [api, { path, body }] of Object.entries(REQUESTS)) {
    const request = async () => {
      const response = await fetch(new URL(path, app.listeningOrigin), {
        headers: { 'x-api-key': DEMO_KEY, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { method: 'POST', body }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    };
    for (let warm = 0; warm < 5; warm++) await request();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await request();
    let files = await filesOf(session);
    for (let repeated = 1; repeated < REPEATS; repeated++) {
      await request();
      files = files.intersection(await filesOf(session));
    }
    await session.post('Profiler.stopPreciseCoverage');
    writeLine(
      `${api}, ${bytes === '0' ? 'without the response cache' : 'from the response cache'}: ${files.size} files`,
    );
    if (process.argv.includes('--files')) writeLine([...files].sort().join('\n'));
  }
  app.server.close();
  await once(app.server, 'close').catch(() => undefined);
}
await backend.close();
await rm(folder, { recursive: true });
process.exit();
