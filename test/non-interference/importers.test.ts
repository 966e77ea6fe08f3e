import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { runImport, type SourceName } from '../../src/importers/import.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { folderOf } from '../import/folders.ts';
import { useDatabase } from '../support/database.ts';
import { UPDATE_TIMES } from '../support/update-times.ts';
import { electionSources } from './election-sources.ts';

/** Columns that contain results; no other column may depend on results. */
const RESULTS: Readonly<Record<string, readonly string[]>> = {
  candidates: ['cand_status', 'votes_for_cand'],
  ballot_measures: ['status', 'yes_votes_total', 'no_votes_total'],
};
const TABLES = [
  ...['districts', 'parties', 'offices', 'persons', 'officeholders', 'contacts', 'elections', 'races'],
  ...['candidates', 'candidate_parties', 'ballot_measures', 'external_identifiers', 'record_sources'],
];

/** Returns every row in its order on disk, without results. */
async function openData(db: Database): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const table of TABLES) {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) - ${[...UPDATE_TIMES, ...(RESULTS[table] ?? [])]}::text[] as row from ${sql.table(table)} as t order by t.ctid`.execute(
      db,
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

async function results(db: Database): Promise<unknown> {
  const { rows } = await sql`select id, cand_status, votes_for_cand from candidates order by id`.execute(db);
  return rows;
}

const ids = async (db: Database, kind: string) => {
  const { rows } = await sql<{ value: string; id: number }>`
    select value, record_id as id from external_identifiers where kind = ${kind}::record_kind order by scheme, value`.execute(
    db,
  );
  return rows;
};

async function importAll(db: Database, sources: readonly { source: SourceName; files: Record<string, string> }[]) {
  for (const { source, files } of sources) {
    const folder = folderOf(files);
    await runImport(
      db,
      source,
      Object.keys(files).map((file) => join(folder, file)),
    );
  }
}

const PLACES = { one: [0, 1, 2, 3], another: [3, 2, 1, 0], third: [2, 0, 3, 1] } as const;
const KINDS = ['person', 'race', 'candidate', 'party', 'office', 'election', 'ballot_measure'];

describe('imported results', () => {
  const seen = new Map<string, { open: Record<string, unknown[]>; results: unknown }>();

  describe.each(Object.entries(PLACES))('of %s outcome', (name, places) => {
    const database = useDatabase();

    test('can be imported', async () => {
      await importAll(database.db, electionSources(places));
      seen.set(name, { open: await openData(database.db), results: await results(database.db) });
      expect(seen.get(name)?.open.candidates?.length).toBeGreaterThan(30);
      expect(seen.get(name)?.open.ballot_measures?.length).toBe(3);
    });
  });

  test.each(['another', 'third'])('differ in results alone: %s', (name) => {
    expect(seen.get(name)?.results).not.toEqual(seen.get('one')?.results);
    expect(seen.get(name)?.open).toEqual(seen.get('one')?.open);
  });
});

describe('ids', () => {
  const found: unknown[] = [];

  describe.each([
    ['as listed', electionSources(PLACES.one)],
    ['backwards', electionSources(PLACES.third).toReversed()],
  ])('of sources %s', (_, sources) => {
    const database = useDatabase();

    test('are the same, and stay when more is imported', async () => {
      await importAll(database.db, sources.slice(0, 2));
      const before = await ids(database.db, 'candidate');
      await importAll(database.db, sources);
      const after = await ids(database.db, 'candidate');
      expect(after).toEqual(expect.arrayContaining(before));
      expect(after.length).toBeGreaterThan(before.length);
      const all = [];
      for (const kind of KINDS) all.push([kind, await ids(database.db, kind)]);
      found.push(all);
    });
  });

  test('do not depend on the order of imports', () => {
    expect(found[1]).toEqual(found[0]);
  });
});

describe('a dataset', () => {
  const seen: unknown[] = [];
  const files = (order: readonly number[]) => ({
    'districts.csv': 'id,type,name\n1,State,Alpha\n',
    'offices.csv': 'id,district_id,name,level,branch\n1,1,Governor,State,Executive\n',
    'elections.csv': 'id,date,type,district_id,candidate_lists_complete\n1,2022-11-08,General,1,true\n',
    'races.csv': 'id,election_id,office_id,year,type,stage_type,number_of_seats\n1,1,1,2022,Regular,General,1\n',
    'persons.csv': `id,name\n${order.map((n) => `${n},Same Name\n`).join('')}`,
    'candidates.csv': `id,race_id,person_id,votes_for_cand\n${order.map((n, index) => `${n},1,${n},${100 - index}\n`).join('')}`,
    'ballot_measures.csv': `id,election_id,district_id,name,yes_votes_total\n${order.map((n, index) => `${n},1,1,Question ${n},${100 - index}\n`).join('')}`,
  });

  describe.each([[[1, 2, 3, 4]], [[4, 2, 1, 3]]])('with its rows in the order %j', (order) => {
    const database = useDatabase();

    test('is stored in the order of its ids', async () => {
      await loadFolder(database.db, folderOf(files(order)));
      seen.push(await openData(database.db));
    });
  });

  test('is the same for any order of its rows', () => {
    expect(seen[1]).toEqual(seen[0]);
  });
});
