import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { runOracle } from '../oracle/run.ts';
import { ownBackend } from './support/own-backend.ts';
import { argument, report, textArgument } from './support/report.ts';

// Loads randomly generated countries one after the other, and compares the responses of the service for points on edges
// and for days on which periods begin or end with what plain SQL, written from the specification alone, finds in the
// tables.

const NO_LIMITS = { statementTimeoutMs: 0, waitMs: 30_000 };

const responses = argument('responses', 10_000);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const kind = textArgument('backend', 'server') === 'embedded' ? 'embedded' : 'server';

const backend = await ownBackend(kind);
const pool = openPool({ at: backend.at, size: kind === 'server' ? 4 : 1, ...NO_LIMITS });
const db = openDatabase(pool);
const began = performance.now();
const run = await runOracle({ database: { db, pool, at: backend.at }, kind, responses, seed });
const seconds = Math.round((performance.now() - began) / 1_000);
await db.destroy();
await backend.remove();
report(
  'oracle',
  { database: kind, seed, ...run, seconds },
  {
    'as many responses as requested': run.responses >= responses,
    'no response differs': run.differences.length === 0,
    'most responses are not empty': run.filled > run.responses / 3,
  },
);
