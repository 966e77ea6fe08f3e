import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TABLES = 'src/store/sql/tables.ts';
/** The fewest columns that stores use by an alias: if fewer are found, this file misreads them. */
const FEWEST = 100;
/** A query with several renamed columns may have an error for one of them only, so that the others are tried again. */
const MOST_RUNS = 4;

interface Column {
  readonly table: string;
  readonly name: string;
}

/** A column that queries of stores use: the stores, with the names under which they do. */
interface UsedColumn extends Column {
  readonly uses: readonly { readonly store: string; readonly reference: string }[];
}

let folder: string;
/** The source of each store, by its path. */
const stores = new Map<string, string>();
let tables: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ballotgraph-renamed-'));
  tables = await readFile(join(ROOT, TABLES), 'utf8');
  for (const part of ['src', 'tsconfig.json', 'package.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // The sources import the migrations.
  await cp(join(ROOT, 'db'), join(folder, 'db'), { recursive: true });
  await writeFile(
    join(folder, 'tsconfig.stores.json'),
    JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions: { noErrorTruncation: true },
      include: ['src/**/*.store.ts'],
    }),
  );
  for (const file of await readdir(join(ROOT, 'src'), { recursive: true }))
    if (file.endsWith('.store.ts')) stores.set(`src/${file}`, await readFile(join(ROOT, 'src', file), 'utf8'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the name of the interface of each table. */
function interfacesOfTables(): Map<string, string> {
  const all = /export interface DB \{([^}]*)\}/.exec(tables)?.[1] ?? '';
  return new Map([...all.matchAll(/(\w+): (\w+);/g)].map(([, table = '', name = '']) => [table, name]));
}

const bodyOf = (name: string) => new RegExp(`export interface ${name} \\{[^}]*\\}`);

/** Returns the columns of a table that a store names by an alias which it has for this table only. */
function usedColumns(table: string, name: string): UsedColumn[] {
  const columns = [...(bodyOf(name).exec(tables)?.[0] ?? '').matchAll(/^ {2}(\w+):/gm)].map(
    ([, column = '']) => column,
  );
  const aliases = [...stores].map(([store, code]) => {
    const named = [...code.matchAll(/'(\w+) as (\w+)'/g)].map(([, from = '', alias = '']) => ({ from, alias }));
    const own = named.filter(({ from }) => from === table).map(({ alias }) => alias);
    const elsewhere = new Set([
      ...named.filter(({ from }) => from !== table).map(({ alias }) => alias),
      ...[...code.matchAll(/\.as\('(\w+)'\)/g)].map(([, alias = '']) => alias),
    ]);
    return { store, code, own: new Set(own.filter((alias) => !elsewhere.has(alias))) };
  });
  return columns.flatMap((column) => {
    const uses = aliases.flatMap(({ store, code, own }) =>
      [...own]
        .map((alias) => ({ store, reference: `${alias}.${column}` }))
        .filter(({ reference }) => code.includes(`'${reference}'`)),
    );
    return uses.length === 0 ? [] : [{ table, name: column, uses }];
  });
}

/** Returns `tables.ts` with columns renamed. */
function renamed(columns: readonly Column[]): string {
  const interfaces = interfacesOfTables();
  return columns.reduce(
    (text, { table, name }) =>
      text.replace(bodyOf(interfaces.get(table) ?? ''), (body) =>
        body.replace(new RegExp(`^ {2}${name}:`, 'm'), `  renamed_${name}:`),
      ),
    tables,
  );
}

/** Returns the errors of the compiler in stores: the file, and the message with the line of the source. */
async function errorsWith(columns: readonly Column[]): Promise<{ file: string; text: string }[]> {
  await writeFile(join(folder, TABLES), renamed(columns));
  const output = await new Promise<string>((resolve) => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    execFile(process.execPath, [tsc, '-p', 'tsconfig.stores.json'], { cwd: folder, maxBuffer: 2 ** 28 }, (_, stdout) =>
      resolve(stdout),
    );
  });
  return output.split(/\n(?=\S)/).flatMap((message) => {
    const { file = '', line = '' } = /^(?<file>[^(]+)\((?<line>\d+),/.exec(message)?.groups ?? {};
    const source = stores.get(file);
    return source === undefined ? [] : [{ file, text: `${source.split('\n')[Number(line) - 1]}\n${message}` }];
  });
}

test('the compiler finds no error in stores before a column is renamed', async () => {
  expect(await errorsWith([])).toEqual([]);
}, 120_000);

test('each renamed column is an error in a store that uses it', async () => {
  let missing = [...interfacesOfTables()].flatMap(([table, name]) => usedColumns(table, name));
  expect(missing.length).toBeGreaterThan(FEWEST);
  for (let run = 0; run < MOST_RUNS && missing.length > 0; run++) {
    const errors = await errorsWith(missing);
    const isFound = ({ uses }: UsedColumn) =>
      uses.some(({ store, reference }) =>
        errors.some(({ file, text }) => file === store && new RegExp(`\\b${reference}\\b`).test(text)),
      );
    const unfound = missing.filter((column) => !isFound(column));
    if (unfound.length === missing.length) break;
    missing = unfound;
  }
  expect(missing).toEqual([]);
}, 240_000);
