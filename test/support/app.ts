import type { FastifyInstance } from 'fastify';
import { type DestinationStream, pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { createClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { createApiKey } from '../../src/gateway/access/access.store.ts';
import { buildApp } from '../../src/gateway/app.ts';
import type { Routes } from '../../src/gateway/graphql/surface.ts';
import { backendOver, type DatabaseBackend } from '../../src/store/backend.ts';
import { buildDatabaseApp } from './build-app.ts';
import type { TestDatabase } from './database.ts';

export interface TestApp {
  readonly app: FastifyInstance;
  /** Returns an active key of a package. */
  key(packageName: string): string;
}

/**
 * Environment variables with which a test run can configure all services at once, to test that their responses stay the
 * same.
 */
const SWITCHES = Object.fromEntries(
  ['RESPONSE_CACHE_BYTES', 'QUERY_PLANS'].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  ),
);

/**
 * Provides the whole service over a test database, without a socket: tests send requests with `app.inject`. Today is
 * 2026-07-01. The query planner and the response cache are configured as in production, or by the variables `RESPONSE_CACHE_BYTES` and
 * `QUERY_PLANS` of the run.
 * @param log receives the lines of the log; without it nothing is logged.
 */
export function useApp(
  database: TestDatabase,
  environment: Record<string, string> = {},
  kind: DatabaseBackend['kind'] = 'server',
  log?: DestinationStream,
): TestApp {
  const keys = new Map<string, string>();
  let app: FastifyInstance | undefined;
  beforeAll(async () => {
    for (const name of ['full', 'no-results', 'lookup']) keys.set(name, await createApiKey(database.db, name));
    app = await buildDatabaseApp(database, { ...SWITCHES, ...environment }, { kind, log });
  });
  afterAll(() => app?.close());
  return {
    get app() {
      if (!app) throw new Error('The app is available from beforeAll on');
      return app;
    },
    key(packageName) {
      const key = keys.get(packageName);
      if (!key) throw new Error(`There is no key for the package ${packageName}`);
      return key;
    },
  };
}

/**
 * Builds the service with routes of the test and an unreachable database, for tests of the layers in front of the
 * routes.
 */
export function buildTestApp(environment: Record<string, string>, routes: Routes): Promise<FastifyInstance> {
  const config = readConfig(environment);
  const nowhere = { connectionString: 'postgres://nobody@127.0.0.1:1/none' };
  return buildApp({
    config,
    backend: backendOver('server', { at: nowhere, size: 1, statementTimeoutMs: 0, waitMs: 200 }),
    logger: pino({ level: 'silent' }),
    clock: createClock(config.clock),
    routes: [routes],
  });
}
