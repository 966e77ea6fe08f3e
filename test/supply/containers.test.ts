import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import ownPackage from '../../package.json' with { type: 'json' };

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const MANIFESTS = 'deploy/cluster/kubernetes';
const read = (file: string) => readFile(join(ROOT, file), 'utf8');

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly build?: object;
  readonly environment: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly [name: string]: unknown;
}

interface Container {
  readonly image: string;
  readonly env?: readonly { name: string; value?: string }[];
  readonly resources?: { readonly limits?: Readonly<Record<string, string>> };
  readonly securityContext?: Readonly<Record<string, unknown>>;
}

interface Pod {
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly containers: readonly Container[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>> & { readonly template?: { readonly spec: Pod } };
}

const compose: { services: Readonly<Record<string, Service>> } = parse(await read('compose.yaml'), { merge: true });
const manifestFiles = (await readdir(join(ROOT, MANIFESTS))).map((name) => `${MANIFESTS}/${name}`);
const manifests: Manifest[] = (await Promise.all(manifestFiles.map(read))).flatMap((text) =>
  parseAllDocuments(text).map((document) => document.toJS()),
);
const services = Object.entries(compose.services);
const pods = manifests.flatMap(({ metadata, spec }) =>
  spec?.template ? [[metadata.name, spec.template.spec] as const] : [],
);
const cluster = manifests.find(({ kind }) => kind === 'Cluster')?.spec ?? {};

describe.each(services)('the service %s of compose.yaml', (name, service) => {
  it.each<[rule: string, holds: () => boolean]>([
    ['has a read-only tree', () => service.read_only === true],
    ['has no capabilities', () => JSON.stringify(service.cap_drop) === '["ALL"]' && !('cap_add' in service)],
    ['gains no privileges', () => JSON.stringify(service.security_opt) === '["no-new-privileges:true"]'],
    [
      'is not privileged',
      () => !['privileged', 'network_mode', 'pid', 'ipc', 'devices'].some((each) => each in service),
    ],
    ['has a limit of memory', () => /^\d+[mg]$/.test(String(service.mem_limit))],
    ['has a limit of processors', () => /^(\d+(\.\d+)?|\$\{\w+:-\d+\})$/.test(String(service.cpus))],
    ['has a limit of processes', () => Number(service.pids_limit) > 0],
    // The image of the gateway has a user of its own (deployment.test.ts).
    ['does not run as root', () => service.build !== undefined || /^(?!root|0$)\w+$/.test(service.user ?? '')],
    ['has no fixed password', () => passwordsOf(service).every((value) => /^\$\{\w+:\?[^}]+\}$/.test(value))],
    [
      'mounts no folder of the machine that it could write',
      () => foldersOf(service).every((each) => each.endsWith(':ro')),
    ],
    [
      'has a tag in the name of its image, its own the version',
      () =>
        service.build === undefined ? isTagged(service.image) : service.image === `ballotgraph:${ownPackage.version}`,
    ],
    ['is reached from this machine only', () => portsOf(service).every((port) => port.startsWith('127.0.0.1:'))],
  ])('%s', (_, holds) => {
    expect(holds(), JSON.stringify(compose.services[name])).toBe(true);
  });
});

const passwordsOf = ({ environment }: Service) =>
  Object.entries(environment).flatMap(([name, value]) => (name.includes('PASSWORD') ? [value] : []));
const foldersOf = ({ volumes = [] }: Service) => volumes.filter((volume) => /^[./]/.test(volume));
const portsOf = (service: Service) => (service.ports ?? []) as string[];
const isTagged = (image: string) =>
  /^[a-z0-9.-]+\.[a-z]+\/[\w./-]+:(?!latest)[\w.-]+(@sha256:[0-9a-f]{64})?$/.test(image);

describe('the roles of the database', () => {
  const userOf = (url: string | undefined) => new URL(url ?? '').username;

  it('are others for the superuser, the migration and the gateway in compose.yaml', () => {
    const { gateway, migrate, postgis } = compose.services;
    expect(userOf(migrate?.environment.DATABASE_URL)).toBe('ballotgraph');
    expect(userOf(gateway?.environment.DATABASE_URL)).toBe('ballotgraph_gateway');
    expect(postgis?.environment.POSTGRES_USER).toBe('postgres');
    for (const each of [gateway, migrate]) expect(JSON.stringify(each?.environment)).not.toContain('POSTGRES_PASSWORD');
    expect(gateway?.environment.PGPASSWORD).toContain('GATEWAY_PASSWORD');
    expect(migrate?.environment.PGPASSWORD).toContain('OWNER_PASSWORD');
    // In this order: the second one is about a role that the first one creates.
    expect(postgis?.volumes?.slice(1)).toEqual([
      './deploy/compose/create-roles.sh:/docker-entrypoint-initdb.d/20-create-roles.sh:ro',
      './db/unwanted-functions.sql:/docker-entrypoint-initdb.d/30-unwanted-functions.sql:ro',
    ]);
  });

  it('are others for the migration and the gateway on Kubernetes and in a cluster', async () => {
    const userIn = (name: string) => {
      const [, pod] = pods.find(([each]) => each === name) ?? [];
      return userOf(pod?.containers[0]?.env?.find((each) => each.name === 'DATABASE_URL')?.value);
    };
    expect([userIn('ballotgraph-migrate'), userIn('ballotgraph-gateway')]).toEqual([
      'ballotgraph',
      'ballotgraph_gateway',
    ]);
    expect(await read('deploy/cluster/gateway.env')).toMatch(/^DATABASE_URL=postgres:\/\/ballotgraph_gateway:/m);
    expect(await read('deploy/cluster/userlist.txt')).toMatch(/^"ballotgraph_gateway" "[^"]+"\n$/);
  });

  it('have the same rights everywhere', async () => {
    const { bootstrap } = cluster as unknown as { bootstrap: { initdb: Record<string, string[]> } };
    const { postInitSQL = [], postInitApplicationSQL = [] } = bootstrap.initdb;
    const scripts = [
      await read('deploy/compose/create-roles.sh'),
      await read('deploy/cluster/post-init.sh'),
      [...postInitSQL, ...postInitApplicationSQL].map((statement) => `${statement};`).join('\n'),
    ];
    const rights = scripts.map((script) =>
      [...script.matchAll(/^((?:grant|revoke|alter role|create extension|create role ballotgraph_export).*);$/gm)]
        .map(([, statement = '']) => statement.replace(':"DBNAME"', 'ballotgraph').replace('if not exists ', ''))
        .sort(),
    );
    expect(rights[0]?.length).toBeGreaterThan(6);
    expect(rights[1]).toEqual(rights[0]);
    expect(rights[2]).toEqual(rights[0]);
    for (const script of scripts) expect(script).not.toMatch(/superuser;|createrole;|bypassrls/i);
  });
});

describe('Redis in compose.yaml', () => {
  it('has the password that the gateway has, which is no argument of its process', () => {
    const { redis, gateway } = compose.services;
    expect(redis?.command?.join(' ')).toContain(`printf 'requirepass %s\\n' "$$REDIS_PASSWORD" | redis-server -`);
    expect(gateway?.environment.REDIS_URL).toMatch(/^redis:\/\/:\$\{REDIS_PASSWORD:\?[^}]+\}@redis:6379$/);
  });
});

describe.each(pods)('the pod %s', (_, { containers, securityContext, automountServiceAccountToken }) => {
  it('has no privileges, limits, and a read-only tree', () => {
    expect(automountServiceAccountToken).toBe(false);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    for (const container of containers)
      expect(container).toMatchObject({
        resources: { limits: { cpu: expect.any(String), memory: expect.any(String) } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      });
  });

  it('names foreign images with a tag', () => {
    for (const { image } of containers)
      expect(image === `ballotgraph:${ownPackage.version}` || isTagged(image), image).toBe(true);
  });
});

it('the database on Kubernetes has limits, and a tag in the name of its image', () => {
  expect(cluster).toMatchObject({
    resources: { limits: { cpu: expect.any(String), memory: expect.any(String) } },
  });
  expect(isTagged(String(cluster.imageName))).toBe(true);
});

describe('deploy/pin-images', () => {
  const FILES = ['compose.yaml', 'Containerfile', ...manifestFiles];
  const IMAGE = /(?:image:|imageName:|FROM) +(\S+\.\S+\/\S+)/g;
  const imagesIn = (texts: readonly string[]) =>
    texts.flatMap((text) => [...text.matchAll(IMAGE)].map(([, image = '']) => image));

  const withoutDigests = (texts: readonly string[]) =>
    texts.map((text) => text.replaceAll(/@sha256:[0-9a-f]{64}/g, ''));

  /** Copies the files into a folder with a `skopeo` that returns a manifest for each image, and returns a function that runs the script. */
  async function setUp(skopeo: string) {
    const folder = await mkdtemp(join(tmpdir(), 'pin-images-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const file of [...FILES, 'deploy/pin-images']) await cp(join(ROOT, file), join(folder, file));
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/skopeo'), `#!/bin/sh\n${skopeo}\n`, { mode: 0o755 });
    const pin = () =>
      run(join(folder, 'deploy/pin-images'), { env: { PATH: `${folder}/bin:${process.env.PATH}` } }).then(
        () => '',
        (error) => String(error.stderr),
      );
    const texts = () => Promise.all(FILES.map((file) => readFile(join(folder, file), 'utf8')));
    return { folder, pin, texts };
  }

  it('adds the digest of its manifest to each foreign image, and replaces it when it runs again', async () => {
    const { folder, pin, texts } = await setUp('echo "first $3"');
    const before = await texts();
    expect(imagesIn(before).length).toBeGreaterThan(6);
    expect(await pin()).toBe('');
    const first = await texts();
    for (const image of imagesIn(first)) expect(image).toMatch(/^[^@]+:[^@]+@sha256:[0-9a-f]{64}$/);
    expect(withoutDigests(first)).toEqual(withoutDigests(before));
    await writeFile(join(folder, 'bin/skopeo'), '#!/bin/sh\necho "second $3"\n');
    expect(await pin()).toBe('');
    const second = await texts();
    expect(imagesIn(second)).toHaveLength(imagesIn(first).length);
    for (const [index, image] of imagesIn(second).entries()) {
      expect(image).toMatch(/^[^@]+@sha256:[0-9a-f]{64}$/);
      expect(image).not.toBe(imagesIn(first)[index]);
    }
  });

  it('writes nothing if one registry does not answer', async () => {
    const { pin, texts } = await setUp('case $3 in *redis*) exit 1;; esac; echo "$3"');
    const before = await texts();
    expect(await pin()).toContain('no digest of docker.io/library/redis:7');
    expect(await texts()).toEqual(before);
  });
});
