import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ImportError } from '../../src/importers/exchange/import-rows.ts';
import { findFiles, readWhole } from '../../src/importers/read/read-files.ts';
import { zipOf } from '../support/zip.ts';
import { folderOf } from './folders.ts';

const text = (content: string) => Buffer.from(content);
/** Bytes that no archive makes smaller, the same in every run. */
function noise(size: number): Buffer {
  let state = 1;
  return Buffer.from(
    Array.from({ length: size }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

async function contentsOf(folder: string, endings = ['.csv']): Promise<[name: string, content: string][]> {
  const files = await findFiles([folder], endings);
  return Promise.all(files.map(async (file) => [file.name, (await readWhole(file)).toString()] as [string, string]));
}

describe('files of a source', () => {
  test('are found in folders, zips and gzip files, and can be read repeatedly', async () => {
    const folder = folderOf({
      'b/plain.csv': 'plain',
      'b/other.txt': 'other',
      'a.zip': zipOf([
        { name: 'in/one.csv', content: text('one') },
        { name: 'in/', content: text('') },
        { name: 'two.CSV', content: text('two') },
        { name: 'readme.txt', content: text('three') },
      ]),
      'c.csv.gz': gzipSync('packed'),
    });
    const expected = [
      ['a.zip/in/one.csv', 'one'],
      ['a.zip/two.CSV', 'two'],
      ['b/plain.csv', 'plain'],
      ['c.csv', 'packed'],
    ];
    expect(await contentsOf(folder)).toEqual(expected);
    const [file] = await findFiles([join(folder, 'c.csv.gz')], ['.csv']);
    expect(file && [(await readWhole(file)).toString(), (await readWhole(file)).toString()]).toEqual([
      'packed',
      'packed',
    ]);
  });

  test('reading may end early', async () => {
    const folder = folderOf({
      'a.zip': zipOf([{ name: 'a.csv', content: noise(500_000) }]),
      'b.csv.gz': gzipSync(noise(500_000)),
    });
    for (const file of await findFiles([folder], ['.csv'])) {
      for await (const chunk of file.read()) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
    }
  });

  test.each<[what: string, files: Record<string, Buffer>, message: RegExp]>([
    ['no file of the kind', { 'a.txt': text('') }, /there is no \.csv file/],
    ['what is no zip', { 'a.zip': text('PK, or not') }, /a\.zip: cannot be unpacked/],
    [
      'a zip that is cut off',
      { 'a.zip': zipOf([{ name: 'a.csv', content: noise(999) }]).subarray(0, 500) },
      /a\.zip: cannot/,
    ],
    [
      'a bomb',
      { 'a.zip': zipOf([{ name: 'a.csv', content: Buffer.alloc(9e6) }]) },
      /a\.zip: unpacks to more than 100 times/,
    ],
    [
      'a bomb next to valid files',
      {
        'a.zip': zipOf([
          { name: 'a.csv', content: Buffer.alloc(2e6) },
          { name: 'b.csv', content: noise(500_000) },
        ]),
      },
      /a\.zip\/a\.csv: unpacks to more than 100 times/,
    ],
    [
      'more than 4 GiB',
      { 'a.zip': zipOf([1, 2].map((n) => ({ name: `${n}.csv`, content: text('x'), lie: { size: 3e9 } }))) },
      /a\.zip: unpacks to more than 4 GiB/,
    ],
    [
      'a size that is not true',
      { 'a.zip': zipOf([{ name: 'a.csv', content: noise(5_000), lie: { size: 100 } }]) },
      /a\.zip\/a\.csv: cannot be unpacked: it has more bytes than the archive states/,
    ],
    [
      'a larger size than the true one',
      { 'a.zip': zipOf([{ name: 'a.csv', content: noise(5_000), lie: { size: 6_000 } }]) },
      /a\.zip\/a\.csv: cannot be unpacked: it has fewer bytes than the archive states/,
    ],
    [
      'other content',
      { 'a.zip': zipOf([{ name: 'a.csv', content: text('a'), lie: { crc: 1 } }]) },
      /a\.zip\/a\.csv: is damaged/,
    ],
    [
      'a secret',
      { 'a.zip': zipOf([{ name: 'a.csv', content: text('a'), lie: { flags: 1 } }]) },
      /a\.csv: is encrypted/,
    ],
    [
      'a way out',
      { 'a.zip': zipOf([{ name: '../../a.csv', content: text('a') }]) },
      /a\.zip: cannot be unpacked: invalid relative path/,
    ],
    [
      'another way out',
      { 'a.zip': zipOf([{ name: '/etc/a.csv', content: text('a') }]) },
      /a\.zip: cannot be unpacked: absolute path/,
    ],
    [
      'too many files',
      { 'a.zip': zipOf(Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}.csv`, content: text('') }))) },
      /a\.zip: contains more than 10000 files/,
    ],
    ['a gzip bomb', { 'a.csv.gz': gzipSync(Buffer.alloc(9e6)) }, /a\.csv\.gz: unpacks to more than 100 times/],
    [
      'a gzip file that is cut off',
      { 'a.csv.gz': gzipSync(noise(9_000)).subarray(0, 200) },
      /a\.csv\.gz: cannot be unpacked/,
    ],
  ])('%s is rejected', async (_, files, message) => {
    const error = await contentsOf(folderOf(files)).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(message);
  });
});
