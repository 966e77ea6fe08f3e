import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { type DatabaseBackend, openBackend } from '../database/backend.ts';
import { isMigrated, migrate } from '../database/migrate.ts';
import type { Logger } from '../logger.ts';
import { withProgressLines, writeLine } from '../progress.ts';
import { loadSample, wantsSample } from './sample.ts';

/**
 * Opens the embedded database for a gateway, migrated, and with the sample data if it is new. Migrations and imports
 * run without the limits of a gateway.
 */
export async function openPreparedEmbedded(config: Config['database'], log: Logger): Promise<DatabaseBackend> {
  if (existsSync(config.dataDir)) {
    const backend = await openBackend(config, { purpose: 'gateway', log, onProgress: writeLine });
    if ((await isMigrated(backend.db)) && !(await wantsSample(backend.db))) return backend;
    await backend.close();
  } else {
    writeLine(`First start: creating a database with open data in ${config.dataDir}. This takes about a minute, once.`);
  }
  await fill(config, log);
  return openBackend(config, { purpose: 'gateway', log, onProgress: writeLine });
}

async function fill(config: Config['database'], log: Logger): Promise<void> {
  const backend = await openBackend(config, { purpose: 'command', log, onProgress: writeLine });
  try {
    if (!(await isMigrated(backend.db))) await withProgressLines('Preparing the tables', () => migrate(backend.db));
    if (await wantsSample(backend.db)) await loadSample(backend.db);
  } finally {
    await backend.close();
  }
}
