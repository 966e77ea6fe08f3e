import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { readConfig } from '../../base/config/config.ts';
import { isCalendarDate } from '../../base/dates.ts';
import { folderError } from '../../base/folder-error.ts';
import { printable, writeLine } from '../../base/progress.ts';
import { stateByPostal } from '../../base/words/states.ts';
import { LoadInProgressError } from '../../importers/exchange/validation-errors.ts';
import { openBackend } from '../../store/backend.ts';
import { DatabaseInUseError, DataLock, LOAD_LOCK_FILE } from '../../store/embedded/data-lock.ts';
import { migrate } from '../../store/migrate.ts';
import type { Database } from '../../store/sql/database.ts';
import { removeOldChanges } from './old-changes.ts';

/**
 * Runs a command on the database that the environment names, after migrating its schema. If a gateway is running on the
 * same embedded database, the command uses the gateway's instance.
 */
export async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const backend = await openBackend(readConfig(process.env).database, { purpose: 'command', onProgress: writeLine });
  try {
    const onWait = () => writeLine('Schema: waiting for a long statement of another session, such as a bulk download');
    for (const name of await migrate(backend.db, onWait)) writeLine(`Schema: ${name}`);
    return await work(backend.db);
  } finally {
    await backend.close();
  }
}

/**
 * Runs a command that changes the data, one at a time. A server has an advisory lock for this; in an embedded database,
 * which has one session, that lock would not block, and a second command would wait for the first.
 * @throws LoadInProgressError immediately if another such command is running.
 */
export async function withExclusiveDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const { database, feed } = readConfig(process.env);
  const { url, dataDir } = database;
  const workAndTidy = async (db: Database) => {
    const result = await work(db);
    await removeOldChanges(db, feed).catch((error: unknown) => {
      // What the command was for is done.
      writeLine(`Changes: older ones are kept until the next command (${(error as Error).message})`);
    });
    return result;
  };
  if (url !== undefined) return withDatabase(workAndTidy);
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error) => {
    throw folderError('DATA_DIR', dataDir, error);
  });
  const { lock } = await DataLock.take(resolve(dataDir), LOAD_LOCK_FILE).catch((error) => {
    throw error instanceof DatabaseInUseError ? new LoadInProgressError() : folderError('DATA_DIR', dataDir, error);
  });
  try {
    return await withDatabase(workAndTidy);
  } finally {
    await lock.release();
  }
}

/**
 * Writes a result to standard output.
 * @param styled returns the printable text as it is written, for example with a colour.
 */
export function print(line: string, styled: (text: string) => string = (text) => text): void {
  process.stdout.write(`${styled(printable(line))}\n`);
}

/**
 * Writes rows in aligned columns, the names of the columns first.
 * @param styled returns an aligned cell as it is written, for example with a colour.
 */
export function printTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  styled: (cell: string, column: number, row: number) => string = (cell) => cell,
): void {
  const lines = [columns, ...rows].map((line) => line.map(printable));
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const [index, line] of lines.entries())
    process.stdout.write(
      `${line
        .map((cell, column) => {
          const padded = column === line.length - 1 ? cell : cell.padEnd(widths[column] ?? 0);
          return index === 0 ? padded : styled(padded, column, index - 1);
        })
        .join('  ')
        .trimEnd()}\n`,
    );
}

/**
 * Resolves a command-line path against the folder in which npm was called: npm itself changes to the folder of the
 * package.
 */
export function pathArgument(path: string): string {
  return resolve(process.env.INIT_CWD ?? '', path);
}

/** Resolves each of several paths in the same way. */
export function pathArguments(path: string, before: readonly string[] = []): string[] {
  return [...before, pathArgument(path)];
}

/** Reads the postal code of a state, or `US`, from the command line. */
export function readState(text: string): string {
  if (text === 'US' || stateByPostal(text)) return text;
  throw new InvalidArgumentError('It is the postal code of a state, such as PA.');
}

/** Reads a day from the command line. */
export function readDay(text: string): string {
  if (isCalendarDate(text)) return text;
  throw new InvalidArgumentError('It is a day, YYYY-MM-DD.');
}
