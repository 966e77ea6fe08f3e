import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';
import { everyField } from '../resilience/support/every-field.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { expectHarmless } from './expect-harmless.ts';
import { addressOf } from './rest-catalogue.ts';

const database = useDatabase();
beforeAll(() => createElectionWorld(database.db));

describe.each(['0001-01-01', '0001-12-31', '9999-01-01', '9999-12-31'])('where today is %s', (TODAY) => {
  const service = useApp(database, { TODAY, MAX_QUERY_TOKENS: '10000', MAX_QUERY_COST: '1000000000' });

  it.each(endpoints.map(({ paths: [path], parameters }) => [path, Object.keys(parameters.shape)] as const))(
    '%s responds',
    async (path, names) => {
      const key = service.key('full');
      const response = await service.app.inject({ url: addressOf(path, names), headers: { 'x-api-key': key } });
      expectHarmless(response, { key, ms: 0 });
      expect(response.statusCode, response.body).toBe(200);
      expect(response.body).not.toMatch(/\b(0000|1\d{4})-\d\d-\d\d\b/);
    },
  );

  it('every field of the schema has a result', async () => {
    const key = service.key('full');
    for (const query of everyField().documents) {
      const headers = { 'x-api-key': key };
      const response = await service.app.inject({ method: 'POST', url: '/graphql', headers, payload: { query } });
      expectHarmless(response, { key, ms: 0 });
      expect(response.json().errors, query).toBeUndefined();
      expect(response.body).not.toMatch(/\b(0000|1\d{4})-\d\d-\d\d\b/);
    }
  });
});
