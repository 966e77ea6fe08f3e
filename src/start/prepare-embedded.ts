import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { isMigrated, migrate } from '../database/migrate.ts';
import { openStore, type Store } from '../database/store.ts';
import type { Logger } from '../logger.ts';
import { say, step } from '../progress.ts';
import { loadSample, wantsSample } from './sample.ts';

/**
 * Opens the embedded database for a gateway, migrated, and with the sample data if it is new. Migrations and imports
 * run without the limits of a gateway.
 */
export async function openPreparedEmbedded(config: Config['store'], log: Logger): Promise<Store> {
  if (existsSync(config.dataDir)) {
    const store = await openStore(config, { purpose: 'gateway', log, onProgress: say });
    if ((await isMigrated(store.db)) && !(await wantsSample(store.db))) return store;
    await store.close();
  } else {
    say(`First start: making a database with open data in ${config.dataDir}. This takes about a minute, once.`);
  }
  await fill(config, log);
  return openStore(config, { purpose: 'gateway', log, onProgress: say });
}

async function fill(config: Config['store'], log: Logger): Promise<void> {
  const store = await openStore(config, { purpose: 'command', log, onProgress: say });
  try {
    if (!(await isMigrated(store.db))) await step('Preparing the tables', () => migrate(store.db));
    if (await wantsSample(store.db)) await loadSample(store.db);
  } finally {
    await store.close();
  }
}
