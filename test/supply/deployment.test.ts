import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import ownPackage from '../../package.json' with { type: 'json' };
import { environment } from '../../src/base/config/environment.ts';

const read = (file: string) => readFile(join(import.meta.dirname, '../..', file), 'utf8');
const [containerfile, composeFile, unit, ignored] = await Promise.all(
  ['Containerfile', 'compose.yaml', 'deploy/ballotgraph.service', '.dockerignore'].map(read),
);
/** The options and the program of `npm start`, without the launcher. */
const START = ownPackage.scripts.start.split(' ').filter((word) => word !== 'src/launch.js');
/** Variables of others: of Node, glibc and the PostgreSQL client. */
const FOREIGN = ['NODE_ENV', 'MALLOC_ARENA_MAX', 'PGPASSWORD'];

describe('the container and the systemd unit', () => {
  it('start the gateway like npm start', () => {
    expect(JSON.parse(/^CMD (.*)$/m.exec(containerfile ?? '')?.[1] ?? '')).toEqual(START);
    expect(/^ExecStart=\S+\/(.*)$/m.exec(unit ?? '')?.[1]).toBe(START.join(' '));
  });

  it('run without root privileges', () => {
    expect(containerfile).toMatch(/^USER node$/m);
    expect(unit).toMatch(/^DynamicUser=yes$/m);
  });

  it('copy nothing that .dockerignore excludes', () => {
    const copied = [...(containerfile ?? '').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    const cached = (ignored ?? '')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect([...new Set(copied)].sort()).toEqual(cached.sort());
  });

  it('set only variables that exist', () => {
    const { services } = parse(composeFile ?? '', { merge: true });
    const names = [
      ...[...(containerfile ?? '').matchAll(/^ENV (.*)$/gm)].flatMap(([, values = '']) => values.split(' ')),
      ...(/^Environment=(.*)$/m.exec(unit ?? '')?.[1] ?? '').split(' '),
      ...Object.keys(services.gateway.environment),
      ...Object.keys(services.migrate.environment),
    ].map((value) => value.split('=')[0]);
    expect(names.filter((name = '') => !(name in environment.shape) && !FOREIGN.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL']));
  });
});

describe('the alert rules and the dashboard', async () => {
  const [rules, dashboard, metrics, operations, errors] = await Promise.all(
    [
      'deploy/alerts.yaml',
      'deploy/dashboard.json',
      'src/gateway/http/metrics.ts',
      'docs/operations.md',
      'src/base/errors.ts',
    ].map(read),
  );
  const alerts: { alert: string; expr: string }[] = parse(rules ?? '').groups.flatMap(
    (group: { rules: unknown[] }) => group.rules,
  );
  const panels: { targets: { expr: string }[] }[] = JSON.parse(dashboard ?? '').panels;
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];

  it('name only metrics that the gateway has', () => {
    const named = expressions.flatMap((text) =>
      [...text.matchAll(/ballotgraph_(\w+)/g)].map(([, name = '']) => name.replace(/_bucket$/, '')),
    );
    expect(new Set(named).size).toBeGreaterThan(8);
    const cacheMetrics = ['cache_lookups_total', 'cache_bytes'];
    for (const name of new Set(named)) {
      const isKnown = cacheMetrics.includes(name) ? metrics?.includes(name) : metrics?.includes(`'${name}'`);
      expect(isKnown, name).toBe(true);
    }
  });

  it('name only error codes that exist', () => {
    const codes = expressions.flatMap((text) =>
      [...text.matchAll(/reason=~?"([A-Z_|]+)"/g)].flatMap(([, list = '']) => list.split('|')),
    );
    expect(codes.length).toBeGreaterThan(2);
    for (const code of codes) expect(errors).toContain(`  ${code}: {`);
  });

  it('have an entry in the operations guide for each alert', () => {
    for (const { alert } of alerts) expect(operations).toContain(`| \`${alert}\` |`);
  });
});

/** Writes the variables of a file as <NAME>: in YAML, braces would be a map. */
const withoutBraces = (text: string) => text.replace(/\$\{(\w+)\}/g, '<$1>');
/** The value of a variable in lines of the form NAME=value. */
const valueIn = (text: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1];

describe('what connects from outside and inside', async () => {
  const names = [
    'gateway.env',
    'etcd.env',
    'patroni.yml',
    'haproxy.cfg',
    'redis.conf',
    'pgbouncer.ini',
    'varnish.vcl',
    'README.md',
  ] as const;
  const texts = await Promise.all(names.map((name) => read(`deploy/cluster/${name}`).then(withoutBraces)));
  const cluster = Object.fromEntries(names.map((name, index) => [name, texts[index] as string])) as Record<
    (typeof names)[number],
    string
  >;
  const gateway = parse(composeFile ?? '', { merge: true }).services.gateway.environment;
  const { networks } = parse(composeFile ?? '', { merge: true });
  const patroni = parse(cluster['patroni.yml']);
  const rules: string[] = patroni.postgresql.pg_hba;
  const frontends = new Map(
    cluster['haproxy.cfg'].split(/^(?=\w)/m).map((section) => [section.split('\n')[0] ?? '', section] as const),
  );
  const isPrivate = (value: string | undefined) => /^<(ADDRESS|REDIS)>(:\d+)?$/.test(value ?? '');

  it.each<[rule: string, holds: () => boolean]>([
    ['a cluster has PUBLIC_URL', () => valueIn(cluster['gateway.env'], 'PUBLIC_URL') === '<PUBLIC_URL>'],
    ['compose demands PUBLIC_URL', () => /^\$\{PUBLIC_URL:\?/.test(gateway.PUBLIC_URL ?? '')],
    ['the systemd unit names PUBLIC_URL', () => /^# +PUBLIC_URL=https:/m.test(unit ?? '')],
    [
      'a cluster trusts its front machines alone',
      () => valueIn(cluster['gateway.env'], 'TRUSTED_PROXIES') === '<FRONT1>,<FRONT2>',
    ],
    [
      'compose trusts the address of the proxy alone',
      () => gateway.TRUSTED_PROXIES === networks.default.ipam.config[0].gateway,
    ],
    ['compose counts sockets by visitor, not by proxy', () => gateway.LIMITS === 'behind-proxy'],
    ['the systemd unit limits memory', () => /^MemoryMax=\d+[MG]$/m.test(unit ?? '')],
    ['the systemd unit limits tasks', () => /^TasksMax=\d+$/m.test(unit ?? '')],
    [
      'clients reach the public address',
      () => /bind <PUBLIC_ADDRESS>:8080$/m.test(frontends.get('frontend clients') ?? ''),
    ],
    [
      'clients cannot say what a proxy says',
      () => /http-request del-header X-Forwarded- -m beg/.test(frontends.get('frontend clients') ?? ''),
    ],
    [
      'nothing else of haproxy listens there',
      () =>
        [...frontends]
          .filter(([name]) => name !== 'frontend clients')
          .flatMap(([, section]) => [...section.matchAll(/^ +bind (\S+)/gm)])
          .every(([, address]) => isPrivate(address)),
    ],
    [
      'misses are for the private network alone',
      () => (frontends.get('frontend misses') ?? '').includes('tcp-request connection reject unless { src <NETWORK> }'),
    ],
    ['the gateway listens on the private address', () => isPrivate(valueIn(cluster['gateway.env'], 'HOST'))],
    ['Redis listens on the private address', () => /^bind <REDIS>$/m.test(cluster['redis.conf'])],
    ['pgbouncer listens on the private address', () => /^listen_addr = <ADDRESS>$/m.test(cluster['pgbouncer.ini'])],
    ['PostgreSQL listens on the private address', () => isPrivate(patroni.postgresql.listen)],
    [
      'the superuser connects from its machine alone',
      () =>
        rules.filter((rule) => /^\S+ \S+ (\S*,)?(postgres|all)(,| )/.test(rule)).join() ===
        'host all postgres samehost scram-sha-256',
    ],
    [
      'pg_rewind is not the superuser',
      () => patroni.postgresql.authentication.rewind.username !== patroni.postgresql.authentication.superuser.username,
    ],
    ['every role has a password', () => rules.every((rule) => rule.endsWith(' scram-sha-256'))],
    ['etcd has TLS alone', () => !cluster['etcd.env'].includes('http://')],
    ['etcd demands certificates of clients', () => valueIn(cluster['etcd.env'], 'ETCD_CLIENT_CERT_AUTH') === 'true'],
    [
      'etcd demands certificates of members',
      () => valueIn(cluster['etcd.env'], 'ETCD_PEER_CLIENT_CERT_AUTH') === 'true',
    ],
    [
      'Patroni shows its certificate',
      () => patroni.etcd3.protocol === 'https' && ['cacert', 'cert', 'key'].every((name) => name in patroni.etcd3),
    ],
    [
      'the README says what has to be private',
      () => /`ADDRESS` and `NETWORK` have to be private: .*not encrypted/.test(cluster['README.md']),
    ],
  ])('%s', (_, holds) => {
    expect(holds()).toBe(true);
  });
});

describe('the files of a cluster', async () => {
  const folder = 'deploy/cluster';
  const files = (await readdir(join(import.meta.dirname, '../..', folder), { withFileTypes: true }))
    .filter((entry) => entry.isFile() && !['README.md', 'render.sh', 'certificates.sh'].includes(entry.name))
    .map(({ name }) => name);
  const texts = new Map(await Promise.all(files.map(async (name) => [name, await read(`${folder}/${name}`)] as const)));
  const readme = await read(`${folder}/README.md`);
  const named = (text: string | undefined, pattern: RegExp) =>
    [...(text ?? '').matchAll(pattern)].map(([, name = '']) => name);

  it('use every variable of cluster.env and no other', () => {
    const used = [...texts].flatMap(([, text]) => named(text, /\$\{(\w+)\}/g));
    const defined = named(texts.get('cluster.env'), /^(\w+)=/gm);
    expect([...new Set(used)].sort()).toEqual(defined.sort());
  });

  it('set only variables of the gateway that exist', () => {
    const names = named(texts.get('gateway.env'), /^(\w+)=/gm);
    expect(names.filter((name) => !(name in environment.shape))).toEqual([]);
    expect(names).toContain('DATABASE_URL');
  });

  it('are all in its README', () => {
    for (const name of files) expect(readme).toContain(`\`${name}\``);
  });
});
