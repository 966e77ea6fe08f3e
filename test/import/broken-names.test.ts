import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { BROKEN_NAME, isBrokenName } from '../../src/importers/exchange/broken-names.ts';
import { runImport } from '../../src/importers/import.ts';
import { DatasetError, loadFolder } from '../../src/importers/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { folderOf } from './folders.ts';

const database = useDatabase();

test.each<[text: string, isBroken: boolean]>([
  ['Prosecutorial District NaN', true],
  ['ocd-division/country:us/state:nv/county:clark/council_district:NaN', true],
  ['District undefined', true],
  ['undefined Smith', true],
  ['NaN', true],
  ['[object Object]', true],
  ['Nan Whaley', false],
  ['NaNo District', false],
  ['On an undefined amount of bonds', false],
  ['Annan', false],
])('%j is the text of a failed conversion: %s', async (text, isBroken) => {
  expect(isBrokenName(text)).toBe(isBroken);
  const { rows } = await sql<{ found: boolean }>`select ${text}::text ~ ${BROKEN_NAME} as found`.execute(database.db);
  expect(rows).toEqual([{ found: isBroken }]);
});

test('an import skips and reports rows with such a name or identifier', async () => {
  const ocdid = 'ocd-division/country:us/state:nv';
  const lines = [`${ocdid}/place:reno,Reno`, `${ocdid}/place:NaN,Sparks`, `${ocdid}/place:elko,Ward undefined`];
  const folder = folderOf({ 'nv.csv': `id,name\n${lines.join('\n')}\n` });
  const { report } = await runImport(database.db, 'ocd-division-ids', [folder]);
  expect(report.map(({ reason }) => reason).sort()).toEqual([
    'name: "Ward undefined" contains the text of a failed conversion, such as NaN or undefined',
    `ocdid "${ocdid}/place:N…" contains the text of a failed conversion, such as NaN or undefined`,
  ]);
  const { rows } = await sql`select name from districts where type = 'City-town'`.execute(database.db);
  expect(rows).toEqual([{ name: 'Reno' }]);
});

test('a load rejects a file with such a name', async () => {
  const folder = folderOf({ 'persons.csv': 'id,name,last_name\n1,Ada Able,Able\n2,Ben NaN,NaN\n' });
  const error = await loadFolder(database.db, folder).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(DatasetError);
  expect((error as Error).message).toMatch(/persons\.csv:3: name: "Ben NaN" contains the text of a failed conversion/);
});
