import { existsSync } from 'node:fs';
import type { Config } from '../../base/config/config.ts';
import type { Logger } from '../../base/logger.ts';
import { withProgressLines, writeLine } from '../../base/progress.ts';
import { type DatabaseBackend, openBackend } from '../../store/backend.ts';
import { isMigrated, migrate } from '../../store/migrate.ts';
import { loadSample, wantsSample } from './sample.ts';

/**
 * Opens the embedded database for a gateway, migrated, and with the sample data if it is new. Migrations and imports
 * run without the limits of a gateway.
 */
export async function openPreparedEmbedded(config: Config['database'], log: Logger): Promise<DatabaseBackend> {
  let isFirst = !existsSync(config.dataDir);
  // The first report comes when the folder has been created: before, it might be one that cannot be used.
  const onProgress = (line: string) => {
    if (isFirst)
      writeLine(
        `First start: creating a database with open data in ${config.dataDir}. This takes about a minute, once.`,
      );
    isFirst = false;
    writeLine(line);
  };
  if (!isFirst) {
    const backend = await openBackend(config, { purpose: 'gateway', log, onProgress });
    if ((await isMigrated(backend.db)) && !(await wantsSample(backend.db))) return backend;
    await backend.close();
  }
  await fill(config, log, onProgress);
  return openBackend(config, { purpose: 'gateway', log, onProgress });
}

async function fill(config: Config['database'], log: Logger, onProgress: (line: string) => void): Promise<void> {
  const backend = await openBackend(config, { purpose: 'command', log, onProgress });
  try {
    if (!(await isMigrated(backend.db))) await withProgressLines('Preparing the tables', () => migrate(backend.db));
    if (await wantsSample(backend.db)) await loadSample(backend.db);
  } finally {
    await backend.close();
  }
}
