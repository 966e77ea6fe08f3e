import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { runDifferential } from '../differential/run.ts';
import { openDifferential } from '../differential/services.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { enrichElectionWorld } from '../support/rich-world.ts';
import { ownBackend } from './support/own-backend.ts';
import { argument, report, textArgument } from './support/report.ts';

// Executes random valid documents with and without the query planner and the cache, and compares the results byte for
// byte with those of graphql-js over resolvers. Statements are prepared, as in a gateway. Stops at the first
// difference, and shrinks the document that causes it as far as possible.

const documents = argument('documents', 20_000);
const seconds = argument('seconds', 3_600);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const kind = textArgument('backend', 'server') === 'embedded' ? 'embedded' : 'server';

const backend = await ownBackend(kind);
const pool = openPool({
  at: backend.at,
  size: kind === 'server' ? 10 : 1,
  statementTimeoutMs: 0,
  waitMs: 60_000,
  prepared: true,
});
const db = openDatabase(pool);
await createElectionWorld(db);
await enrichElectionWorld(db);
const differential = await openDifferential({ db, pool }, kind);
const began = performance.now();
const result = await runDifferential(differential, {
  documents,
  seconds,
  seed,
  from: argument('from', 1),
  onePackage: true,
});
const ranSeconds = Math.round((performance.now() - began) / 1_000);
await differential.close();
await db.destroy();
await backend.remove();
report(
  'differential',
  {
    database: kind,
    seed,
    documents: result.documents,
    seconds: ranSeconds,
    ...differential.compared,
    failure: result.failure,
  },
  {
    'no difference': result.failure === undefined,
    'results with data and with errors': differential.compared.withData > 0 && differential.compared.withErrors > 0,
  },
);
