import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { createClient, graphql, responsesTo, type TestRequest } from './support/client.ts';
import { missingCommands } from './support/cluster/cluster.ts';
import { startPatroni } from './support/cluster/patroni.ts';
import { keyOf, runCommand, startGateway } from './support/gateway.ts';
import { startEmptyPostgres, startRecovery, takeBaseBackup } from './support/postgres.ts';
import { report } from './support/report.ts';

// Goes back to a moment between two imports as docs/operations.md says, with the commands and the configuration there: a base
// backup, the archived write-ahead log and recovery_target_time, by PostgreSQL alone and by Patroni. The responses of a gateway have
// to be those of that moment.

const SAMPLE = join(import.meta.dirname, '../../db/sample');
const LIMIT_MS = 30_000;
const GUIDE = await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const [, CHAPTER = ''] = GUIDE.split('### Go back to a moment');

/** A server whose data a gateway serves. */
interface Server {
  /** The addresses for the owner of the data, and for a superuser. */
  readonly url: string;
  readonly adminUrl: string;
  /** Kills the machine. */
  kill(): Promise<void>;
  log(): Promise<string>;
}

/** A way to run PostgreSQL. */
interface Way {
  readonly name: string;
  /** Starts a server that archives its log. */
  start(): Promise<Server>;
  backUp(): Promise<void>;
  /** Starts a server from the backup and the archive, as it was at the moment. */
  goBack(moment: string): Promise<Server>;
  remove(): Promise<void>;
}

/** Returns a text of the guide with the folders and the moment of this test. */
const adapted = (text: string, folder: string, data = '', moment = '') =>
  text
    .replaceAll('/backup/', `${folder}/`)
    .replaceAll('/var/lib/ballotgraph/postgresql', data)
    .replaceAll('2026-11-03 22:15:00+00', moment);

async function postgresOf(folder: string): Promise<Way> {
  const settingsIn = (text: string, moment = '') =>
    [...text.matchAll(/(\w+) = '([^']+)'/g)].map(
      ([, name, value = '']) => `${name}=${adapted(value, folder, '', moment)}`,
    );
  const [archiving = '', recovering = ''] = CHAPTER.split('pg_basebackup');
  const servers: Awaited<ReturnType<typeof startEmptyPostgres>>[] = [];
  const added = async (starting: ReturnType<typeof startEmptyPostgres>) => {
    const server = await starting;
    servers.push(server);
    return { ...server, adminUrl: server.url };
  };
  return {
    name: 'PostgreSQL',
    start: () => added(startEmptyPostgres({ settings: ['archive_mode=on', ...settingsIn(archiving)] })),
    backUp: async () => takeBaseBackup(servers[0] as { url: string }, join(folder, 'base')),
    goBack: (moment) =>
      added(startRecovery(join(folder, 'base'), settingsIn(recovering.split('END')[1] ?? '', moment))),
    remove: async () => void (await Promise.all(servers.map((server) => server.remove()))),
  };
}

async function patroniOf(folder: string): Promise<Way> {
  const [archiving = '', restoring = ''] = [...CHAPTER.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);
  const patroni = await startPatroni(folder);
  let leader: Awaited<ReturnType<typeof patroni.start>>;
  const server = (): Server => ({
    ...{ url: leader.url('ballotgraph'), adminUrl: leader.url('postgres') },
    ...{ kill: () => leader.program.kill(), log: () => leader.program.log() },
  });
  return {
    name: 'Patroni',
    async start() {
      leader = await patroni.start('database1', 11, () => adapted(archiving, folder));
      await leader.untilIs('primary');
      return server();
    },
    backUp: () => takeBaseBackup({ url: leader.url('replicator') }, join(folder, 'base')),
    async goBack(moment) {
      const added = (data: string) => adapted(restoring, folder, data, moment);
      leader = await patroni.start('restored1', 11, added);
      await leader.untilIs('primary');
      await (await patroni.start('restored2', 12, added)).untilIs('replica');
      return server();
    },
    remove: () => patroni.remove(),
  };
}

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

/** Goes back in one of the ways, and returns what has been measured and what must hold. */
async function goBackBy(open_: (folder: string) => Promise<Way>) {
  const began = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'point-in-time-'));
  await chmod(folder, 0o777);
  const [archive, changed] = [join(folder, 'wal'), join(folder, 'changed')] as const;
  for (const each of [archive, join(folder, 'wal-2')]) {
    await mkdir(each);
    await chmod(each, 0o777);
  }
  const way = await open_(folder);
  const original = await way.start();
  const migrated = await runCommand(['migrate'], { DATABASE_URL: original.url });
  if (migrated.code !== 0) throw new Error(migrated.text);
  const key = await keyOf(original.url, 'full');
  await way.backUp();

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
  const db = open(original.adminUrl);
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
  const restored = await way.goBack(moment);
  const restoredDb = open(restored.adminUrl);
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
  await way.remove();
  await rm(folder, { recursive: true });

  return {
    name: way.name,
    figures: {
      ...{ requests: requests.length, moment, recoveryMs, seconds: Math.round((performance.now() - began) / 1_000) },
      ...{ imported: differing(before, between), importedLater: differing(between, after) },
      different: differing(recovered, between),
    },
    holds: {
      'both imports change responses': differing(before, between) > 0 && differing(between, after) > 0,
      'every response is that of the moment': differing(recovered, between) === 0,
      'every request succeeds': [...between, ...after, ...recovered].every(
        (response) => response.startsWith('200 ') && !response.includes('"errors"'),
      ),
      'the server stopped before the second import': /recovery stopping before commit/.test(log),
      'the second import can be repeated': again.code === 0 && differing(repeated, after) === 0,
    },
  };
}

const differing = (one: readonly string[], two: readonly string[]) =>
  one.filter((response, index) => response !== two[index]).length;

const ways = missingCommands().length === 0 ? [postgresOf, patroniOf] : [postgresOf];
const results = [];
for (const way of ways) results.push(await goBackBy(way));
report(
  'point-in-time recovery',
  Object.fromEntries(results.map(({ name, figures }) => [name, figures])),
  Object.fromEntries(
    results.flatMap(({ name, holds }) => Object.entries(holds).map(([what, isSo]) => [`${name}: ${what}`, isSo])),
  ),
);
