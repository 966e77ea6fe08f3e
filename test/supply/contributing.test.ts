import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const contributing = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** The blocks of TypeScript, each with the last source file that the text links before it. */
const examples = [...contributing.matchAll(/```ts\n(.*?)```/gs)].map(({ 1: code = '', index }) => ({
  code,
  file: [...contributing.slice(0, index).matchAll(/\]\((src\/[^)]+\.ts)\)/g)].at(-1)?.[1] ?? '',
}));

/** Returns code without the white space that depends on the indentation. */
const plain = (code: string) => code.replace(/\s+/g, ' ').trim();

test('CONTRIBUTING has examples of a field and a relation', () => {
  expect(examples.length).toBeGreaterThanOrEqual(3);
});

test.each(examples)('the example of $file in CONTRIBUTING is its code', async ({ code, file }) => {
  expect(plain(await readFile(join(ROOT, file), 'utf8'))).toContain(plain(code));
});
