import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/base/config/config.ts';
import { createApiKey } from '../../src/gateway/access/access.store.ts';
import { openBackend } from '../../src/store/backend.ts';
import { migrate } from '../../src/store/migrate.ts';
import { map, results } from '../support/editions.ts';
import { killImports } from '../support/import-kills.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { startPostgres } from './support/postgres.ts';
import { argument, report } from './support/report.ts';

// Kills importers with `kill -9` at random times while readers send requests to a gateway: each response has either the
// old data or the new.

const kills = argument('kills', 20);
const seed = argument('seed', Math.floor(Math.random() * 1_000_000));
const size = { districts: argument('districts', 150), details: argument('details', 120) };
const isEmbedded = process.argv.includes('--embedded');
const writeLine = (line: string) => process.stderr.write(`${line}\n`);
writeLine(`seed ${seed}`);

const { environment, key, remove } = await (isEmbedded ? embeddedDatabase() : serverDatabase());
// Without a cache, so that every response is read from the database.
const gateway = await startGateway({ ...environment, RESPONSE_CACHE_BYTES: '0' });
try {
  const kinds = [map(size), results(size)];
  const counts = await killImports({ kills, seed, kinds, environment, url: gateway.url, key, writeLine });
  report(
    `kill -9 of the importer under readers, ${isEmbedded ? 'embedded database' : 'PostgreSQL'}`,
    { seed, ...counts, exitCode: await gateway.stop() },
    {
      'no inconsistent response': counts.torn === 0,
      'both outcomes seen': counts.old > 0 && counts.new > 0,
      'both read during imports': counts.readOld > 0 && counts.readNew > 0,
      'each import finished when run again': counts.resumed === counts.kills,
    },
  );
} finally {
  await gateway.stop();
  await remove();
}

async function serverDatabase() {
  const postgres = await startPostgres();
  const environment = { DATABASE_URL: postgres.url };
  return { environment, key: await keyOf(postgres.url, 'full'), remove: () => postgres.remove() };
}

async function embeddedDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'resilience-'));
  const environment = { DATA_DIR: join(folder, 'data') };
  const testDatabase = await openBackend(readConfig(environment).database, {
    purpose: 'command',
    onProgress: writeLine,
  });
  await migrate(testDatabase.db);
  const key = await createApiKey(testDatabase.db, 'full');
  await testDatabase.close();
  return { environment, key, remove: () => rm(folder, { recursive: true, force: true }) };
}
