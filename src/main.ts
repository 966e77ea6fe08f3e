import { buildApp } from './app.ts';
import { createClock } from './clock.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Running, watchProcess } from './lifecycle.ts';
import { createLogger, type Logger } from './logger.ts';
import { migrate } from './store/migrate.ts';
import { prepareServer } from './store/prepare.ts';
import { openStore } from './store/store.ts';

/** Text for the person who starts the service; standard output is for the log. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.message);
    process.exit(2);
  }
}

async function serve(config: Config, log: Logger): Promise<void> {
  const running: Running = {};
  const lifecycle = watchProcess(running, log);
  try {
    const store = await openStore(config.store, { purpose: 'gateway', log, onProgress: say });
    running.store = store;
    if (store.kind === 'embedded') await migrate(store.db);
    const app = await buildApp({
      config,
      store,
      logger: log,
      clock: createClock(config.clock),
      stopping: lifecycle.stopping,
    });
    running.app = app;
    await app.listen(config.listen);
    say(`Ballotgraph listens: ${app.listeningOrigin}/graphql`);
    if (store.kind === 'server') await prepareServer(store, config.store, { log, signal: lifecycle.stopping });
  } catch (error) {
    log.fatal({ err: error }, 'the service cannot go on');
    say(error instanceof Error ? error.message : String(error));
    await lifecycle.stop(1);
  }
}

const config = readConfigOrExit();
await serve(config, createLogger(config.logLevel));
