import { beforeAll, describe, expect, it } from 'vitest';
import { setPackage } from '../../src/gateway/access/access.store.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { expectFields, get } from '../support/rest.ts';
import { boundary, createWorld, insert, WORLD } from '../support/world.ts';

const database = useDatabase();
const service = useApp(database);
beforeAll(async () => {
  await createWorld(database.db);
  await insert(database.db, 'districts', [{ id: 40, type: 'Special district subdivision', name: 'Ward', state: null }]);
  await boundary(database.db, 40, ['2000-01-01', null], [-100, 40, -98, 41], false);
});

const PATH = '/data/districts/point';
const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => Number(id));

describe('GET /data/districts/point', () => {
  it('has every field of the table of the specification', async () => {
    const today = await get(service, `${PATH}?lat=40.5&long=-99`);
    const before = await get(service, `${PATH}?lat=40.5&long=-99&date=2022-06-01`);
    expectFields([...today.body.data, ...before.body.data], {
      id: 'string',
      name: 'string',
      type: 'string',
      url: 'string',
      ocdid: 'string',
      nces_id: 'string | null',
      geo_id: 'string',
      state: 'string',
      end_date: 'date | null',
      precise_boundary: 'boolean',
    });
  });

  it('returns the districts from the country down', async () => {
    const { body } = await get(service, `${PATH}?lat=42&long=-98`);
    expect(body.data).toEqual([
      expect.objectContaining({ id: '1', type: 'Country', state: 'US', end_date: null, precise_boundary: true }),
      expect.objectContaining({ id: '20', type: 'Congress', name: 'Congressional District 1', state: 'AA' }),
      expect.objectContaining({ id: '10', type: 'State', geo_id: '0400000US91' }),
      {
        id: '30',
        type: 'County',
        name: 'First County',
        state: '',
        url: 'https://county.example',
        ocdid: '',
        nces_id: '9100001',
        geo_id: '0500000US9101',
        end_date: null,
        precise_boundary: true,
      },
    ]);
  });

  it('reports a generalised outline as not precise', async () => {
    const { body } = await get(service, `${PATH}?lat=40.5&long=-99`);
    expect(body.data.at(-1)).toMatchObject({ id: '40', type: 'Special district subdivision', precise_boundary: false });
  });

  it.each([
    ['the day before the redrawing', '2023-01-02', WORLD.alphaSecond, WORLD.redrawn],
    ['the day that both maps share', '2023-01-03', WORLD.alphaFirst, null],
    ['the day after it', '2023-01-04', WORLD.alphaFirst, null],
    ['an empty date, which is today', '', WORLD.alphaFirst, null],
  ])('uses the map in effect on %s', async (_, date, congress, end) => {
    const { body } = await get(service, `${PATH}?lat=48&long=-98&date=${date}`);
    expect(body.data.filter(({ type }: { type: string }) => type === 'Congress')).toEqual([
      expect.objectContaining({ id: String(congress), end_date: end }),
    ]);
  });

  it('returns both sides of a shared edge, always in the same order', async () => {
    for (let time = 0; time < 20; time += 1) {
      const { body } = await get(service, `${PATH}?lat=42&long=-90`);
      expect(ids(body)).toEqual([WORLD.country, WORLD.alphaSecond, WORLD.alpha, WORLD.beta]);
    }
  });

  it.each([
    ['at sea', 'lat=0&long=0'],
    ['at the pole', 'lat=90&long=0'],
    ['on the 180th meridian', 'lat=0&long=180'],
    ['before there were districts', 'lat=42&long=-98&date=1776-07-04'],
  ])('returns an empty list %s', async (_, query) => {
    expect(await get(service, `${PATH}?${query}`)).toMatchObject({ status: 200, body: { data: [] } });
  });

  it('finds a district on the 180th meridian by both longitudes', async () => {
    await insert(database.db, 'districts', [{ id: 50, type: 'County', name: 'Antimeridian' }]);
    await boundary(database.db, 50, ['2000-01-01', null], [170, 50, 180, 60]);
    expect(ids((await get(service, `${PATH}?lat=55&long=180`)).body)).toEqual([50]);
    expect(ids((await get(service, `${PATH}?lat=55&long=-180`)).body)).toEqual([50]);
  });

  it('is rejected for a package without the grant', async () => {
    await setPackage(database.db, { name: 'no-results', grants: ['officeholders', 'elections'] });
    expect(await get(service, `${PATH}?lat=42&long=-98`, 'no-results')).toMatchObject({
      status: 403,
      body: { success: false, data: {}, message: 'The districts endpoint is not available in your package.' },
    });
  });
});
