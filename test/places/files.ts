import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Returns a function that writes a file to a folder of its own and returns its path; all are removed after the tests. */
export function useFiles() {
  const root = mkdtempSync(join(tmpdir(), 'places-'));
  let files = 0;
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return (name: string, content: string | Buffer) => {
    const path = join(mkdtempSync(join(root, `${++files}-`)), name);
    writeFileSync(path, content);
    return path;
  };
}
