import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/base/config/config.ts';
import { createDocuments } from '../../../src/gateway/graphql/documents/documents.ts';
import { schema } from '../../../src/graph/schema.ts';

const LIMITS = readConfig({}).limits.operation;
const BY = { caller: { keyId: 1 } };

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/**
 * Returns the memory in MiB that the given number of different documents of two API keys occupies while the caches that read
 * them are in use.
 */
async function cachedOf(count: number, make: (n: number) => string): Promise<number> {
  const prepare = createDocuments(schema, LIMITS);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < count; n++) await prepare(make(n), {}, { caller: { keyId: n % 2 } });
  collectGarbage();
  const after = process.memoryUsage().heapUsed;
  expect(await prepare('{ __typename }', {}, BY)).toHaveProperty('document');
  return (after - before) / 1024 / 1024;
}

const fields = (n: number) => 'id '.repeat(200 + (n % 10));

describe('the memory that documents take', { timeout: 120_000 }, () => {
  it('is bounded for any number of documents with errors', async () => {
    expect(await cachedOf(12_000, (n) => `{ unknown${n} }`)).toBeLessThan(30);
    expect(await cachedOf(3_000, (n) => `{ ${'unknown '.repeat(100)} n${n} }`)).toBeLessThan(30);
    expect(await cachedOf(20_000, (n) => `{ unfinished${n}`)).toBeLessThan(30);
    expect(await cachedOf(2_000, (n) => `{ long${n} ${'id '.repeat(1_100)} }`)).toBeLessThan(30);
  });

  it('is bounded for any number of valid documents', async () => {
    const cached = await cachedOf(1_200, (n) => `{ a${n}: district(databaseId: 1) { ${fields(n)} } }`);
    expect(cached).toBeGreaterThan(10);
    expect(cached).toBeLessThan(80);
  });
});
