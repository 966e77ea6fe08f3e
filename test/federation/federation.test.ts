import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { globalId } from '../../src/graph/builder/global-id.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createWorld, POINTS, WORLD } from '../support/world.ts';

const database = useDatabase();
const service = useApp(database);
const FOLDER = import.meta.dirname;
const PACKAGES = join(FOLDER, 'node_modules');
const isInstalled = existsSync(PACKAGES);

let work: string;
let gateway: string;
beforeAll(async () => {
  await createWorld(database.db);
  work = await mkdtemp(join(tmpdir(), 'federation-'));
  gateway = `${await service.app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
});
afterAll(() => rm(work, { recursive: true }));

const { latitude, longitude } = POINTS.southWest;
const QUERIES = [
  `{ location(latitude: ${latitude}, longitude: ${longitude}) { latitude districts { id name type } } }`,
  `{ node(id: "${globalId('District', WORLD.alpha)}") { __typename id ... on District { name } ... on Person { name lastName } } }`,
  '{ record(scheme: "geoid", value: "0400000US91") { __typename id ... on District { name } } }',
  `{ nodes(ids: ["${globalId('Person', 1)}", "${globalId('Office', WORLD.governor)}"]) { __typename ... on Person { name } ... on Office { name } } }`,
  '{ parties(first: 2) { totalCount nodes { id name updatedAt } pageInfo { hasNextPage } } }',
];

/**
 * The packages take 90 MB, so they are in a folder of their own: `npm ci --prefix test/federation` installs them, and
 * `.ci/run` does so.
 */
it.skipIf(!isInstalled)(
  'GraphQL Mesh composes the schema as a subgraph, through which Hive Gateway returns the same (needs: npm ci --prefix test/federation)',
  async () => {
    const run = promisify(execFile);
    const supergraph = join(work, 'supergraph.graphql');
    const env = { ...process.env, GATEWAY: gateway, API_KEY: service.key('full') };
    const compose = join(PACKAGES, '@graphql-mesh/compose-cli/esm/bin.js');
    await run(process.execPath, [compose, '-c', 'compose.config.mjs', '-o', supergraph], { cwd: FOLDER, env });
    const running = run(process.execPath, ['gateway.mjs', supergraph], { cwd: FOLDER, env });
    running.child.stdin?.end(JSON.stringify(QUERIES));
    const results = JSON.parse((await running).stdout);
    for (const [index, query] of QUERIES.entries()) {
      const direct = await service.app.inject({
        ...{ method: 'POST', url: '/graphql', payload: { query } },
        headers: { 'x-api-key': service.key('full') },
      });
      expect(direct.json()).toEqual({ data: expect.anything() });
      expect(Object.values(direct.json().data)).not.toContain(null);
      expect(results[index]).toEqual(direct.json());
    }
  },
  120_000,
);
