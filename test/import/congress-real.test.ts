import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ImportSummary, runImport } from '../../src/importers/import.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { counts } from './folders.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(process.env.SHARED_DIR ?? join(root, '../shared'), 'data/officeholders/congress-legislators');
const hasData = existsSync(folder);

describe.skipIf(!hasData)(
  `the Congress of 2026-06-15 next to the sample${hasData ? '' : ' (skipped: no data folder)'}`,
  () => {
    const database = useDatabase();
    let summary: ImportSummary;

    beforeAll(async () => {
      await loadFolder(database.db, join(root, 'db/sample'));
      summary = await runImport(database.db, 'congress-legislators', [join(folder, '2026-06-15')]);
    }, 120_000);

    test('is imported with every term', async () => {
      expect(summary.report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
        'B001005: icpsr_prez 99883 is the name of another person already',
        'legislators-social-media.yaml M001198: facebook RogerMarshallMD belongs to more than one person',
        'legislators-social-media.yaml T000278: facebook RogerMarshallMD belongs to more than one person',
      ]);
      const [inserted = 0, updated = 0, unchanged = 0] = counts(summary)['officeholders.csv'] ?? [];
      expect(inserted + updated + unchanged).toBe(2792 + 131);
    });

    test('every office has one holder, and those of the sample are not duplicated', async () => {
      const { rows } = await sql<{ name: string; offices: number; holders: number }>`
      select o.type as name, count(distinct o.id) as offices, count(*) as holders
      from officeholders as h join offices as o on o.id = h.office_id
      where h.status in ('Current', 'Appointed') and o.level = 'Federal' group by o.type order by o.type`.execute(
        database.db,
      );
      for (const { offices, holders } of rows) expect(holders).toBe(offices);
      expect(rows.find(({ name }) => name === 'Senator')).toMatchObject({ holders: 100 });
      expect(rows.reduce((sum, { holders }) => sum + holders, 0)).toBe(539);
      const together = await sql`
      select a.id from officeholders as a join officeholders as b on b.office_id = a.office_id and b.person_id <> a.person_id
        and a.start_date < b.end_date and b.start_date < a.end_date`.execute(database.db);
      expect(together.rows).toEqual([]);
    });
  },
);
