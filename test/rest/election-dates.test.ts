import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { expectFields, get, keyWith } from '../support/rest.ts';
import { insert, WORLD } from '../support/world.ts';

const database = useDatabase();
// The tests change the data, and must see the changes immediately.
const service = useApp(database, { RESPONSE_CACHE_BYTES: '0' });
const onLeapDay = useApp(database, { RESPONSE_CACHE_BYTES: '0', TODAY: '2024-02-29' });
const MORE = 1000;

beforeAll(async () => {
  await createElectionWorld(database.db);
  // Twice a page and one more, in 2018, on few days so that the id decides on the order.
  await insert(
    database.db,
    'elections',
    Array.from({ length: 51 }, (_, index) => ({
      id: MORE + index,
      date: `2018-0${1 + (index % 9)}-15`,
      type: index % 3 === 0 ? 'Recall' : 'General Runoff',
      district_id: WORLD.beta,
      description: index === 0 ? 'https://recall.example' : `Election ${index}`,
      candidate_lists_complete: true,
    })),
  );
});

describe('GET /data/election_dates/point', () => {
  const PATH = '/data/election_dates/point';

  it('has every field of the table of the specification', async () => {
    const { body } = await get(onLeapDay, `${PATH}?lat=42&long=-98`);
    await insert(database.db, 'elections', [
      {
        id: 900,
        date: '2024-08-01',
        type: 'Special',
        district_id: WORLD.alpha,
        description: 'A vacancy',
        candidate_lists_complete: false,
      },
    ]);
    const later = await get(onLeapDay, `${PATH}?lat=42&long=-98`);
    expectFields([...body.data.elections, ...later.body.data.elections], {
      type: 'string',
      id: 'integer',
      date: 'date',
      description: 'string | null',
    });
    expect(later.body.data.elections).toEqual([
      { type: 'Primary', id: VOTE.alphaPrimary2024, date: VOTE.primary2024, description: null },
      { type: 'Special', id: 900, date: '2024-08-01', description: 'A vacancy' },
      { type: 'General', id: VOTE.alpha2024, date: VOTE.date2024, description: null },
    ]);
    await database.db.deleteFrom('elections').where('id', '=', 900).execute();
  });

  it('returns null if there is no election', async () => {
    expect((await get(service, `${PATH}?lat=0&long=0`)).body.data).toEqual({ elections: null });
    expect((await get(service, `${PATH}?lat=42&long=-85`)).body.data).toEqual({ elections: null });
  });

  it.each([
    ['2023-02-27', false],
    ['2023-02-28', true],
    ['2025-02-28', true],
    ['2025-03-01', false],
  ])('reaches one year back and ahead of a leap day: %s is %s', async (date, isWithin) => {
    await insert(database.db, 'elections', [
      { id: 901, date, type: 'Special', district_id: WORLD.beta, candidate_lists_complete: true },
    ]);
    const { body } = await get(onLeapDay, `${PATH}?lat=42&long=-85`);
    await database.db.deleteFrom('elections').where('id', '=', 901).execute();
    expect((body.data.elections ?? []).some(({ id }: { id: number }) => id === 901)).toBe(isWithin);
  });

  it.each([
    ['2025-06-30', false],
    ['2025-07-01', true],
    ['2027-07-01', true],
    ['2027-07-02', false],
  ])('reaches one year back and ahead, both days included: %s is %s', async (date, isWithin) => {
    await insert(database.db, 'elections', [
      { id: 901, date, type: 'Special', district_id: WORLD.beta, candidate_lists_complete: true },
    ]);
    const { body } = await get(service, `${PATH}?lat=42&long=-85`);
    await database.db.deleteFrom('elections').where('id', '=', 901).execute();
    expect((body.data.elections ?? []).some(({ id }: { id: number }) => id === 901)).toBe(isWithin);
  });
});

describe('GET /data/election_dates/list', () => {
  const PATH = '/data/election_dates/list';
  const ids = async (query: string) =>
    ((await get(service, `${PATH}?${query}`)).body.data.elections ?? []).map(({ id }: { id: number }) => id);

  it('has every field of the table of the specification', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => get(service, `${PATH}?page=${page}`)));
    const elections = pages.flatMap(({ body }) => body.data.elections);
    expectFields(elections, {
      id: 'integer',
      date: 'date',
      type: 'string',
      description: 'string | null',
      candidate_lists_complete: 'boolean',
      district_name: 'string',
      district_type: 'string',
      state: 'string',
    });
    expect(elections.find(({ id }: { id: number }) => id === VOTE.county2022)).toEqual({
      id: VOTE.county2022,
      date: VOTE.date2022,
      type: 'Special',
      description: 'Roads only',
      candidate_lists_complete: false,
      district_name: 'First County',
      district_type: 'County',
      state: '',
    });
    const order = elections.map(
      ({ date, id }: { date: string; id: number }) => `${date} ${String(id).padStart(9, '0')}`,
    );
    expect(order).toEqual([...order].sort());
  });

  it('has 25 elections a page, and null past the last', async () => {
    const sizes = [];
    for (const page of [1, 2, 3]) {
      const { body } = await get(service, `${PATH}?page=${page}`);
      expect(body.data.total_pages).toBe(3);
      sizes.push(body.data.elections.length);
    }
    expect(sizes).toEqual([25, 25, 7]);
    for (const page of [4, 1_000_000]) {
      expect((await get(service, `${PATH}?page=${page}`)).body).toEqual({
        success: true,
        data: { elections: null, total_pages: 3 },
        message: null,
      });
    }
  });

  it.each([
    ['state=AA&year=2024', [VOTE.alphaPrimary2024, VOTE.alpha2024]],
    ['state=aa&year=2026', [VOTE.alpha2026]],
    ['state=US', []],
    ['state=ZZ', []],
    ['type=Primary', [VOTE.alphaPrimary2024]],
    ['type=primary,Special', [VOTE.county2022, VOTE.alphaPrimary2024]],
    ['type=Primary%2C+Special', [VOTE.county2022, VOTE.alphaPrimary2024]],
    ['type=General', [VOTE.alpha2022, VOTE.alpha2024, VOTE.beta2024, VOTE.alpha2026]],
    ['type=Recall&date=2018-01-15', [MORE, MORE + 9, MORE + 18, MORE + 27, MORE + 36, MORE + 45]],
    ['date=2024-11-05', [VOTE.alpha2024, VOTE.beta2024]],
    ['date=2024-11-05&year=2022', []],
    ['year=2022&state=&type=&page=', [VOTE.alpha2022, VOTE.county2022]],
    ['year=1776', []],
  ])('filters by %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it('has no pages if nothing matches', async () => {
    expect((await get(service, `${PATH}?year=1776`)).body.data).toEqual({ elections: null, total_pages: 0 });
  });

  it.each([
    ['neither ids nor districts', [], []],
    ['ids', ['election_ids'], ['id']],
    ['districts', ['election_districts'], ['district_name', 'district_type']],
  ] as const)('has for a package that includes %s only the corresponding members', async (name, grants, members) => {
    const key = await keyWith(database.db, `has-${name.replaceAll(' ', '-')}`, ['election_dates', ...grants]);
    const { body } = await get(service, `${PATH}?year=2026`, key);
    expect(Object.keys(body.data.elections[0]).sort()).toEqual(
      ['candidate_lists_complete', 'date', 'description', 'state', 'type', ...members].sort(),
    );
  });
});
