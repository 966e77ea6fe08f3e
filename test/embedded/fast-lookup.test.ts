import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// `minimal-postgis.ts` replaces `Object.keys` during the lookup of a function. It can go when PGlite looks functions up
// without the names of all of them.
test('PGlite lists all exports of a library for each function that it looks up', async () => {
  const code = await readFile(fileURLToPath(import.meta.resolve('@electric-sql/pglite')), 'utf8');
  const [lookup] = /_dlsym_js=.{1,800}/.exec(code) ?? [];
  expect(lookup).toMatch(/Object\.keys\(\w+\.exports\)\.indexOf/);
});
