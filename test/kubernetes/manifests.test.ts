import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import ownPackage from '../../package.json' with { type: 'json' };
import { environment } from '../../src/base/config/environment.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'deploy/cluster/kubernetes');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [name: string]: unknown;
}

const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.yaml'));
const texts = await Promise.all(files.map((file) => readFile(join(FOLDER, file), 'utf8')));
const manifests: Manifest[] = texts.flatMap((text) =>
  parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  }),
);
const found = (kind: string, name: string) =>
  manifests.find((each) => each.kind === kind && each.metadata.name === name) as Manifest;

/** Returns the module that has the class and the type of a kind. */
const moduleOf = ({ apiVersion }: Manifest) =>
  `${apiVersion.includes('cnpg.io') ? '@kubernetes-models/cloudnative-pg' : 'kubernetes-models'}/${apiVersion}`;

/**
 * Returns what the schemas of Kubernetes and CloudNativePG do not allow: the validators check values and required fields, the
 * types of TypeScript find fields that do not exist.
 */
async function problemsOf(checked: readonly Manifest[]): Promise<string[]> {
  const problems: string[] = [];
  const lines: string[] = [];
  for (const [number, manifest] of checked.entries()) {
    const module = moduleOf(manifest);
    const model = (await import(module))[manifest.kind];
    try {
      new model(manifest).validate();
    } catch (error) {
      problems.push(`${manifest.kind} ${manifest.metadata.name}: ${error}`);
    }
    lines.push(`import type { I${manifest.kind} as I${number} } from '${module}';`);
    lines.push(`export const manifest${number}: I${number} = ${JSON.stringify(manifest)};`);
  }
  // In this folder, in which the packages are found.
  const folder = await mkdtemp(join(import.meta.dirname, 'checked-'));
  try {
    const file = join(folder, 'manifests.ts');
    await writeFile(file, lines.join('\n'));
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--ignoreConfig',
    ];
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), [...options, file], { cwd: folder }).catch(
      (error) => error,
    );
    problems.push(
      ...String(stdout)
        .split('\n')
        .filter((line) => line.includes('error')),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
  return problems;
}

describe.skipIf(!existsSync(join(import.meta.dirname, 'node_modules')))(
  'the manifests for Kubernetes (needs npm ci --prefix test/kubernetes)',
  () => {
    it('are valid by the schemas of Kubernetes and CloudNativePG', async () => {
      expect(await problemsOf(manifests)).toEqual([]);
    });

    it('would not be valid with a wrong value or an unknown field', async () => {
      const gateway = found('Deployment', 'ballotgraph-gateway');
      const database = found('Cluster', 'ballotgraph');
      const wrong = [
        { ...gateway, spec: { ...(gateway.spec as object), replica: 2 } },
        { ...database, spec: { ...(database.spec as object), instances: '3' } },
      ];
      const problems = await problemsOf(wrong);
      expect(problems.join('\n')).toMatch(/'"replica"' does not exist/);
      expect(problems.join('\n')).toMatch(/instances must be integer/);
    }, 60_000);
  },
);

describe('the manifests for Kubernetes', () => {
  it('set only variables that exist', () => {
    const { data } = found('ConfigMap', 'ballotgraph-gateway');
    expect(Object.keys(data as object).filter((name) => !(name in environment.shape))).toEqual([]);
  });

  it('refer only to each other, and to the secrets that their comments name', () => {
    const text = texts.join('\n');
    const named = [...text.matchAll(/(?:secretKeyRef|configMapRef|configMap|secret|service):\n\s+name: (\S+)/g)].map(
      ([, name]) => name,
    );
    const comments = text
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .join('\n');
    const names = new Set(manifests.map(({ metadata }) => metadata.name));
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(names.has(name ?? '') || comments.includes(name ?? ''), name).toBe(true);
  });

  it('let only the edge reach gateways, only gateways and commands the database, and only the monitoring metrics', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as NetworkPolicy);
    // What no other policy allows is refused.
    expect(policies).toContainEqual({ podSelector: {}, policyTypes: ['Ingress'] });
    const sourcesOf = (label: string, port: number) =>
      policies
        .filter(({ podSelector }) => Object.values(podSelector.matchLabels ?? {}).includes(label))
        .flatMap(({ ingress = [] }) => ingress)
        .filter(({ ports }) => !ports || ports.some((each) => each.port === port))
        .flatMap(({ from }) => from ?? [{ everywhere: true }])
        .map((source) => JSON.stringify(source).replace(/^.*:"|"\}.*$/g, ''))
        .sort();
    const table = {
      'edge 6081': sourcesOf('ballotgraph-edge', 6081),
      'gateway 4000': sourcesOf('ballotgraph-gateway', 4000),
      'gateway 9400': sourcesOf('ballotgraph-gateway', 9400),
      'redis 6379': sourcesOf('ballotgraph-redis', 6379),
      'database 5432': sourcesOf('ballotgraph', 5432),
      'database 8000': sourcesOf('ballotgraph', 8000),
      'database 9187': sourcesOf('ballotgraph', 9187),
    };
    expect(table).toEqual({
      'edge 6081': ['ingress-nginx'],
      'gateway 4000': ['ballotgraph-edge'],
      'gateway 9400': ['monitoring'],
      'redis 6379': ['ballotgraph-gateway'],
      'database 5432': ['ballotgraph', 'ballotgraph-commands', 'ballotgraph-gateway', 'cnpg-system'],
      'database 8000': ['ballotgraph', 'cnpg-system'],
      'database 9187': ['monitoring'],
    });
    // Each label is that of a pod.
    for (const label of ['ballotgraph-edge', 'ballotgraph-gateway', 'ballotgraph-commands', 'ballotgraph-redis']) {
      expect(texts.join('\n')).toContain(`labels: { app: ${label} }`);
    }
  });

  it('name the address of the ingress, no range of all networks as a proxy, and the version of the image', () => {
    const { data } = found('ConfigMap', 'ballotgraph-gateway') as { data?: Record<string, string> };
    const { rules } = found('Ingress', 'ballotgraph').spec as { rules: { host: string }[] };
    expect(data?.PUBLIC_URL).toBe(`https://${rules[0]?.host}`);
    expect(Number(data?.TRUSTED_PROXIES?.split('/')[1])).toBeGreaterThanOrEqual(16);
    expect([...texts.join('\n').matchAll(/image: (ballotgraph\S*)/g)].map(([, image]) => image)).toEqual([
      `ballotgraph:${ownPackage.version}`,
      `ballotgraph:${ownPackage.version}`,
    ]);
  });

  it('give each container limits and no privileges', () => {
    const pods = manifests.flatMap(
      ({ spec }) => (spec as { template?: { spec: PodSpec } } | undefined)?.template?.spec ?? [],
    );
    expect(pods.length).toBeGreaterThanOrEqual(4);
    for (const { securityContext, containers } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true });
      for (const container of containers) {
        expect(container).toMatchObject({
          resources: { limits: { memory: expect.any(String) } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        });
      }
    }
  });
});

interface NetworkPolicy {
  readonly podSelector: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly ingress?: readonly { readonly from?: readonly object[]; readonly ports?: readonly { port: number }[] }[];
}

interface PodSpec {
  readonly securityContext: object;
  readonly containers: readonly object[];
}
