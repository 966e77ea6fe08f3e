import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, DatabaseMachine, FrontMachine } from './cluster.ts';
import { childrenOf, type Program, postgresProcesses } from './programs.ts';

/** What is killed. */
export const KINDS = [
  /** The machine of the leader: etcd, Patroni, PostgreSQL and pgbouncer at once. */
  'leader machine',
  'standby machine',
  /** PostgreSQL alone: Patroni starts it again. */
  'leader postgres',
  'standby postgres',
  /** One process of PostgreSQL behind haproxy, whose end makes PostgreSQL restart all of them. */
  'backend',
  'etcd',
  'pgbouncer',
  'gateway',
  'redis',
  'edge',
  'haproxy',
] as const;
export type Kind = (typeof KINDS)[number];

/** How long killed programs stay down until they are started again, at most: as by systemd, or by an operator. */
const DOWN_MS = 3_000;
const FAILOVER_LIMIT_MS = 60_000;

/**
 * Kills something of the kind with SIGKILL, and starts it again after a while.
 * @returns what was killed.
 */
export async function killOne(cluster: Cluster, kind: Kind, draw: () => number): Promise<string> {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(draw() * items.length)] as Item;
  const leader = await cluster.leader();
  const standby = pick(cluster.databases.filter((machine) => machine !== leader));
  const machine = kind.startsWith('leader') ? leader : standby;
  if (!machine) throw new Error('There is no leader');

  switch (kind) {
    case 'leader machine':
      return replace(machine, draw() < 0.5);
    case 'standby machine':
      return restart(machine.name, [machine.etcd, machine.patroni, machine.pgbouncer], draw);
    case 'leader postgres':
    case 'standby postgres':
      for (const pid of postgresProcesses(machine.data)) killIgnoringErrors(pid);
      return machine.name;
    case 'backend':
      return killBackend(pick(cluster.databases));
    case 'etcd':
    case 'pgbouncer':
      return restartOneOf(cluster.databases, kind);
    case 'gateway':
    case 'haproxy':
      return restartOneOf(cluster.fronts, kind);
    case 'edge':
      return restartOneOf(cluster.fronts, 'varnish');
    case 'redis':
      return restart('redis', [cluster.redis], draw);
  }

  /** Kills the machine of the leader, and starts it again soon, or after another member has become the leader. */
  async function replace({ name, etcd, patroni, pgbouncer }: DatabaseMachine, isSoon: boolean): Promise<string> {
    const programs = [etcd, patroni, pgbouncer];
    if (isSoon) return restart(name, programs, draw);
    await Promise.all(programs.map((program) => program.kill()));
    for (const end = performance.now() + FAILOVER_LIMIT_MS; !(await cluster.leader()); await sleep(200))
      if (performance.now() > end) throw new Error('No standby has become the leader');
    for (const program of programs) program.start();
    return name;
  }

  function restartOneOf<Of extends DatabaseMachine | FrontMachine>(machines: readonly Of[], program: keyof Of) {
    const killed = pick(machines)[program] as Program;
    return restart(killed.name, [killed], draw);
  }
}

async function restart(name: string, programs: readonly Program[], draw: () => number): Promise<string> {
  await Promise.all(programs.map((program) => program.kill()));
  await sleep(draw() * DOWN_MS);
  for (const program of programs) program.start();
  return name;
}

/** Kills one process of a PostgreSQL that serves a connection, with preference for one from pgbouncer. */
async function killBackend({ name, data }: DatabaseMachine): Promise<string> {
  const [postmaster = 0] = postgresProcesses(data);
  const backend = childrenOf(postmaster).at(-1) ?? 0;
  killIgnoringErrors(backend);
  return name;
}

function killIgnoringErrors(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited in the meantime.
  }
}
