import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaText } from '../../src/gateway/graphql/schema-text.ts';
import { useApp } from '../support/app.ts';
import { buildDatabaseApp } from '../support/build-app.ts';
import { useDatabase } from '../support/database.ts';
import { knowDocuments } from '../support/responses/check.ts';
import { createWorld, POINTS } from '../support/world.ts';

// Builds the recipes of docs/clients.md in empty projects, with strict types, and runs them against a started gateway.

const ROOT = join(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'node_modules');
const run = promisify(execFile);
const recipes = await readFile(join(ROOT, 'docs/clients.md'), 'utf8');

/** Returns the blocks of code in a language of a section, in order. */
function blocksOf(section: string, language: string): string[] {
  const text = recipes.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code ?? '');
}

/** A document with every custom scalar of the schema, and one that the recipes execute. */
const DOCUMENTS = `
query Scalars($latitude: Latitude!, $longitude: Longitude!, $on: Date, $since: DateTime, $code: ZipCode!) {
  location(latitude: $latitude, longitude: $longitude) {
    latitude longitude
    districts(on: $on) { id boundary(on: $on) { startDate geometry } }
  }
  parties(updatedSince: $since) { nodes { updatedAt } }
  zip(code: $code) { code }
}
query States($first: Int!) { districts(types: [STATE], first: $first) { nodes { id name } } }
`;
/** A custom scalar without a type, in generated code. */
const UNKNOWN = /(updatedAt|geometry|startDate|latitude|longitude|on|since|code)\??: (any|unknown)\b/;
const RESULT = { districts: { nodes: [{ name: 'Alpha' }] } };

const database = useDatabase();
const service = useApp(database);
let address: string;
const projects: string[] = [];

beforeAll(async () => {
  await createWorld(database.db);
  address = await service.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => Promise.all(projects.map((project) => rm(project, { recursive: true }))));

const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, types: ['node'] },
    ...{
      target: 'es2022',
      lib: ['es2023', 'dom'],
      module: 'esnext',
      moduleResolution: 'bundler',
      rootDir: '.',
      outDir: 'built',
    },
  },
};

/** Creates an empty project with the packages of this one and the client package. */
async function createProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'recipe-'));
  projects.push(project);
  await mkdir(join(project, 'node_modules/@ballotgraph/client'), { recursive: true });
  for (const name of (await readdir(MODULES)).filter((each) => !each.startsWith('.') && each !== '@ballotgraph')) {
    await symlink(join(MODULES, name), join(project, 'node_modules', name));
  }
  await mkdir(join(project, 'src'));
  await write(project, 'package.json', JSON.stringify({ type: 'module', private: true }));
  await write(project, 'tsconfig.json', JSON.stringify(TSCONFIG));
  await write(project, 'src/key.d.ts', 'declare const key: string;\n');
  return project;
}

const write = (project: string, file: string, text: string) => writeFile(join(project, file), text);
/** Returns the code with the address of the started gateway, and a point of its small country. */
const withAddress = (code: string, at = address) =>
  code
    .replaceAll('http://localhost:4000', at)
    .replaceAll('44.2601', String(POINTS.southWest.latitude))
    .replaceAll('-72.5754', String(POINTS.southWest.longitude));

async function command(project: string, script: string, ...args: string[]): Promise<string> {
  const options = { cwd: project, env: { ...process.env, NODE_OPTIONS: '' } };
  const { stdout } = await run(process.execPath, [script, ...args], options).catch(
    (failed: { stdout: string; stderr: string; message: string }) => {
      throw new Error(`${failed.message}\n${failed.stdout}\n${failed.stderr}`);
    },
  );
  return stdout;
}

const compile = (project: string) => command(project, join(MODULES, 'typescript/bin/tsc'), '-p', '.');
const generate = async (project: string, config: string) => {
  await write(project, 'codegen.ts', withAddress(config));
  await write(project, 'src/documents.graphql', DOCUMENTS);
  await command(project, join(MODULES, '@graphql-codegen/cli/cjs/bin.js'), '--config', 'codegen.ts');
};

/** Runs a module that was built from a recipe, with a key, and returns what it prints. */
async function execute(project: string, name: string): Promise<unknown> {
  await write(
    project,
    `${name}.mjs`,
    `globalThis.key = '${service.key('full')}'; await import('./built/src/${name}.js');`,
  );
  return JSON.parse(await command(project, `${name}.mjs`));
}

describe('the recipes for typed clients', () => {
  let project: string;
  beforeAll(async () => {
    project = await createProject();
    await command(
      project,
      ...([join(MODULES, 'typescript/bin/tsc'), '-p', join(ROOT, 'clients/typescript')] as const),
      ...['--outDir', join(project, 'node_modules/@ballotgraph/client/dist')],
    );
    const manifest = await readFile(join(ROOT, 'clients/typescript/package.json'), 'utf8');
    await write(project, 'node_modules/@ballotgraph/client/package.json', manifest);
    const [usage, config] = blocksOf('TypeScript', 'ts');
    const [apollo] = blocksOf('Apollo Client', 'ts');
    const [urql] = blocksOf('urql', 'ts');
    await generate(project, config ?? '');
    await write(
      project,
      'src/client.ts',
      `${withAddress(usage ?? '')}\nconsole.log(JSON.stringify({ data, notInPackage }));`,
    );
    await write(
      project,
      'src/generated.ts',
      `import { createClient } from '@ballotgraph/client';
       import { StatesDocument } from './generated/graphql.js';
       const client = createClient({ url: '${address}/graphql', apiKey: key });
       const { data } = await client.query(StatesDocument, { first: 1 });
       const name: string | undefined = data.districts?.nodes[0]?.name;
       console.log(JSON.stringify({ name }));`,
    );
    await write(
      project,
      'src/apollo.ts',
      `import { gql } from '@apollo/client';
       ${withAddress(apollo ?? '')}
       const pages = 'query ($after: String) { districts(first: 1, after: $after) { edges { node { id name } } pageInfo { endCursor hasNextPage } } }';
       const query = gql(pages);
       const first = await client.query<any>({ query, variables: { after: null } });
       const after = first.data.districts.pageInfo.endCursor;
       await client.query({ query, variables: { after }, fetchPolicy: 'network-only' });
       const data = client.readQuery<any>({ query, variables: { after: null } });
       console.log(JSON.stringify(data.districts.edges.map((edge: any) => edge.node.name)));
       client.stop();`,
    );
    await write(
      project,
      'src/urql.ts',
      `${withAddress(urql ?? '')}
       const query = 'query ($after: String) { districts(first: 1, after: $after) { edges { node { id name __typename } __typename } pageInfo { endCursor hasNextPage __typename } __typename } }';
       const first = await client.query(query, {}).toPromise();
       await client.query(query, { after: first.data.districts.pageInfo.endCursor }).toPromise();
       const { data, error } = await client.query(query, {}).toPromise();
       if (error) throw error;
       console.log(JSON.stringify(data.districts.edges.map((edge: any) => edge.node.name)));`,
    );
    await compile(project);
  });

  it('TypeScript: queries, with the grants that are missing', async () => {
    const { data } = (await execute(project, 'client')) as { data: { location: { districts: object[] } } };
    expect(data.location.districts).toContainEqual({ name: 'Alpha' });
    expect(await execute(project, 'generated')).toEqual({ name: 'Alpha' });
  });

  it('GraphQL Code Generator: knows the type of every custom scalar', async () => {
    const types = await readFile(join(project, 'src/generated/graphql.ts'), 'utf8');
    expect(types).not.toMatch(UNKNOWN);
    expect(types).toContain('updatedAt: string');
  });

  it.each(['apollo', 'urql'])('%s: joins pages in its cache', async (name) => {
    const { rows } = await database.pool.query('select name from districts order by type, name, id limit 2');
    expect(await execute(project, name)).toEqual(rows.map((row: { name: string }) => row.name));
  });
});

it('the recipe for fetch queries', async () => {
  const project = await createProject();
  const [code] = blocksOf('fetch', 'js');
  await write(project, 'fetch.mjs', `globalThis.key = '${service.key('full')}';\nawait import('./recipe.mjs');`);
  await write(project, 'recipe.mjs', `${withAddress(code ?? '')}\nconsole.log(JSON.stringify(location));`);
  expect(JSON.parse(await command(project, 'fetch.mjs'))).toMatchObject({
    districts: expect.arrayContaining([expect.objectContaining({ name: 'Alpha' })]),
  });
});

describe('the recipe for trusted documents', () => {
  let project: string;
  let gateway: FastifyInstance;
  beforeAll(async () => {
    project = await createProject();
    const [config, apollo, urql] = blocksOf('Trusted documents', 'ts');
    await generate(project, config ?? '');
    const manifest = join(project, 'src/generated');
    const texts = JSON.parse(await readFile(join(manifest, 'persisted-documents.json'), 'utf8'));
    knowDocuments(Object.values(texts));
    gateway = await buildDatabaseApp(database, { PERSISTED_DIR: manifest, PERSISTED_ONLY: 'true' });
    const at = await gateway.listen({ port: 0, host: '127.0.0.1' });
    for (const [name, code, send] of [
      ['apollo', apollo, 'client.query({ query: StatesDocument, variables: { first: 1 } })'],
      ['urql', urql, 'client.query(StatesDocument, { first: 1 }).toPromise()'],
    ] as const) {
      await write(
        project,
        `src/${name}.ts`,
        `import { StatesDocument } from './generated/graphql.js';
         ${withAddress(code ?? '', at)}
         const { data, error } = await ${send};
         if (error) throw error;
         console.log(JSON.stringify(data));`,
      );
    }
    await compile(project);
  });
  afterAll(() => gateway?.close());

  it.each(['apollo', 'urql'])(
    '%s finds them by the hash of the generator, where nothing else is executed',
    async (name) => {
      expect(await execute(project, name)).toMatchObject(RESULT);
    },
  );
});

it('the recipe for Relay compiles in a new project', async () => {
  const project = await createProject();
  const [config] = blocksOf('Relay', 'json');
  const [, prepare] = /`(mkdir persisted[^`]*)`/.exec(recipes) ?? [];
  await run('sh', ['-c', prepare ?? 'false'], { cwd: project });
  await write(project, 'relay.config.json', config ?? '');
  await write(project, 'schema.graphql', schemaText());
  await write(
    project,
    'src/scalars.ts',
    `import { graphql } from 'relay-runtime';
     export const document = graphql\`${DOCUMENTS.split('query States')[0]?.replace('Scalars', 'scalarsQuery').replace('parties(', 'parties(first: 1, ')}\`;`,
  );
  await command(project, join(MODULES, 'relay-compiler/cli.js'));
  const persisted = JSON.parse(await readFile(join(project, 'persisted/documents.json'), 'utf8'));
  expect(Object.keys(persisted)).toHaveLength(1);
  const types = await readFile(join(project, 'src/__generated__/scalarsQuery.graphql.ts'), 'utf8');
  expect(types).not.toMatch(UNKNOWN);
  expect(types).toContain('updatedAt: string');
  await compile(project);
});
