import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { readManifest } from '../../src/importers/manifest.ts';
import { type DoneStep, runManifest } from '../../src/importers/run-manifest.ts';
import { useApp } from '../support/app.ts';
import { type TestDatabase, useDatabase } from '../support/database.ts';
import type { RestBody } from '../support/rest.ts';

const ROOT = join(import.meta.dirname, '../..');
export const DATA = join(process.env.SHARED_DIR ?? join(ROOT, '../shared'), 'data');
export const hasData = existsSync(DATA);
/** The day that is today to the service: in the middle of the terms of 2021, under the maps that followed 2010. */
export const TODAY = '2022-06-01';
const MANIFEST = join(ROOT, 'db/four-states.yaml');
const BUILD_MS = 900_000;

/** The database that `db/four-states.yaml` builds, and the service over it. */
export interface FourStates {
  readonly database: TestDatabase;
  /** The results of the imports, in their order. */
  readonly done: readonly DoneStep[];
  /** Runs all imports again. */
  build(): Promise<DoneStep[]>;
  /** Executes a GraphQL document over HTTP. The result has no errors. */
  request(query: string, variables: object): Promise<Json>;
  /** Requests a REST path over HTTP and returns its `data`. */
  get(path: string, parameters: Readonly<Record<string, string | number>>): Promise<Json>;
}

/** A response of any shape. */
export type Json = RestBody['body'];

export function useFourStates(): FourStates {
  const database = useDatabase();
  const service = useApp(database, { TODAY });
  const build = async () => runManifest(database.db, await readManifest(MANIFEST, DATA));
  let done: readonly DoneStep[] = [];
  let url = '';
  beforeAll(async () => {
    done = await build();
    url = await service.app.listen({ port: 0, host: '127.0.0.1' });
  }, BUILD_MS);
  const send = async (path: string, body?: object): Promise<Json> => {
    const response = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': service.key('full'), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const result = (await response.json()) as Json;
    if (response.status !== 200 || result.errors) throw new Error(`${path}: ${JSON.stringify(result)}`);
    return result.data;
  };
  return {
    database,
    get done() {
      return done;
    },
    build,
    request: (query, variables) => send('/graphql', { query, variables }),
    get: (path, parameters) => {
      const search = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
      return send(`${path}?${search}`);
    },
  };
}

/** Returns the report entries of all imports of a source whose paths match. */
export function reportOf({ done }: FourStates, title: RegExp): string[] {
  return done
    .filter(({ step }) => title.test(step.title))
    .flatMap(({ summary }) => summary.report.map(({ record, reason }) => `${record}: ${reason}`));
}
