import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['src', 'web', 'clients/typescript/src'];
/** Its keys are names of the page itself, and its one look-up asks `Object.hasOwn`. */
const EXCEPTIONS = ['web/main.ts: ACTIONS'];

/** A variable that is made of an ordinary object, with its type. */
const ANY_KEYS = /\b(?:const|let) (\w+): ((?:[^=;]|=>)*?) = (?=\{|\[|Object\.fromEntries)/g;

/** Returns the variables of a file that have any text as keys, and the prototype of objects. */
function findingsIn(code: string): string[] {
  return [...code.matchAll(ANY_KEYS)].flatMap(([, name = '', type = '']) =>
    /^(Readonly<|Partial<)?Record<string,/.test(type) ? [name] : [],
  );
}

it('finds dictionaries with a prototype', () => {
  expect(findingsIn('const names: Record<string, number> = {};')).toEqual(['names']);
  expect(findingsIn('const NAMES: Readonly<Record<string, readonly string[]>> = {\n  a: [] };')).toEqual(['NAMES']);
  expect(findingsIn('const names: Record<string, number> = Object.fromEntries(list);')).toEqual(['names']);
  expect(findingsIn('const names: Record<string, number> = dictionary();')).toEqual([]);
  expect(findingsIn("const names: Record<'a' | 'b', number> = { a: 1, b: 2 };")).toEqual([]);
  expect(findingsIn('const names: ReadonlyMap<string, number> = new Map();')).toEqual([]);
});

it('finds none in the sources: look-ups by any text are in a Map or in a dictionary', async () => {
  const found: string[] = [];
  for (const folder of FOLDERS) {
    for (const file of await readdir(join(ROOT, folder), { recursive: true })) {
      if (!file.endsWith('.ts') || file.includes('generated')) continue;
      const code = await readFile(join(ROOT, folder, file), 'utf8');
      found.push(...findingsIn(code).map((name) => `${folder}/${file}: ${name}`));
    }
  }
  expect(found).toEqual(EXCEPTIONS);
});
