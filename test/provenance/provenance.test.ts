import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { createWorld, insert, WORLD } from '../support/world.ts';

const database = useDatabase();
beforeAll(async () => {
  await createWorld(database.db);
  const sources = await database.db
    .insertInto('sources')
    .values([
      { name: 'Old census', as_of: '2020-04-01', loaded_at: '2026-01-01T00:00:00Z' },
      { name: 'New census', source: 'Bureau', license: 'public domain', loaded_at: '2026-02-01T00:00:00Z' },
    ])
    .returning('id')
    .execute();
  for (const { id } of sources) {
    await insert(database.db, 'record_sources', [{ kind: 'district', record_id: WORLD.alpha, source_id: id }]);
  }
  await insert(database.db, 'external_identifiers', [
    { kind: 'person', scheme: 'fec', value: 'S2', record_id: 1 },
    { kind: 'person', scheme: 'fec', value: 'S1', record_id: 1 },
    { kind: 'person', scheme: 'bioguide', value: 'A000001', record_id: 1 },
    { kind: 'office', scheme: 'fec', value: 'X', record_id: 1 },
  ]);
});

it('returns the sources of a record, the last loaded one first', async () => {
  const query = `{ district(databaseId: ${WORLD.alpha}) { sources { name source license asOf loadedAt } } beta: district(databaseId: ${WORLD.beta}) { sources { name } } }`;
  expect(await request(database.db, query)).toEqual({
    data: {
      district: {
        sources: [
          {
            name: 'New census',
            source: 'Bureau',
            license: 'public domain',
            asOf: null,
            loadedAt: '2026-02-01T00:00:00.000Z',
          },
          { name: 'Old census', source: null, license: null, asOf: '2020-04-01', loadedAt: '2026-01-01T00:00:00.000Z' },
        ],
      },
      beta: { sources: [] },
    },
  });
});

it('returns all data sets by name, the newest edition first, to callers with a grant', async () => {
  await database.db
    .insertInto('sources')
    .values([
      { name: 'Old census', as_of: '2010-04-01' },
      { name: 'Old census', as_of: null },
      { name: 'Old census', as_of: '2021-04-01' },
    ])
    .execute();
  const query = '{ sources { name license asOf } }';
  const { data } = await request(database.db, query);
  const found = data?.sources as { name: string; asOf: string | null }[];
  expect(found).toContainEqual({ name: 'New census', license: 'public domain', asOf: null });
  expect(found.map(({ name }) => name)).toEqual(found.map(({ name }) => name).sort());
  expect(found.filter(({ name }) => name === 'Old census').map(({ asOf }) => asOf)).toEqual([
    '2021-04-01',
    '2020-04-01',
    '2010-04-01',
    null,
  ]);
  expect((await request(database.db, query, { grants: ['results'] })).data?.sources).toEqual(found);
  expect((await request(database.db, query, { grants: ['bulk'] })).data).toEqual({ sources: null });
});

it('returns the identifiers of a record, and not those of another kind of record', async () => {
  expect(await request(database.db, '{ person(databaseId: 1) { identifiers { scheme value } } }')).toEqual({
    data: {
      person: {
        identifiers: [
          { scheme: 'bioguide', value: 'A000001' },
          { scheme: 'fec', value: 'S1' },
          { scheme: 'fec', value: 'S2' },
        ],
      },
    },
  });
});
