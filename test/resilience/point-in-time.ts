import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase, openPool } from '../../src/database/database.ts';
import { createClient, graphql, responsesTo, type TestRequest } from './support/client.ts';
import { keyOf, runCommand, startGateway } from './support/gateway.ts';
import { startPostgres, startRecovery, takeBaseBackup } from './support/postgres.ts';
import { report } from './support/report.ts';

// Goes back to a moment between two imports, with the tools of PostgreSQL as docs/operations.md says: a base backup, the archived
// write-ahead log and recovery_target_time. The responses of a gateway have to be those of that moment.

const SAMPLE = join(import.meta.dirname, '../../db/sample');
const LIMIT_MS = 30_000;
const began = performance.now();
const folder = await mkdtemp(join(tmpdir(), 'point-in-time-'));
const [archive, backup, changed] = ['archive', 'backup', 'changed'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
await chmod(folder, 0o777);

const original = await startPostgres({
  fill: async () => undefined,
  settings: [
    'archive_mode=on',
    `archive_command=mkdir -p ${archive} && test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  ],
});
const key = await keyOf(original.url, 'full');
await takeBaseBackup(original, backup);

const requests: readonly TestRequest[] = [
  graphql('{ people(name: "Peter") { edges { node { id name officeholders { id } } } } }'),
  graphql(
    '{ stateBallot(state: "VT", electionDate: "2022-11-08") { nodes { races { candidates { id person { name } share } } } } }',
  ),
  graphql(
    '{ people(first: 100) { totalCount edges { node { name } } } elections(first: 100) { edges { cursor node { id } } } }',
  ),
  { path: '/data/elections_by_state?state=VT&election_date=2022-11-08' },
  { path: '/data/election_dates/list?state=AK' },
];

async function responsesOf(url: string): Promise<string[]> {
  const client = createClient(url);
  const responses = await responsesTo(requests, client, key);
  client.close();
  return responses;
}

/** Loads a folder as an operator does, and returns the responses after it. */
async function afterLoading(source: string): Promise<string[]> {
  const { code, text } = await runCommand(['load', source], { DATABASE_URL: original.url });
  if (code !== 0) throw new Error(text);
  // Gateways detect a change of the data within half a second.
  await sleep(600);
  return responsesOf(gateway.url);
}

const open = (url: string) =>
  openDatabase(openPool({ at: { connectionString: url }, size: 1, statementTimeoutMs: 0, waitMs: 30_000 }));

const gateway = await startGateway({ DATABASE_URL: original.url, TODAY: '2024-10-01' });
const before = await responsesOf(gateway.url);
const between = await afterLoading(SAMPLE);
const db = open(original.url);
const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
const moment = rows[0]?.now ?? '';
// The second import names a person and an election otherwise.
await cp(SAMPLE, changed, { recursive: true });
await rm(join(changed, 'boundaries.geojsonl'), { force: true });
const persons = join(changed, 'persons.csv');
await writeFile(persons, (await readFile(persons, 'utf8')).replaceAll('Welch', 'Renamed'));
const after = await afterLoading(changed);

// The last segment is archived only when it is complete; then the machine dies.
await sql`select pg_switch_wal()`.execute(db);
const wanted =
  (await sql<{ name: string }>`select pg_walfile_name(pg_current_wal_lsn() - 1) as name`.execute(db)).rows[0]?.name ??
  '';
for (const end = performance.now() + LIMIT_MS; performance.now() < end; await sleep(100))
  if ((await readdir(archive)).includes(wanted)) break;
await db.destroy();
await gateway.stop();
await original.kill();

const recoveryBegan = performance.now();
const restored = await startRecovery(backup, [
  `restore_command=cp ${archive}/%f %p`,
  `recovery_target_time=${moment}`,
  'recovery_target_action=promote',
]);
const restoredDb = open(restored.url);
for (const end = performance.now() + LIMIT_MS; performance.now() < end; await sleep(50)) {
  const found = await sql<{ recovering: boolean }>`select pg_is_in_recovery() as recovering`.execute(restoredDb);
  if (!found.rows[0]?.recovering) break;
}
const recoveryMs = Math.round(performance.now() - recoveryBegan);
const other = await startGateway({ DATABASE_URL: restored.url, TODAY: '2024-10-01' });
const recovered = await responsesOf(other.url);
// What was lost can be imported again: the server is a primary with a history of its own.
const again = await runCommand(['load', changed], { DATABASE_URL: restored.url });
await sleep(600);
const repeated = await responsesOf(other.url);
await other.stop();
await restoredDb.destroy();
const log = await restored.log();
await Promise.all([original.remove(), restored.remove()]);
await rm(folder, { recursive: true });

const differing = (one: readonly string[], two: readonly string[]) =>
  one.filter((response, index) => response !== two[index]).length;
report(
  'point-in-time recovery',
  {
    ...{ requests: requests.length, moment, recoveryMs, seconds: Math.round((performance.now() - began) / 1_000) },
    ...{ imported: differing(before, between), importedLater: differing(between, after) },
    different: differing(recovered, between),
  },
  {
    'both imports change responses': differing(before, between) > 0 && differing(between, after) > 0,
    'every response is that of the moment': differing(recovered, between) === 0,
    'every request succeeds': [...between, ...after, ...recovered].every(
      (response) => response.startsWith('200 ') && !response.includes('"errors"'),
    ),
    'the server stopped before the second import': /recovery stopping before commit/.test(log),
    'the second import can be repeated': again.code === 0 && differing(repeated, after) === 0,
  },
);
