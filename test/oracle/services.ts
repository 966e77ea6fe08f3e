import type { FastifyInstance, InjectOptions } from 'fastify';
import { createApiKey } from '../../src/gateway/access/access.store.ts';
import type { DatabaseBackend } from '../../src/store/backend.ts';
import { buildDatabaseApp } from '../support/build-app.ts';
import type { TestDatabase } from '../support/database.ts';

/** The service over a database, as it is configured in production or with nothing planned and nothing cached. */
export interface RequestedService {
  readonly name: 'production' | 'plain';
  /** @throws Error unless the status is 200 and nothing is an error. */
  send(request: InjectOptions, today: string): Promise<unknown>;
  close(): Promise<void>;
}

const ENVIRONMENTS = { production: {}, plain: { RESPONSE_CACHE_BYTES: '0', QUERY_PLANS: 'false' } } as const;

export async function openServices(database: TestDatabase, kind: DatabaseBackend['kind']): Promise<RequestedService[]> {
  const key = await createApiKey(database.db, 'full');
  return Promise.all(
    (['production', 'plain'] as const).map(async (name) => {
      let today = '';
      const app = await buildDatabaseApp(database, ENVIRONMENTS[name], { kind, clock: () => ({ today }) });
      return {
        name,
        send: (request: InjectOptions, asOf: string) => {
          today = asOf;
          return responseOf(app, request, key);
        },
        close: async () => void (await app.close()),
      };
    }),
  );
}

async function responseOf(app: FastifyInstance, request: InjectOptions, key: string): Promise<unknown> {
  const response = await app.inject({ ...request, headers: { 'x-api-key': key } });
  const { data, errors } = response.json();
  if (response.statusCode === 200 && errors === undefined) return data;
  throw new Error(`${response.statusCode} to ${JSON.stringify(request)}: ${response.body.slice(0, 300)}`);
}
