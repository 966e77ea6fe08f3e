import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { importOrLoad } from '../src/importers/import.ts';
import { readManifest } from '../src/importers/manifest.ts';
import { findFiles } from '../src/importers/read/read-files.ts';
import { migrate } from '../src/store/migrate.ts';
import { openDatabase, openPool } from '../src/store/sql/database.ts';
import { withClient } from './database/build.ts';
import { type ImportInput, makeInputs } from './import-inputs.ts';
import { databaseTimes, timeBetween } from './processor-time.ts';

const ROOT = resolve(import.meta.dirname, '..');
const MEGABYTE = 1e6;

/**
 * One import: what it read and wrote, and the processor time of importer and database, which other load on the machine
 * hardly affects.
 */
export interface MeasuredImport {
  readonly input: 'generated' | 'real';
  readonly source: string;
  /** Uncompressed size. */
  readonly megabytes: number;
  /** Resulting rows of the exchange format. */
  readonly rows: number;
  readonly seconds: number;
  /** Processor time of the importer in seconds. */
  readonly script: number;
  /** Processor time of its database connection in seconds; undefined if the database is on another machine. */
  readonly database: number | undefined;
}

/**
 * Imports generated input of every source, each into an empty database, and, if the data folder exists next to the
 * repository, the whole four-state dataset into one database, in the order of its manifest.
 * @param url a server on which databases may be created; they are dropped afterwards.
 */
export async function measureImports(url: string, writeLine: (line: string) => void): Promise<MeasuredImport[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'));
  try {
    const measured: MeasuredImport[] = [];
    for (const input of await makeInputs(folder))
      measured.push(...(await measureAll(url, 'generated', [input], writeLine)));
    const data = join(process.env.SHARED_DIR ?? join(ROOT, '..', 'shared'), 'data');
    if (existsSync(data)) {
      const { steps } = await readManifest(join(ROOT, 'db/four-states.yaml'), data);
      measured.push(...(await measureAll(url, 'real', steps, writeLine)));
    } else writeLine('The data folder is absent: generated input only.');
    return measured;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureAll(
  url: string,
  input: MeasuredImport['input'],
  inputs: readonly ImportInput[],
  writeLine: (line: string) => void,
): Promise<MeasuredImport[]> {
  const name = `bench_import_${process.pid}`;
  const at = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await withClient(url, (client) => client.query(`create database ${name}`));
  const db = openDatabase(openPool({ at: { connectionString: at }, size: 1, statementTimeoutMs: 0, waitMs: 0 }));
  try {
    await migrate(db);
    const measured: MeasuredImport[] = [];
    for (const { source, paths, options } of inputs) {
      const files = await findFiles(paths, ['']);
      const before = { database: await databaseTimes(at), script: process.cpuUsage() };
      const { files: tables, seconds } = await importOrLoad(db, source, paths, options);
      const { user, system } = process.cpuUsage(before.script);
      const databaseMs = timeBetween(before.database, await databaseTimes(at));
      const rows = tables.reduce((sum, each) => sum + each.inserted + each.updated + each.unchanged, 0);
      const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / MEGABYTE;
      const script = (user + system) / 1e6;
      measured.push({ input, source, megabytes, rows, seconds, script, database: databaseMs && databaseMs / 1_000 });
      writeLine(`import of ${input} ${source}: ${seconds.toFixed(1)} s`);
    }
    return measured;
  } finally {
    await db.destroy();
    await withClient(url, (client) => client.query(`drop database ${name} with (force)`));
  }
}

/** Returns a Markdown table. Other load on the machine increases the elapsed seconds, but hardly the processor time. */
export function importTable(measured: readonly MeasuredImport[]): string {
  const lines = measured.map(({ input, source, megabytes, rows, seconds, script, database = 0 }) => {
    const cpu = script + database;
    const cells = [input, source, megabytes.toFixed(1), rows.toLocaleString('en'), seconds.toFixed(1)];
    const perSecond = (time: number) => [Math.round(rows / time).toLocaleString('en'), (megabytes / time).toFixed(1)];
    const times = [
      script.toFixed(1),
      database.toFixed(1),
      ...perSecond(cpu),
      `${Math.round((100 * database) / cpu)} %`,
    ];
    return `| ${[...cells, ...perSecond(seconds), ...times].join(' | ')} |`;
  });
  return [
    '### import',
    '',
    '| input | source | MB | rows | s | rows/s | MB/s | importer CPU s | database CPU s | rows/CPU s | MB/CPU s | in the database |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...lines,
  ].join('\n');
}
