import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument, operationsOf } from '../../src/gateway/rest/document.ts';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';
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
      // `npm test -- test/rest/examples.test.ts -u` writes it anew.
      const file = `../../src/gateway/rest/examples/${paths[0].replace('/data/', '').replaceAll(/[/_]/g, '-')}.json`;
      await expect(`${JSON.stringify({ query: example?.query, response: cut(body) }, null, 2)}\n`).toMatchFileSnapshot(
        file,
      );
    },
  );
});

describe('the example of each operation in the OpenAPI document', () => {
  const calls = operationsOf(openApiDocument()).map(({ path, method, operation }) => {
    const given = operation.parameters.flatMap(({ name, example }) =>
      example === undefined ? [] : [[name, String(example)]],
    );
    const payload = operation.requestBody?.content['application/json'].example;
    return { method, url: `${path}?${new URLSearchParams(given)}`, payload };
  });

  it.each(calls)('has a response with data, with all parameters as they stand: $method $url', async (call) => {
    const headers = { 'x-api-key': service.key('full') };
    const response = await service.app.inject({ ...call, headers });
    expect(response.statusCode).toBe(200);
    const { data } = response.json();
    // Nothing is missing: an answer with data.
    const ofMissing = new Set(['data.missing', 'data.reason', 'data.loaded_states']);
    expect(emptyListsIn(data).filter((path) => !ofMissing.has(path))).toEqual([]);
    if (!call.payload) return;
    const file = await service.app.inject(
      new URL(data.url, 'http://localhost').pathname + new URL(data.url, 'http://localhost').search,
    );
    expect(file.statusCode).toBe(200);
    expect(file.body.trim().split('\n').length).toBeGreaterThan(1);
  });
});

/** Returns the paths of the lists near the root of a response that have no records. */
function emptyListsIn(data: unknown, path = 'data', levels = 3): string[] {
  if (data === null || data === 'No results.' || (Array.isArray(data) && data.length === 0)) return [path];
  if (levels === 0 || typeof data !== 'object' || Array.isArray(data)) return [];
  const lists = Object.entries(data).filter(([, value]) => typeof value === 'object' && value !== null);
  const isRecord = 'id' in data;
  const all = isRecord ? lists : Object.entries(data);
  return all.flatMap(([name, value]) => emptyListsIn(value, `${path}.${name}`, levels - 1));
}
