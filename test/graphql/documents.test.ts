import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createDocuments } from '../../src/graphql/documents.ts';
import { DEFAULT_OPERATION_LIMITS } from '../../src/graphql/limits.ts';
import { schema } from '../../src/graphql/schema.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The memory that so many different documents leave taken, in MiB, while what read them is still in use. */
function keptOf(count: number, make: (n: number) => string): number {
  const prepare = createDocuments(schema, DEFAULT_OPERATION_LIMITS);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < count; n++) prepare(make(n), {});
  collectGarbage();
  const after = process.memoryUsage().heapUsed;
  expect(prepare('{ __typename }', {})).toHaveProperty('document');
  return (after - before) / 1024 / 1024;
}

const fields = (n: number) => 'id '.repeat(200 + (n % 10));

describe('the memory that documents take', () => {
  it('is that of the valid ones alone: those with errors are not kept', () => {
    expect(keptOf(3_000, (n) => `{ unknown${n} }`)).toBeLessThan(10);
    expect(keptOf(3_000, (n) => `{ unfinished${n}`)).toBeLessThan(10);
  });

  it('is bounded, however many valid ones come', () => {
    const kept = keptOf(1_200, (n) => `{ a${n}: district(id: 1) { ${fields(n)} } }`);
    expect(kept).toBeGreaterThan(10);
    expect(kept).toBeLessThan(80);
  });
});

it('a document is the same each time that it comes, and one with errors wrong each time', () => {
  const prepare = createDocuments(schema, DEFAULT_OPERATION_LIMITS);
  const [first, second] = [prepare('{ __typename }', {}), prepare('{ __typename }', {})];
  expect('document' in first && 'document' in second && first.document === second.document).toBe(true);
  for (let turn = 0; turn < 2; turn++) {
    expect(prepare('{ unknown }', {})).toMatchObject({ errors: [{ message: expect.stringContaining('unknown') }] });
    expect(prepare('{ unfinished', {})).toMatchObject({ errors: [{ message: expect.stringContaining('Syntax') }] });
  }
});
