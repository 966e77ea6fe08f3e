import { createClock } from './base/clock.ts';
import { type Config, ConfigError, readConfig } from './base/config/config.ts';
import { createLogger, type Logger } from './base/logger.ts';
import { writeLine } from './base/progress.ts';
import { findPackage } from './gateway/access/access.store.ts';
import { pageRemedy } from './gateway/access/page-key.ts';
import { usableDemoKey } from './gateway/access/usable-demo-key.ts';
import { buildApp } from './gateway/app.ts';
import { checkAddress } from './gateway/http/port.ts';
import { readCommandLine } from './operate/start/command-line.ts';
import { handleSignals, type Running } from './operate/start/lifecycle.ts';
import { openPreparedEmbedded } from './operate/start/prepare-embedded.ts';
import { prepareServer } from './operate/start/prepare-server.ts';
import { openBackend } from './store/backend.ts';

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    writeLine(error.message);
    process.exit(2);
  }
}

async function serve(config: Config, log: Logger): Promise<void> {
  const running: Running = {};
  const { stopping, stop } = handleSignals(running, log);
  const isEmbedded = config.database.url === undefined;
  try {
    await checkAddress(config.listen);
    const backend = isEmbedded
      ? await openPreparedEmbedded(config.database, log)
      : await openBackend(config.database, { purpose: 'gateway', log });
    running.backend = backend;
    const app = await buildApp({ config, backend, logger: log, clock: createClock(config.clock), stopping });
    running.app = app;
    const state = isEmbedded ? '' : ', not ready until the database has been reached';
    await app.listen({ ...config.listen, listenTextResolver: (address) => `Server listening at ${address}${state}` });
    const origin = forBrowsers(app.listeningOrigin);
    if (!isEmbedded) {
      const onWait = () => writeLine(waiting(origin));
      await prepareServer(backend, config.database, { log, signal: stopping, onWait });
    }
    if (stopping.aborted) return;
    const demoKey = await usableDemoKey(backend);
    if (!demoKey && !(await findPackage(backend.db, config.pagePackage))) {
      const found = { package: config.pagePackage, remedy: pageRemedy(config.pagePackage) };
      log.warn(found, 'the map page has no package (PAGE_PACKAGE), and tells visitors that it is not set up');
    }
    writeLine(welcome(origin, demoKey));
  } catch (error) {
    if (stopping.aborted) return;
    log.debug({ err: error }, 'startup failed');
    writeLine(error instanceof Error ? error.message : String(error));
    await stop(1);
  }
}

/** Returns the origin for a browser on this machine: `localhost` instead of a loopback address or all interfaces. */
function forBrowsers(origin: string): string {
  return origin.replace(/\/\/(127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):/, '//localhost:');
}

function waiting(origin: string): string {
  return `Waiting for the database of DATABASE_URL. Until it responds, ${origin}/graphql rejects requests with 503.`;
}

function welcome(origin: string, demoKey: string | undefined): string {
  const lines = [
    '',
    'Ballotgraph is running.',
    `  Map of a place            ${origin}/`,
    `  GraphQL and its explorer  ${origin}/graphql`,
    `  REST and its description  ${origin}/docs`,
  ];
  if (demoKey) lines.push(`  Key of the sample         ${demoKey}   (header x-api-key)`);
  else lines.push('  A key for your requests   npm run keys -- create --package full');
  return `${lines.join('\n')}\n`;
}

readCommandLine('npm start', 'Serves GraphQL, REST, MCP, tiles and the pages over HTTP, until it is stopped.');
const config = readConfigOrExit();
await serve(config, createLogger(config.logLevel));
