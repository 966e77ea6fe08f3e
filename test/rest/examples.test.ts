import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../src/rest/endpoints.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { get } from '../support/rest.ts';
import { loadTestSample } from '../support/sample.ts';

const database = useDatabase();
beforeAll(() => loadTestSample(database.db));
const service = useApp(database);

/** Truncates each list of a response to its first element. */
function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)]));
}

describe('the documented examples are the responses of the sample', () => {
  const withExample = endpoints.filter(({ example }) => example);

  it.each(withExample.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s',
    async (_, { paths, example }) => {
      const { status, body } = await get(service, `${paths[0]}?${example?.query}`);
      expect(status).toBe(200);
      // `npm test -- -u test/rest/examples.test.ts` writes it anew.
      const file = `../../src/rest/examples/${paths[0].replace('/data/', '').replaceAll(/[/_]/g, '-')}.json`;
      await expect(`${JSON.stringify({ query: example?.query, response: cut(body) }, null, 2)}\n`).toMatchFileSnapshot(
        file,
      );
    },
  );
});
