import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadFolder } from '../../src/importers/load/load.ts';
import { checkedChunks } from '../../src/importers/read/text-file.ts';
import { useDatabase } from '../support/database.ts';
import { counts, FIXTURE, fingerprint, folderOf } from './folders.ts';

// Through the importers of all sources: hostile-texts.

const MARK = '\uFEFF';
const database = useDatabase();

test('a dataset whose files begin with a byte order mark is loaded like one without', async () => {
  const names = readdirSync(FIXTURE);
  const marked = names.map((name) => [name, `${MARK}${readFileSync(join(FIXTURE, name), 'utf8')}`]);
  const summary = await loadFolder(database.db, folderOf(Object.fromEntries(marked)));
  expect(counts(summary)['persons.csv']?.[0]).toBeGreaterThan(0);
  const before = await fingerprint(database.db);
  await loadFolder(database.db, FIXTURE);
  expect(await fingerprint(database.db)).toEqual(before);
});

test('a quoted name of the first column is read, too', async () => {
  const folder = folderOf({ 'persons.csv': `${MARK}"id","name"\r\n901,Ada\r\n` });
  expect(counts(await loadFolder(database.db, folder))).toEqual({ 'persons.csv': [1, 0, 0, 0] });
});

const textOf = async (chunks: readonly Buffer[], quotes = true) => {
  const found: Buffer[] = [];
  const source = (async function* () {
    yield* chunks;
  })();
  for await (const chunk of checkedChunks(source, { quotes })) found.push(chunk);
  return Buffer.concat(found).toString('latin1');
};
const bytewise = (bytes: Buffer) => [...bytes].map((byte) => Buffer.from([byte]));

test.each([
  ['whole', (bytes: Buffer) => [bytes]],
  ['byte by byte', bytewise],
  ['after an empty chunk', (bytes: Buffer) => [Buffer.alloc(0), bytes]],
])('a mark that arrives %s is removed, and nothing else', async (_, split) => {
  const mark = Buffer.from(MARK);
  expect(await textOf(split(Buffer.concat([mark, Buffer.from('id\n1\n')])))).toBe('id\n1\n');
  expect(await textOf(split(mark))).toBe('');
  expect(await textOf(split(Buffer.from('i')))).toBe('i');
  expect(await textOf(split(Buffer.concat([mark, mark])))).toBe(mark.toString('latin1'));
  const utf16 = Buffer.from(`${MARK}id\n`, 'utf16le');
  await expect(textOf(split(utf16))).rejects.toThrow('the file is UTF-16; save it as UTF-8');
});
