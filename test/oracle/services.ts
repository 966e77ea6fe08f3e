import type { FastifyInstance, InjectOptions } from 'fastify';
import { pino } from 'pino';
import { createApiKey } from '../../src/access/access.store.ts';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import type { DatabaseBackend } from '../../src/database/backend.ts';
import type { TestStore } from '../support/store.ts';

/** The service over a database, as it is configured in production or with nothing planned and nothing cached. */
export interface AskedService {
  readonly name: 'production' | 'plain';
  /** @throws Error unless the status is 200 and nothing is an error. */
  ask(request: InjectOptions, today: string): Promise<unknown>;
  close(): Promise<void>;
}

const ENVIRONMENTS = { production: {}, plain: { RESPONSE_CACHE_BYTES: '0', QUERY_PLANS: 'false' } } as const;

export async function openServices(store: TestStore, kind: DatabaseBackend['kind']): Promise<AskedService[]> {
  const key = await createApiKey(store.db, 'full');
  return Promise.all(
    (['production', 'plain'] as const).map(async (name) => {
      let today = '';
      const app = await buildApp({
        config: readConfig({ MAX_EVENT_LOOP_DELAY_MS: '0', ...ENVIRONMENTS[name] }),
        backend: { ...store, kind, ready: async () => ({ ready: true }), close: async () => undefined },
        logger: pino({ level: 'silent' }),
        clock: { today: () => today },
      });
      return {
        name,
        ask: (request: InjectOptions, asOf: string) => {
          today = asOf;
          return answerOf(app, request, key);
        },
        close: async () => void (await app.close()),
      };
    }),
  );
}

async function answerOf(app: FastifyInstance, request: InjectOptions, key: string): Promise<unknown> {
  const response = await app.inject({ ...request, headers: { 'x-api-key': key } });
  const { data, errors } = response.json();
  if (response.statusCode === 200 && errors === undefined) return data;
  throw new Error(`${response.statusCode} to ${JSON.stringify(request)}: ${response.body.slice(0, 300)}`);
}
