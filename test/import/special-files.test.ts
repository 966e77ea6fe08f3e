import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import { readManifest } from '../../src/importers/manifest.ts';
import { useDatabase } from '../support/database.ts';
import { folderOf } from './folders.ts';
import { GOOD_SOURCES, type GoodSource } from './good-sources.ts';

// Opening a named pipe waits for a writer, and a device may never end.

const database = useDatabase();

const SPECIAL: Readonly<Record<string, (path: string) => Promise<void> | void>> = {
  'named pipe': (path) => void execFileSync('mkfifo', [path]),
  'link to a device': (path) => symlinkSync('/dev/zero', path),
  async socket(path) {
    const server = createServer().listen(path);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
  },
};

describe.each(Object.entries(SPECIAL))('a %s', (_, make) => {
  test.each(Object.values<GoodSource>(GOOD_SOURCES).map((good) => [good.source, good] as const))(
    'is rejected as a file of %s',
    async (_, { source, file, options }) => {
      const folder = folderOf({});
      const path = join(folder, file);
      await make(path);
      const rejected = expect.stringMatching(/is neither a regular file nor a folder|is not a regular file/);
      // This source is a folder in any case.
      if (source !== 'congress-legislators')
        await expect(runImport(database.db, source, [path], options)).rejects.toMatchObject({ message: rejected });
      await expect(runImport(database.db, source, [folder], options)).rejects.toMatchObject({ message: rejected });
    },
    10_000,
  );

  test.each(['dataset.json', 'persons.csv', 'boundaries.geojsonl'])(
    'is rejected as %s of a dataset',
    async (name) => {
      const folder = folderOf({ 'parties.csv': 'id,name\n901,Whig\n' });
      await make(join(folder, name));
      await expect(loadFolder(database.db, folder)).rejects.toThrow(/(json:1|csv|geojsonl): is not a regular file/);
    },
    10_000,
  );

  test('is rejected as a manifest', async () => {
    const path = join(folderOf({}), 'manifest.yaml');
    await make(path);
    await expect(readManifest(path)).rejects.toThrow('is not a regular file');
  }, 10_000);
});

test('a dangling link is reported', async () => {
  const folder = folderOf({});
  symlinkSync('/nowhere', join(folder, 'lost.csv'));
  await expect(runImport(database.db, 'medsl', [folder])).rejects.toThrow(
    'lost.csv: is a link to a file that does not exist',
  );
});
