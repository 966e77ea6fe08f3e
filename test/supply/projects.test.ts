import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECTS } from '../projects.ts';

const ROOT = join(import.meta.dirname, '../..');

async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const pattern of patterns) for await (const file of glob(pattern, { cwd: ROOT })) files.push(file);
  return files.filter((file) => !file.includes('node_modules'));
}

test('every test file belongs to one project', async () => {
  const projects: string[] = [];
  for (const { include, exclude } of Object.values(PROJECTS)) {
    const left = new Set(await filesOf(exclude));
    projects.push(...(await filesOf(include)).filter((file) => !left.has(file)));
  }
  expect(projects.sort()).toEqual((await filesOf(['test/**/*.test.ts'])).sort());
});

test.each(Object.values(PROJECTS).flatMap(({ include }) => include))('%s names test files', async (pattern) => {
  expect(await filesOf([pattern])).not.toEqual([]);
});
