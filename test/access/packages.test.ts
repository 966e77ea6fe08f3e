import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { listPackages, setPackage } from '../../src/gateway/access/access.store.ts';
import { GRANTS } from '../../src/graph/builder/grants.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

describe('packages', () => {
  it('have the grants of the database, no more and no less', async () => {
    const found = await sql<{ name: string }>`select unnest(enum_range(null::access_grant))::text as name`.execute(
      database.db,
    );
    expect(Object.keys(GRANTS).sort()).toEqual(found.rows.map((row) => row.name).sort());
  });

  it('are seeded: everything, everything but results, and lookups', async () => {
    const packages = await listPackages(database.db);
    const grants = Object.fromEntries(packages.map((row) => [row.name, [...row.grants].sort()]));
    const all = Object.keys(GRANTS).sort();
    expect(grants).toEqual({
      full: all,
      'no-results': all.filter((grant) => grant !== 'results'),
      lookup: ['contact', 'districts', 'officeholders'],
    });
  });

  it('are created and changed; an omitted description is unchanged', async () => {
    await setPackage(database.db, { name: 'press', grants: ['elections', 'results'], description: 'For the press' });
    await setPackage(database.db, { name: 'press', grants: ['elections', 'bulk'] });
    expect((await listPackages(database.db)).find((row) => row.name === 'press')).toEqual({
      name: 'press',
      description: 'For the press',
      grants: ['bulk', 'elections'],
    });
    await setPackage(database.db, { name: 'press', grants: [] });
    expect((await listPackages(database.db)).find((row) => row.name === 'press')?.grants).toEqual([]);
  });

  it('are not created with an invalid name', async () => {
    await expect(setPackage(database.db, { name: 'No Name', grants: [] })).rejects.toThrow();
  });
});
