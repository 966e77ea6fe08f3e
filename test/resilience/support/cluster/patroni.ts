import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createCertificates, DEPLOYED, freeNetwork, statusOf } from './cluster.ts';
import { asUser, createProgram, ownFolder, type Program, postgresProcesses, rightsToRead } from './programs.ts';

const run = promisify(execFile);
const READY_LIMIT_MS = 60_000;
const PASSWORDS = {
  ...{ POSTGRES_PASSWORD: 'one', REPLICATION_PASSWORD: 'two', BALLOTGRAPH_PASSWORD: 'three' },
  ...{ GATEWAY_PASSWORD: 'four', PATRONI_PASSWORD: 'five', REWIND_PASSWORD: 'six' },
};
/** On one machine, each member connects to itself from another address than its own. */
const LOOPBACK = `
postgresql:
  use_unix_socket: true
  pg_hba:
    - local all all trust
    - host all all 127.0.0.0/8 scram-sha-256
    - host replication replicator 127.0.0.0/8 scram-sha-256
`;

/** A member of a cluster of PostgreSQL under Patroni. */
export interface Member {
  readonly program: Program;
  /** The folder for the data of PostgreSQL, which does not exist before the first start. */
  readonly data: string;
  /** Returns the address of the database as a role. */
  url(role: keyof typeof ROLES): string;
  /** Waits until it is the leader, or a standby that streams. */
  untilIs(role: 'primary' | 'replica'): Promise<void>;
}

const ROLES = {
  postgres: PASSWORDS.POSTGRES_PASSWORD,
  replicator: PASSWORDS.REPLICATION_PASSWORD,
  ballotgraph: PASSWORDS.BALLOTGRAPH_PASSWORD,
};

export interface Patroni {
  /**
   * Starts a member with the deployed configuration.
   * @param number that of its address.
   * @param added returns further configuration, for the folder of its data.
   */
  start(name: string, number: number, added: (data: string) => string): Promise<Member>;
  remove(): Promise<void>;
}

/** Starts an etcd, in which members of Patroni find each other. */
export async function startPatroni(folder: string): Promise<Patroni> {
  const network = await freeNetwork();
  const etcdAddress = `${network}.10`;
  const programs: Program[] = [];
  const state = await ownFolder(join(folder, 'etcd'), 'postgres');
  const [clients, peers] = [2379, 2380].map((port) => `https://${etcdAddress}:${port}`) as [string, string];
  const databases = { DATABASE1: etcdAddress, DATABASE2: etcdAddress, DATABASE3: etcdAddress };
  const certificates = join(
    await createCertificates(await ownFolder(join(folder, 'authority'), 'postgres'), databases),
    'database1',
  );
  const etcd = createProgram({
    ...{ name: 'etcd', user: 'postgres', folder: state, command: ['etcd'] },
    environment: {
      ...{ ETCD_NAME: 'only', ETCD_DATA_DIR: join(state, 'data'), ETCD_INITIAL_CLUSTER: `only=${peers}` },
      ...{ ETCD_LISTEN_PEER_URLS: peers, ETCD_INITIAL_ADVERTISE_PEER_URLS: peers },
      ...{ ETCD_LISTEN_CLIENT_URLS: clients, ETCD_ADVERTISE_CLIENT_URLS: clients },
      ...{ ETCD_CERT_FILE: join(certificates, 'etcd.crt'), ETCD_KEY_FILE: join(certificates, 'etcd.key') },
      ...{ ETCD_TRUSTED_CA_FILE: join(certificates, 'ca.crt'), ETCD_CLIENT_CERT_AUTH: 'true' },
      ...{ ETCD_PEER_CERT_FILE: join(certificates, 'etcd.crt'), ETCD_PEER_KEY_FILE: join(certificates, 'etcd.key') },
      ETCD_PEER_TRUSTED_CA_FILE: join(certificates, 'ca.crt'),
    },
  });
  programs.push(etcd);
  etcd.start();

  async function start(name: string, number: number, added: (data: string) => string): Promise<Member> {
    const own = await ownFolder(join(folder, name), 'postgres');
    const data = join(own, 'postgresql');
    const address = `${network}.${number}`;
    const script = join(DEPLOYED, 'render.sh');
    const [command, ...args] = asUser(
      'postgres',
      [script, own, 'patroni.yml', 'post-init.sh'],
      await rightsToRead('postgres', script),
    );
    const variables = { NAME: name, ADDRESS: address, STATE: own, NETWORK: '127.0.0.0/8', ...databases, ...PASSWORDS };
    await run(command, args, { env: { PATH: process.env.PATH, ...variables } });
    await symlink(certificates, join(own, 'certificates'));
    // Patroni reads the files of a folder in their order, the later ones over the earlier ones.
    await writeFile(join(own, 'x-loopback.yml'), LOOPBACK);
    await writeFile(join(own, 'y-added.yml'), added(data));
    const program = createProgram({
      ...{ name: 'patroni', user: 'postgres', folder: own, command: ['patroni', own] },
      others: () => postgresProcesses(data),
    });
    programs.push(program);
    program.start();
    const untilIs = async (role: string) => {
      for (const end = performance.now() + READY_LIMIT_MS; performance.now() < end; await sleep(200))
        if ((await statusOf(`http://${address}:8008/${role}`)) === 200) return;
      throw new Error(`${name} does not become a ${role}:\n${(await program.log()).slice(-4_000)}`);
    };
    const url = (role: keyof typeof ROLES) => `postgres://${role}:${ROLES[role]}@${address}:5432/ballotgraph`;
    return { program, data, url, untilIs };
  }

  return {
    start,
    remove: async () => {
      await Promise.all(programs.map((program) => program.kill()));
    },
  };
}
