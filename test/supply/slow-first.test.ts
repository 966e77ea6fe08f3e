import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { SLOW, SlowFirst } from '../support/slow-first.ts';

const ROOT = join(import.meta.dirname, '../..');

test('every slow test file in the list exists', () => {
  expect(Object.keys(SLOW).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('slow test files start first, the slowest before the others', async () => {
  const specification = (file: string) => ({ moduleId: join(ROOT, file), project: PROJECT }) as TestSpecification;
  const sequencer = new SlowFirst({
    config: { root: ROOT },
    cache: { getTestSpecificationResult: () => ({ duration: 1, failed: false }) },
  } as unknown as Vitest);
  const files = ['test/errors.test.ts', 'test/sample.test.ts', 'test/four-states/four-states.test.ts'];
  const sorted = await sequencer.sort(files.map(specification));
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual(files.toReversed().map((file) => join(ROOT, file)));
});

const PROJECT = { name: '', config: { isolate: true, sequence: { groupOrder: 0 } } };
