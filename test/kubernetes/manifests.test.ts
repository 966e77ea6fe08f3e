import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { environment } from '../../src/config/environment.ts';

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

interface PodSpec {
  readonly securityContext: object;
  readonly containers: readonly object[];
}
