import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { openApiDocument } from '../../src/openapi/document.ts';
import { schema } from '../../src/schema.ts';
import { useApp } from '../support/app.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { useStore } from '../support/store.ts';
import { expectHarmless } from './expect-harmless.ts';
import { addressesOf, documentsOf } from './generators.ts';

// Short and always the same; test/resilience/fuzz.ts asks many more of the same, over a socket.
const settings = { numRuns: 200, seed: 20_241_105 };
const LIMIT_MS = 80_000;

const store = useStore();
const service = useApp(store);
beforeAll(() => createElectionWorld(store.db));

it(
  'documents made from the schema are answered without a fault',
  async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(documentsOf(schema), async (payload) => {
        const key = service.key('full');
        const answer = await service.app.inject({
          method: 'POST',
          url: '/graphql',
          headers: { 'x-api-key': key },
          payload,
        });
        expectHarmless(answer, { key, ms: 0 });
        if (answer.json().data) answered++;
      }),
      settings,
    );
    expect(answered).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

it(
  'requests made from the OpenAPI document are answered without a fault',
  async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(addressesOf(openApiDocument()), async (url) => {
        const key = service.key('full');
        const answer = await service.app.inject({ url, headers: { 'x-api-key': key } });
        expectHarmless(answer, { key, ms: 0 });
        statuses.add(answer.statusCode);
      }),
      { ...settings, examples: [['/data/election_dates/list?state=AA']] },
    );
    expect(statuses).toContain(200);
    expect(statuses).toContain(400);
  },
  LIMIT_MS,
);
