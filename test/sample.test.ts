import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, onTestFinished, test } from 'vitest';
import { columns, type Table } from '../db/sample/compile/tables.ts';
import { compileSample, writeSample } from '../db/sample/compile.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'db/sample');
const dataFolder = join(process.env.SHARED_DIR ?? join(root, '../shared'), 'data');

/** What the exchange format requires of each file: its columns in any order, and those that may not be empty. */
const format: Record<Table, { all: string; required: string }> = {
  districts: { all: 'id type name state ocdid geo_id nces_id url', required: 'id type name' },
  parties: { all: 'id name url', required: 'id name' },
  offices: {
    all: 'id district_id name type level branch chamber is_partisan seat url',
    required: 'id district_id name level branch',
  },
  persons: { all: 'id name first_name last_name url', required: 'id name' },
  officeholders: {
    all: 'id office_id person_id status partisan_affiliation start_date end_date',
    required: 'id office_id person_id status',
  },
  contacts: {
    all: 'officeholder_id person_id collection contact_type contact',
    required: 'collection contact_type contact',
  },
};

const tables = Object.keys(columns) as Table[];
const rowsOf = (table: Table): Record<string, string>[] =>
  parse(readFileSync(join(folder, `${table}.csv`)), { columns: true });
const dataset = Object.fromEntries(tables.map((table) => [table, rowsOf(table)])) as Record<
  Table,
  Record<string, string>[]
>;
const ids = (table: Table): Set<string> => new Set(dataset[table].map(({ id = '' }) => id));

/** The references of the dataset: table, column, the table that it points to. A list is separated by `;`. */
const references: [Table, string, Table][] = [
  ['offices', 'district_id', 'districts'],
  ['officeholders', 'office_id', 'offices'],
  ['officeholders', 'person_id', 'persons'],
  ['officeholders', 'partisan_affiliation', 'parties'],
  ['contacts', 'officeholder_id', 'officeholders'],
  ['contacts', 'person_id', 'persons'],
];

describe('the files of the sample', () => {
  test('are those of the exchange format and small', () => {
    const files = readdirSync(folder).filter((name) => !['README.md', 'compile', 'compile.ts'].includes(name));
    expect(files.sort()).toEqual(['dataset.json', ...tables.map((table) => `${table}.csv`)].sort());
    const bytes = files.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    expect(bytes).toBeLessThan(500_000);
  });

  test.each(tables)('%s has exactly the columns of the format, and no required cell is empty', (table) => {
    const { all, required } = format[table];
    for (const row of dataset[table]) {
      expect(Object.keys(row)).toEqual(all.split(' '));
      for (const column of required.split(' ')) expect(row[column], `${table}.${column}`).not.toBe('');
    }
  });

  test.each(tables.filter((table) => format[table].required.startsWith('id ')))('%s has unique ids', (table) => {
    expect(ids(table).size).toBe(dataset[table].length);
    for (const id of ids(table))
      expect(Number(id)).toSatisfy((n: number) => Number.isInteger(n) && n > 0 && n < 2 ** 31);
  });

  test.each(references)('%s.%s points to %s', (table, column, target) => {
    const known = ids(target);
    for (const row of dataset[table]) {
      for (const id of row[column]?.split(';').filter(Boolean) ?? []) expect(known, `${table} ${id}`).toContain(id);
    }
  });

  test('a contact belongs to an officeholder or to a person', () => {
    for (const row of dataset.contacts) expect(Boolean(row.officeholder_id)).not.toBe(Boolean(row.person_id));
  });
});

describe('the federal offices', () => {
  test('every state has two senators of different classes, and every office a holder', () => {
    const senators = dataset.offices.filter(({ name }) => name === 'U.S. Senator');
    expect(senators).toHaveLength(100);
    expect(new Set(senators.map(({ district_id, seat }) => `${district_id} ${seat}`)).size).toBe(100);
    const held = new Set(dataset.officeholders.map(({ office_id }) => office_id));
    const federal = dataset.offices.filter(({ level }) => level === 'Federal');
    expect(federal.filter(({ id = '' }) => !held.has(id))).toEqual([]);
  });

  test('the parties of the contract keep their ids', () => {
    const names = 'Republican Democratic Libertarian Green Independent Constitution Nonpartisan';
    expect(dataset.parties.slice(0, 7).map(({ name }) => name)).toEqual(names.split(' '));
  });
});

const hasData = existsSync(dataFolder);
test.skipIf(!hasData)(`compiling again gives the same bytes${hasData ? '' : ' (skipped: no data folder)'}`, () => {
  const output = mkdtempSync(join(tmpdir(), 'sample-'));
  onTestFinished(() => rmSync(output, { recursive: true }));
  writeSample(compileSample(dataFolder), output);
  for (const name of readdirSync(output)) {
    expect(readFileSync(join(output, name), 'utf8'), name).toBe(readFileSync(join(folder, name), 'utf8'));
  }
});
