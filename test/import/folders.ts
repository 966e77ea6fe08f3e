import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { LoadSummary } from '../../src/importers/exchange/load-summary.ts';
import type { Database } from '../../src/store/sql/database.ts';

export const FIXTURE = join(import.meta.dirname, '../fixtures/two-counties');

/** The content of a file; null leaves the file of the fixture out. */
export type Files = Readonly<Record<string, string | Buffer | null>>;

/** A dataset folder for one test with only the files given. */
export function folderOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'dataset-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    if (content === null) rmSync(join(folder, name));
    else {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
  }
  return folder;
}

/** The fixture `two-counties` for one test, with other files in place of some of its own. */
export function fixtureWith(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'dataset-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(FIXTURE, folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    if (content === null) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** One line of a boundaries file. */
export function feature(properties: object, coordinates: unknown, type = 'Polygon'): string {
  return JSON.stringify({ type: 'Feature', properties, geometry: { type, coordinates } });
}

/** A closed ring of a rectangle, counter-clockwise. */
export function box(west: number, south: number, east: number, north: number): number[][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** Inserted, updated, unchanged and removed rows of each file. */
export function counts(summary: LoadSummary): Record<string, number[]> {
  return Object.fromEntries(
    summary.files.map(({ file, inserted, updated, unchanged, removed }) => [
      file,
      [inserted, updated, unchanged, removed],
    ]),
  );
}

/** The tables of the records that a load can bring. */
export const RECORD_TABLES = [
  'districts',
  'boundaries',
  'boundary_pieces',
  'parties',
  'offices',
  'persons',
  'officeholders',
  'contacts',
  'elections',
  'races',
  'candidates',
  'candidate_parties',
  'ranked_choice_rounds',
  'ballot_measures',
  'voting_places',
  'deadlines',
  'district_election_offices',
] as const;
const TABLES = [...RECORD_TABLES, 'sources', 'record_sources', 'external_identifiers', 'data_version'];

/** Everything that a load can change, down to the version of each row: two are equal only if nothing was written. */
export async function fingerprint(db: Database): Promise<Record<string, string>> {
  const prints: Record<string, string> = {};
  for (const table of TABLES) {
    const { rows } = await sql<{ print: string }>`
      select md5(coalesce(string_agg(t.ctid || ' ' || t.xmin || ' ' || t::text, '|' order by t.ctid), '')) as print
      from ${sql.table(table)} as t`.execute(db);
    prints[table] = rows[0]?.print ?? '';
  }
  return prints;
}
