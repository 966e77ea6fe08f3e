import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { seeded } from '../drawn/random.ts';
import { drawRequest } from '../drawn/requests.ts';
import { createClient, graphql, responsesTo, type TestRequest } from './support/client.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { BIN, startEmptyPostgres, startPostgres } from './support/postgres.ts';
import { REQUESTS } from './support/readers.ts';
import { argument, report } from './support/report.ts';

// Backs a database up and restores it on an empty server, with the commands of docs/operations.md, and compares the responses
// of a gateway over each, for the same key.

const count = argument('requests', 1_000);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const run = promisify(execFile);
const bin = (program: string, ...args: string[]) => run(join(BIN, program), args);

const random = seeded(seed);
/** Reads data through the role of the stored queries, whose grants the backup has to keep. */
const EXPORT: TestRequest = {
  path: '/getQueryResults',
  body: JSON.stringify({ id: 'current-officeholders', format: 'csv' }),
};
const requests: readonly TestRequest[] = [
  ...REQUESTS,
  EXPORT,
  graphql('{ queries { id } people(first: 100) { totalCount edges { cursor node { id name } } } }'),
  { path: '/tiles/COUNTY/2024-11-05/3/1/2.pbf' },
  ...Array.from({ length: count }, () => drawRequest(random)),
];

const original = await startPostgres();
const key = await keyOf(original.url, 'full');
const folder = await mkdtemp(join(tmpdir(), 'backup-'));
const [roles, dump] = [join(folder, 'roles.sql'), join(folder, 'ballotgraph.dump')];
await bin('pg_dumpall', '--roles-only', '--file', roles, '--dbname', original.url);
await bin('pg_dump', '--format=custom', '--file', dump, original.url);

const other = await startEmptyPostgres();
const restored = new URL(other.url);
restored.pathname = '/ballotgraph';
// It reports the role of the server's owner, which exists.
await bin('psql', '--quiet', '--file', roles, other.url);
await bin('createdb', '--maintenance-db', other.url, 'ballotgraph');
await bin('pg_restore', '--exit-on-error', '--dbname', restored.href, dump);
const { size } = await stat(dump);
await rm(folder, { recursive: true });

/** Returns the responses of a gateway over a database. Each error has an id of its own. */
async function responsesOver(url: string): Promise<string[]> {
  const gateway = await startGateway({ DATABASE_URL: url, TODAY: '2024-10-01', PUBLIC_URL: 'http://files.example' });
  const client = createClient(gateway.url);
  const responses = await responsesTo(requests, client, key);
  const at = requests.indexOf(EXPORT);
  const [, download] = /^200 (.*)$/s.exec(responses[at] ?? '') ?? [];
  if (download !== undefined) responses[at] = `200 ${await fileAt(gateway.url, download)}`;
  client.close();
  await gateway.stop();
  return responses;
}

/** Returns the file of a bulk download, whose address is signed and expires. */
async function fileAt(gateway: string, response: string): Promise<string> {
  const { pathname, search } = new URL(JSON.parse(response).data.url);
  const file = await fetch(gateway + pathname + search);
  return `${file.status} ${await file.text()}`;
}

const before = await responsesOver(original.url);
const after = await responsesOver(restored.href);
const db = openDatabase(
  openPool({ at: { connectionString: restored.href }, size: 1, statementTimeoutMs: 0, waitMs: 30_000 }),
);
await sql`update districts set name = name || ' renamed'`.execute(db);
await db.destroy();
const changed = await responsesOver(restored.href);
await Promise.all([original.remove(), other.remove()]);

const differentTo = (others: readonly string[]) => before.filter((response, index) => response !== others[index]);
const succeeded = before.filter((response) => response.startsWith('200 ')).length;
const fileLines = (before[requests.indexOf(EXPORT)] ?? '').trim().split('\n');
report(
  'backup and restore',
  {
    ...{ seed, requests: requests.length, succeeded, dumpBytes: size },
    different: differentTo(after).length,
    first: differentTo(after)[0]?.slice(0, 300),
    fileLines: fileLines.length,
    differentAfterChange: differentTo(changed).length,
  },
  {
    'every response is byte for byte the same': differentTo(after).length === 0,
    'most requests succeed': succeeded > requests.length / 2,
    'the bulk download has rows': (fileLines[0] ?? '').startsWith('200 200 ') && fileLines.length > 1,
    'changed data are noticed': differentTo(changed).length > 0,
  },
);
