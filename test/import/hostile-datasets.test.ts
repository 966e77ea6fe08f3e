import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DatasetError, loadFolder } from '../../src/importers/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { FIXTURE, type Files, fingerprint, fixtureWith, folderOf } from './folders.ts';

// Files that are hostile, or just broken, in a folder of the exchange format; those of other sources are in hostile-texts,
// hostile-boundaries and hostile-archives.

const bytesOf = (name: string): Buffer => readFileSync(join(FIXTURE, name));
const textOf = (name: string): string => bytesOf(name).toString('utf8');
const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

const database = useDatabase();
let before: Record<string, string>;
beforeAll(async () => {
  await loadFolder(database.db, FIXTURE);
  before = await fingerprint(database.db);
});

async function problemsOf(folder: string): Promise<string> {
  const error = await loadFolder(database.db, folder).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(DatasetError);
  expect(await fingerprint(database.db)).toEqual(before);
  return (error as DatasetError).message;
}

describe('an invalid file is rejected with its line', () => {
  test.each<[what: string, files: () => Files, problem: string | RegExp]>([
    [
      'CSV cut off within a quoted cell',
      () => ({ 'contacts.csv': textOf('contacts.csv').slice(0, textOf('contacts.csv').indexOf('Suite 2') + 3) }),
      /contacts\.csv:\d: a quoted cell is not closed: the file is cut off/,
    ],
    [
      'CSV cut off within a row',
      () => ({ 'persons.csv': textOf('persons.csv').slice(0, textOf('persons.csv').indexOf('Dee Example')) }),
      'persons.csv:5: has 2 cells; the header has 4',
    ],
    [
      'CSV with something after a quoted cell',
      () => ({ 'persons.csv': textOf('persons.csv').replace('"Cy, Jr."', '"Cy, Jr."x') }),
      'persons.csv:4: a quoted cell goes on after its closing quote',
    ],
    [
      'JSON lines cut off',
      () => ({ 'boundaries.geojsonl': textOf('boundaries.geojsonl').slice(0, -20) }),
      'boundaries.geojsonl:4: is not JSON',
    ],
    [
      'JSON lines with garbage behind',
      () => ({ 'boundaries.geojsonl': `${textOf('boundaries.geojsonl')}}}}\n` }),
      'boundaries.geojsonl:5: is not JSON',
    ],
    [
      'UTF-16, little end first',
      () => ({ 'persons.csv': Buffer.from(`\uFEFF${textOf('persons.csv')}`, 'utf16le') }),
      'persons.csv:1: the file is UTF-16',
    ],
    [
      'UTF-16, big end first',
      () => ({ 'persons.csv': Buffer.from(`\uFEFF${textOf('persons.csv')}`, 'utf16le').swap16() }),
      'persons.csv:1: the file is UTF-16',
    ],
    [
      'UTF-16 without a mark',
      () => ({ 'parties.csv': Buffer.from(textOf('parties.csv'), 'utf16le') }),
      'parties.csv:1: contains a NUL character (UTF-16 and binary files do)',
    ],
    [
      'Latin-1',
      () => ({ 'persons.csv': Buffer.from(textOf('persons.csv').replace('Þó', 'Tó'), 'latin1') }),
      'persons.csv:3: is not UTF-8',
    ],
    [
      'a file that ends within a character',
      () => ({ 'persons.csv': Buffer.concat([bytesOf('persons.csv'), Buffer.from([0x32, 0x35, 0x2c, 0xc3])]) }),
      'persons.csv:6: is not UTF-8: the file ends within a character',
    ],
    [
      'a NUL',
      () => ({ 'persons.csv': textOf('persons.csv').replace('Dee', 'D\0e') }),
      'persons.csv:5: contains a NUL character (UTF-16 and binary files do)',
    ],
    [
      'mixed line ends',
      () => ({ 'persons.csv': textOf('persons.csv').replace('Lovelace\n', 'Lovelace\r\n') }),
      'persons.csv:2: ends with CRLF, the lines before it with LF',
    ],
    [
      'mixed line ends the other way',
      () => ({ 'boundaries.geojsonl': crlf(textOf('boundaries.geojsonl')).replace(/\r\n$/, '\n') }),
      'boundaries.geojsonl:4: ends with LF, the lines before it with CRLF',
    ],
    [
      'lines that end with CR alone',
      () => ({ 'parties.csv': textOf('parties.csv').replaceAll('\n', '\r') }),
      'parties.csv:1: contains a carriage return that does not end the line',
    ],
    ['an empty file', () => ({ 'persons.csv': '' }), 'persons.csv:1: the file is empty; a header row is needed'],
    [
      'an unknown column',
      () => ({ 'persons.csv': textOf('persons.csv').replace('first_name', 'given_name') }),
      'persons.csv:1: unknown column "given_name"; the columns of this file are id, name, first_name, last_name, url',
    ],
    [
      'a column twice',
      () => ({ 'persons.csv': textOf('persons.csv').replace('first_name', 'last_name') }),
      'persons.csv:1: last_name: the column occurs twice',
    ],
    [
      'a required column that is missing',
      () => ({ 'parties.csv': 'id,url\n1,\n' }),
      'parties.csv:1: name: the required column is missing',
    ],
    [
      'another separator',
      () => ({ 'parties.csv': textOf('parties.csv').replaceAll(',', ';') }),
      'parties.csv:1: unknown column "id;name;url"',
    ],
    [
      'an unknown file',
      () => ({ 'people.csv': 'id\n1\n' }),
      'people.csv: is not a file of the exchange format: dataset.json, districts.csv',
    ],
    [
      'a file in other letters',
      () => ({ 'Persons.CSV': 'id\n1\n' }),
      'Persons.CSV: is not a file of the exchange format',
    ],
    ['a description that is no JSON', () => ({ 'dataset.json': '{name: 1}' }), 'dataset.json:1: is not JSON in UTF-8'],
    [
      'a description with an unknown member',
      () => ({ 'dataset.json': '{"licence": "CC0"}' }),
      'dataset.json:1: unknown member "licence"; valid members are name, license, source, as_of',
    ],
    [
      'a description of a day that does not exist',
      () => ({ 'dataset.json': '{"as_of": "2023-02-30"}' }),
      'dataset.json:1: as_of: is not an existing day',
    ],
  ])('%s', async (_, files, problem) => {
    const message = await problemsOf(fixtureWith(files()));
    if (typeof problem === 'string') expect(message).toContain(`\n  ${problem}`);
    else expect(message).toMatch(problem);
  });

  test('an endless line is not read into memory', async () => {
    const folder = fixtureWith({});
    writeFileSync(join(folder, 'boundaries.geojsonl'), Buffer.alloc(70 * 1024 * 1024, '['));
    writeFileSync(
      join(folder, 'persons.csv'),
      Buffer.concat([bytesOf('persons.csv'), Buffer.alloc(20 * 1024 * 1024, 'a')]),
    );
    const message = await problemsOf(folder);
    expect(message).toContain('boundaries.geojsonl:1: is longer than 64 MiB');
    expect(message).toMatch(/persons\.csv:\d: a row is longer than 16 MiB/);
  });

  test('a folder that is missing, is a file, or has nothing to load', async () => {
    expect(await problemsOf(join(FIXTURE, 'nowhere'))).toContain('there is no such folder');
    expect(await problemsOf(join(FIXTURE, 'persons.csv'))).toContain('is not a folder');
    expect(await problemsOf(folderOf({ 'README.md': 'x' }))).toContain('has none of the files districts.csv');
    expect(await problemsOf(folderOf({ 'persons.csv/x': 'x' }))).toContain('persons.csv: is not a regular file');
  });

  test('names from the data are never treated as SQL, and are returned unchanged', async () => {
    const name = `Robert'); drop table persons;-- \\ "x" {1,NULL} $1 ${'\u{1F5F3}'}`;
    const folder = folderOf({ 'persons.csv': `id,name,first_name\n90,"${name.replaceAll('"', '""')}",NULL\n` });
    await loadFolder(database.db, folder);
    const person = await database.db
      .selectFrom('persons')
      .select(['name', 'first_name'])
      .where('id', '=', 90)
      .executeTakeFirst();
    expect(person).toEqual({ name, first_name: 'NULL' });
    before = await fingerprint(database.db);
  });
});

describe('unusual but valid data is loaded', () => {
  test.each<[what: string, files: () => Files]>([
    [
      'CRLF everywhere',
      () => ({
        'persons.csv': crlf(textOf('persons.csv')),
        'boundaries.geojsonl': crlf(textOf('boundaries.geojsonl')),
      }),
    ],
    [
      'CRLF between the rows and LF within a cell',
      () => ({ 'contacts.csv': crlf(textOf('contacts.csv')).replace('Street\r\n', 'Street\n') }),
    ],
    [
      'no line end at the end',
      () => ({
        'persons.csv': textOf('persons.csv').trimEnd(),
        'boundaries.geojsonl': textOf('boundaries.geojsonl').trimEnd(),
      }),
    ],
    [
      'empty lines',
      () => ({
        'persons.csv': textOf('persons.csv').replaceAll('\n', '\n\n'),
        'boundaries.geojsonl': `\n${textOf('boundaries.geojsonl')}\n\n`,
      }),
    ],
    [
      'columns in another order',
      () => ({
        'parties.csv': 'url,name,id\n,Republican,1\n,Democratic,2\nhttps://example.org/progressive,Progressive,8\n',
      }),
    ],
    ['files of other kinds next to it', () => ({ 'README.md': '#', '.hidden.csv': 'x', 'notes.txt': 'x' })],
  ])('%s', async (_, files) => {
    const summary = await loadFolder(database.db, fixtureWith(files()));
    expect(summary.files.filter(({ inserted, updated, removed }) => inserted + updated + removed > 0)).toEqual([]);
  });

  test('a cell of a megabyte', async () => {
    const long = `https://long.example/${'x'.repeat(1024 * 1024)}`;
    await loadFolder(database.db, folderOf({ 'persons.csv': `id,name,url\n91,Long,${long}\n` }));
    const person = await database.db.selectFrom('persons').select('url').where('id', '=', 91).executeTakeFirst();
    expect(person?.url).toBe(long);
  });
});
