import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  type ImportOptions,
  openSource,
  runImport,
  SOURCES,
  type SourceName,
  WITHOUT_PATHS,
} from '../../src/importers/import.ts';
import type { Source } from '../../src/importers/source.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const VALUES: ImportOptions = {
  preset: 'census-cd',
  type: 'County',
  from: '2023-01-03',
  to: '2024-01-03',
  precise: true,
  partial: true,
  replaces: true,
  atLarge: true,
  properties: { name: 'NAME' },
  fields: { number: 'NUMBER' },
  state: 'VT',
  layer: 'towns',
  asOf: '2024-01-01',
  name: 'Name',
  source: 'Source',
  license: 'MIT',
  officeMap: '/nowhere.csv',
  precincts: true,
  keepGoing: true,
  date: '2024-01-01',
  join: { town: 'County subdivision' },
  electionType: 'General',
};
const NAMES = Object.keys(VALUES) as (keyof typeof VALUES)[];
const sources = Object.entries<Source>(SOURCES) as [SourceName, Source][];

const rejected = (source: SourceName, options: ImportOptions) =>
  runImport(database.db, source, ['/nowhere'], options).then(
    () => 'was imported',
    (error: Error) => error.message,
  );

test('every option of a source is tried', () => {
  expect(new Set(sources.flatMap(([, { options }]) => options))).toEqual(new Set(NAMES));
});

test.each(sources.filter(([name]) => name !== WITHOUT_PATHS))(
  '%s needs paths, and says which',
  async (name, { title }) => {
    await expect(openSource(name, [], {})).rejects.toThrow(`${name} needs paths: ${title}`);
  },
);

describe.each(sources)('%s', (name, { options }) => {
  test.each(NAMES.filter((option) => !options.some((own) => own === option)))('rejects %s', async (option) => {
    const message = await rejected(name, { [option]: VALUES[option] });
    const owners = sources.filter(([, source]) => source.options.some((own) => own === option)).map(([owner]) => owner);
    const shown = option.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    expect(message).toMatch(
      new RegExp(`^--${shown} is an option of ${owners.join(', ')}, not of ${name}; ${name} has `),
    );
  });

  const days = options.filter((option) => ['from', 'to', 'asOf', 'date'].includes(option));
  const WRONG = ['2023', '03/01/2023', '2023-02-30', '', 'yesterday', '2023-1-3', ' 2023-01-03'];
  test.each(days.flatMap((day) => WRONG.map((value) => [day, value] as const)))('rejects %s %j', async (day, value) => {
    const shown = day === 'asOf' ? 'as-of' : day;
    expect(await rejected(name, { from: options.includes('from') ? '2000-01-01' : undefined, [day]: value })).toBe(
      `--${shown} ${value}: is not a date YYYY-MM-DD`,
    );
  });
});

describe('the help of import', () => {
  const help = (...args: string[]) =>
    execFileSync(process.execPath, ['src/cli.ts', 'import', ...args, '--help'], { encoding: 'utf8' });

  test('lists all options, and of a source its own', () => {
    expect(help()).toMatch(/--office-map[\s\S]*--as-of[\s\S]*Presets:/);
    const medsl = help('medsl');
    expect(medsl.match(/--[a-z-]+(?= )/g)).toEqual([
      '--state',
      '--office-map',
      '--precincts',
      '--keep-going',
      '--date',
      '--accept',
      '--report',
      '--dry-run',
      '--help',
    ]);
    expect(medsl).not.toContain('Presets:');
    expect(help('districts-geojson')).toMatch(/--name-property[\s\S]*Presets:/);
  });
});
