import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { DATA, hasData, TODAY } from '../four-states/database.ts';
import { useDatabase } from '../support/database.ts';
import { contentsOf } from './contents.ts';

/** Terms without a start have no order. */
async function sortedContents(db: Database): Promise<string[]> {
  const contents = (await contentsOf(db)) as Record<string, unknown[]>;
  return Object.entries(contents).flatMap(([name, rows]) => rows.map((row) => `${name} ${JSON.stringify(row)}`).sort());
}

describe.skipIf(!hasData)(`editions of Open States${hasData ? '' : ' (skipped: no data folder)'}`, () => {
  const database = useDatabase();

  test('have the same result in either order, and change nothing when imported again', async () => {
    const { db } = database;
    const people = (day: string) =>
      runImport(db, 'openstates-people', [join(DATA, 'officeholders/openstates-people', day)]);
    await people(TODAY);
    await people('2026-08-05');
    const inOrder = await sortedContents(db);
    for (const day of ['2026-08-05', TODAY]) {
      const { files } = await people(day);
      expect(files.flatMap(({ inserted, updated, removed }) => [inserted, updated, removed]).some((n) => n > 0)).toBe(
        false,
      );
    }
    await sql`truncate districts, offices, persons, officeholders, contacts, sources, record_sources, external_identifiers cascade`.execute(
      db,
    );
    await people('2026-08-05');
    await people(TODAY);
    expect(await sortedContents(db)).toEqual(inOrder);
  }, 300_000);
});
