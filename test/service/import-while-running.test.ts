import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { map, results } from '../support/editions.ts';
import { runCommand, startProcess } from './support/process.ts';

// Importers in separate processes next to a gateway; on the embedded database they use the one that is open.

const backend = inject('backend').kind;
const database = useDatabase();
const service = useApp(database, {}, backend);
const SIZE = { districts: 60, details: 100 };

let folder: string;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'import-while-running-'));
  url = await service.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => rmSync(folder, { recursive: true }));

const importOf = (args: readonly string[]) => runCommand(['import', ...args], { ...database.environment });

describe.each([map(SIZE), results(SIZE)])('a gateway during an import of $name', (kind) => {
  const editionServed = async () => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': service.key('full'), 'content-type': 'application/json' },
      body: JSON.stringify({ query: kind.query }),
    });
    expect(response.status).toBe(200);
    return [...kind.editionsIn(await response.json())];
  };

  it('serves the new data a second after its end, although it cached the response with the old data', async () => {
    expect((await importOf(kind.write(folder, 1))).code).toBe(0);
    // Nothing is cached just after the data changed.
    for (let time = 0; time < 4; time++) {
      await sleep(1_000);
      expect(await editionServed()).toEqual([1]);
    }
    expect((await importOf(kind.write(folder, 2))).code).toBe(0);
    await sleep(1_000);
    expect(await editionServed()).toEqual([2]);
  });

  it('has up-to-date statistics of the tables', async () => {
    const { rows } = await sql<{ name: string; known: number; analyzed: Date | null }>`
      select c.relname as name, c.reltuples as known, s.last_analyze as analyzed
      from pg_class as c left join pg_stat_user_tables as s on s.relid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`.execute(database.db);
    const tables =
      kind.name === 'map'
        ? ['districts', 'boundaries', 'boundary_pieces', 'record_sources']
        : ['districts', 'offices', 'persons', 'races', 'candidates', 'candidate_parties', 'external_identifiers'];
    for (const table of tables) {
      const counted = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(
        database.db,
      );
      const stated = rows.find(({ name }) => name === table);
      expect([table, stated?.known]).toEqual([table, counted.rows[0]?.rows]);
      // The embedded database has no collector of such times.
      if (backend === 'server') expect(stated?.analyzed).toBeInstanceOf(Date);
    }
  });
});

it('a second importer exits immediately with the reason, and does not affect the first', async () => {
  const kind = map({ districts: 200, details: 400 });
  const first = startProcess('cli', ['import', ...kind.write(folder, 1)], { ...database.environment });
  for (; !first.output.stderr.includes('Reading '); await sleep(5)) expect(first.child.exitCode).toBeNull();
  first.child.kill('SIGSTOP');
  const others = await Promise.all([importOf(['us-atlas']), runCommand(['load', folder], { ...database.environment })]);
  first.child.kill('SIGCONT');
  for (const { code, stdout, stderr } of others) {
    expect([code, stdout]).toEqual([75, '']);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      'error: Another load or import is running on this database. Try again when it has finished.',
    );
  }
  expect(await first.ended).toMatchObject({ code: 0 });
});
