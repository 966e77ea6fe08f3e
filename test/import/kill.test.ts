import { expect, inject, test } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { map, results } from '../support/editions.ts';
import { killImports } from '../support/import-kills.ts';

// A few kills; test/resilience/kill-import.ts repeats them any number of times, on larger data.

const database = useDatabase();
// Without a cache, so that every response is read from the database.
const service = useApp(database, { RESPONSE_CACHE_BYTES: '0', MAX_IN_FLIGHT_PER_KEY: '100' }, inject('backend').kind);
const SIZE = { districts: 25, details: 40 };

test('a killed importer leaves either the old or the new data, and readers never see a part', async () => {
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const counts = await killImports({
    kills: 3,
    seed: 20_181_106,
    kinds: [map(SIZE), results(SIZE)],
    environment: database.environment,
    url,
    key: service.key('full'),
  });
  expect(counts).toMatchObject({ kills: 3, resumed: 3, torn: 0, inconsistentResponses: [] });
  expect(counts.old + counts.new).toBe(3);
  expect(counts.responses).toBeGreaterThan(20);
}, 240_000);
