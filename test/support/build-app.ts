import type { FastifyInstance } from 'fastify';
import { type DestinationStream, pino } from 'pino';
import { type Clock, createClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { buildApp } from '../../src/gateway/app.ts';
import type { Routes } from '../../src/gateway/graphql/surface.ts';
import type { DatabaseBackend } from '../../src/store/backend.ts';

export interface DatabaseAppOptions {
  readonly kind?: DatabaseBackend['kind'];
  /** What says which day is today, in place of the environment. */
  readonly clock?: Clock;
  /** Receives the lines of the log; without it nothing is logged. */
  readonly log?: DestinationStream | undefined;
  /** The routes of the APIs; all if omitted. */
  readonly routes?: readonly Routes[];
}

/**
 * Builds the whole service over an open database, without a socket. Unless the environment overrides it, today is
 * 2026-07-01, and there is no GraphiQL page, which has several megabytes.
 */
export function buildDatabaseApp(
  { db, pool }: Pick<DatabaseBackend, 'db' | 'pool'>,
  environment: Record<string, string>,
  { kind = 'server', clock, log, routes }: DatabaseAppOptions = {},
): Promise<FastifyInstance> {
  // A machine that runs other tests in parallel has event loop delays, which these tests are not about.
  const config = readConfig({ TODAY: '2026-07-01', GRAPHIQL: 'false', MAX_EVENT_LOOP_DELAY_MS: '0', ...environment });
  return buildApp({
    config,
    backend: { kind, db, pool, ready: async () => ({ ready: true }), close: async () => undefined },
    logger: log ? pino({}, log) : pino({ level: 'silent' }),
    clock: clock ?? createClock(config.clock),
    ...(routes && { routes }),
  });
}
