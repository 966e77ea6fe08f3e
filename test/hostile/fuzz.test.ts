import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { openApiDocument } from '../../src/gateway/rest/document.ts';
import { schema } from '../../src/graph/schema.ts';
import { addressesOf, documentsOf } from '../drawn/mutations.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { expectHarmless } from './expect-harmless.ts';

// Short and deterministic; test/resilience/fuzz.ts sends many more of these requests over a socket.
const settings = { numRuns: 200, seed: 20_241_105 };
const LIMIT_MS = 80_000;

const database = useDatabase();
const service = useApp(database);
beforeAll(() => createElectionWorld(database.db));

it(
  'documents generated from the schema are executed without internal errors',
  async () => {
    let completed = 0;
    await fc.assert(
      fc.asyncProperty(documentsOf(schema), async (payload) => {
        const key = service.key('full');
        const response = await service.app.inject({
          method: 'POST',
          url: '/graphql',
          headers: { 'x-api-key': key },
          payload,
        });
        expectHarmless(response, { key, ms: 0 });
        if (response.json().data) completed++;
      }),
      settings,
    );
    expect(completed).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

it(
  'requests generated from the OpenAPI document are handled without internal errors',
  async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(addressesOf(openApiDocument()), async (url) => {
        const key = service.key('full');
        const response = await service.app.inject({ url, headers: { 'x-api-key': key } });
        expectHarmless(response, { key, ms: 0 });
        statuses.add(response.statusCode);
      }),
      { ...settings, examples: [['/data/election_dates/list?state=AA']] },
    );
    expect(statuses).toContain(200);
    expect(statuses).toContain(400);
  },
  LIMIT_MS,
);
