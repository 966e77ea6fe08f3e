import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { DatasetError, loadFolder } from '../../src/importers/load/load.ts';
import type { TestDatabase } from '../support/database.ts';
import { box, FIXTURE, type Files, fingerprint } from './folders.ts';

const fileOf = (name: string): string => readFileSync(join(FIXTURE, name), 'utf8');

/** Returns a file of the fixture with one text replaced; fails if the file does not contain the text. */
export function changed(name: string, from: string, to: string): Files {
  expect(fileOf(name)).toContain(from);
  return { [name]: fileOf(name).replace(from, to) };
}

/** Returns a file of the fixture with one more line. */
export const added = (name: string, line: string): Record<string, string> => ({ [name]: `${fileOf(name)}${line}\n` });

export const SQUARE = [box(-72, 43, -71, 44)];
/** The properties of a boundary of the fixture's western county, for a period in which the county has another one. */
export const WEST = { district_id: 2, start_date: '2030-01-01', precise: true };

/** Loads the fixture. @returns a function that loads an invalid folder, checks that the database is unchanged, and returns the message. */
export function useRejections(database: TestDatabase): (folder: string) => Promise<string> {
  let before: Record<string, string>;
  beforeAll(async () => {
    await loadFolder(database.db, FIXTURE);
    before = await fingerprint(database.db);
  });
  return async (folder) => {
    const error = await loadFolder(database.db, folder).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(DatasetError);
    expect(error).toHaveProperty('exitCode', 65);
    expect(await fingerprint(database.db)).toEqual(before);
    return (error as DatasetError).message;
  };
}
