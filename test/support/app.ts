import type { FastifyInstance } from 'fastify';
import { type DestinationStream, pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { createApiKey } from '../../src/access/access.store.ts';
import { buildApp, type Routes } from '../../src/app.ts';
import { createClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { type Store, storeOver } from '../../src/store/store.ts';
import { buildStoreApp } from './build-app.ts';
import type { TestStore } from './store.ts';

export interface TestApp {
  readonly app: FastifyInstance;
  /** An active key of a package. */
  key(packageName: string): string;
}

/** What a run of the suites may set for all services at once, to hold them to the same answers. */
const SWITCHES = Object.fromEntries(
  ['CACHE', 'QUERY_PLANS'].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);

/**
 * The whole service over a test store, without a socket: requests go in by `app.inject`. Today is 2026-07-01. What is
 * planned or kept is as in real life, or as the variables `CACHE` and `QUERY_PLANS` of the run have it.
 * @param log gets the lines of the log; nothing is logged when left out.
 */
export function useApp(
  store: TestStore,
  environment: Record<string, string> = {},
  kind: Store['kind'] = 'server',
  log?: DestinationStream,
): TestApp {
  const keys = new Map<string, string>();
  let app: FastifyInstance | undefined;
  beforeAll(async () => {
    for (const name of ['full', 'no-results', 'lookup']) keys.set(name, await createApiKey(store.db, name));
    app = await buildStoreApp(store, { ...SWITCHES, ...environment }, { kind, log });
  });
  afterAll(() => app?.close());
  return {
    get app() {
      if (!app) throw new Error('The app is there from beforeAll on');
      return app;
    },
    key(packageName) {
      const key = keys.get(packageName);
      if (!key) throw new Error(`There is no key for the package ${packageName}`);
      return key;
    },
  };
}

/** The service with routes of a test's own and a store that nobody reaches, for tests of what stands before the routes. */
export function buildTestApp(environment: Record<string, string>, routes: Routes): Promise<FastifyInstance> {
  const config = readConfig(environment);
  const nowhere = { connectionString: 'postgres://nobody@127.0.0.1:1/none' };
  return buildApp({
    config,
    store: storeOver('server', { at: nowhere, size: 1, statementTimeoutMs: 0, waitMs: 200 }),
    logger: pino({ level: 'silent' }),
    clock: createClock(config.clock),
    routes: [routes],
  });
}
