import { createApiKey } from '../../src/gateway/access/access.store.ts';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { CALLERS, runCopy } from '../changes/copy/run.ts';
import { TRANSPORTS, type TransportName } from '../changes/copy/transports.ts';
import { buildDatabaseApp } from '../support/build-app.ts';
import { ownBackend } from './support/own-backend.ts';
import { argument, report, textArgument } from './support/report.ts';

// Changes a country at random, by imports, withdrawals, merges, splits and edits, while processes that keep a copy by the feed
// alone are killed again and again, and compares the copies with all records of the tables.

const imports = argument('imports', 20);
const kills = argument('kills', 50);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const kind = textArgument('backend', 'server') === 'embedded' ? 'embedded' : 'server';
const transport = textArgument('transport', 'graphql') as TransportName;
if (!(transport in TRANSPORTS)) throw new Error(`--transport is one of ${Object.keys(TRANSPORTS).join(', ')}`);

const backend = await ownBackend(kind);
const pool = openPool({ at: backend.at, size: kind === 'server' ? 4 : 1, statementTimeoutMs: 0, waitMs: 30_000 });
const db = openDatabase(pool);
const app = await buildDatabaseApp({ db, pool }, { MAX_IN_FLIGHT_PER_KEY: '100' }, { kind });
const url = await app.listen({ port: 0, host: '127.0.0.1' });
const callers = await Promise.all(
  Object.entries(CALLERS).map(async ([name, grants]) => ({ name, grants, key: await createApiKey(db, name) })),
);
const began = performance.now();
const run = await runCopy({ db, url, callers, transport, seed, imports, kills });
const seconds = Math.round((performance.now() - began) / 1_000);
await app.close();
await db.destroy();
await backend.remove();
report(
  'changes',
  { database: kind, transport, seed, ...run, seconds },
  {
    'as many imports and kills as requested': run.imports >= imports && run.kills >= kills,
    'no record of a copy differs': run.differences.length === 0,
    'there are records': Object.values(run.records).every((count) => count > 50),
  },
);
