import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { get, keyWith } from '../support/rest.ts';
import { boundary, createWorld, insert, WORLD } from '../support/world.ts';

const database = useDatabase();
const service = useApp(database);
const GENERALISED = 40;
/** Half a kilometre inside the generalised district, and near no other line. */
const NEAR = { latitude: 43, longitude: -96.994 };
let withoutBoundaries: string;
beforeAll(async () => {
  await createWorld(database.db);
  await insert(database.db, 'districts', [{ id: GENERALISED, type: 'City-town', name: 'Town', state: 'AA' }]);
  await boundary(database.db, GENERALISED, ['2000-01-01', null], [-98, 42, -96.99, 44], false);
  const grants: AccessGrant[] = ['districts', 'officeholders', 'contact'];
  withoutBoundaries = await keyWith(database.db, 'without-boundaries', grants);
});

interface Found {
  id: string | number;
  edge_distance_m?: number;
  edge_certain?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: each path has its own shape
type Body = any;

/** All paths that list the districts that contain a point on a day. */
const PATHS: readonly [path: string, districtsIn: (body: Body) => Found[], day?: string][] = [
  ['/data/districts/point?', ({ data }) => data],
  ['/data/districts/point?date=2022-06-01&', ({ data }) => data, '2022-06-01'],
  ['/data/officeholders?', ({ data }) => data[0].elected_officials.districts],
  ['/data/officeholders?collections=contact,social&', ({ data }) => data[0].elected_officials.districts],
];

describe.each(PATHS)('%s with include=edge_distance', (path, districtsIn, day) => {
  const at = ({ latitude, longitude }: typeof NEAR) => `${path}lat=${latitude}&long=${longitude}`;
  const edges = '&include=edge_distance';

  it('has the distance and the certainty of GraphQL for each district', async () => {
    const { body } = await get(service, at(NEAR) + edges);
    const source = `query ($at: PointInput!, $on: Date) { locations(points: [$at]) { nearestLines(on: $on) {
      district { databaseId } distance isCertain } } }`;
    const { data } = await request(database.db, source, { variables: { at: NEAR, on: day } });
    const [location] = (data as { locations: { nearestLines: Body[] }[] }).locations;
    expect(districtsIn(body).map((each) => [Number(each.id), each.edge_distance_m, each.edge_certain])).toEqual(
      location?.nearestLines.map(({ district, distance, isCertain }) => [district.databaseId, distance, isCertain]),
    );
    const [town, state] = [GENERALISED, WORLD.alpha].map((id) =>
      districtsIn(body).find((each) => Number(each.id) === id),
    );
    // A degree of longitude has 81,541 m there.
    expect(town?.edge_distance_m).toBeCloseTo(0.004 * 81_541, 0);
    expect([town?.edge_certain, state?.edge_certain]).toEqual([false, true]);
  });

  it('is the same response otherwise', async () => {
    const [plain, added] = [await get(service, at(NEAR)), await get(service, at(NEAR) + edges)];
    expect(districtsIn(plain.body).length).toBeGreaterThan(3);
    for (const each of districtsIn(plain.body)) expect(Object.keys(each)).not.toContain('edge_distance_m');
    for (const each of districtsIn(added.body)) {
      delete each.edge_distance_m;
      delete each.edge_certain;
    }
    expect(added.body).toEqual(plain.body);
  });

  it('is computed for each point, and leaves the cached response as it was', async () => {
    const other = { latitude: 43, longitude: -96.992 };
    const before = await get(service, at(NEAR));
    const distances = async (point: typeof NEAR) =>
      districtsIn((await get(service, at(point) + edges)).body).map((each) => each.edge_distance_m);
    const [near, nearer, again] = [await distances(NEAR), await distances(other), await distances(NEAR)];
    expect(nearer).not.toEqual(near);
    expect(again).toEqual(near);
    expect((await get(service, at(NEAR))).body).toEqual(before.body);
  });

  it('leaves the distance out for a package without boundaries', async () => {
    const plain = await get(service, at(NEAR), withoutBoundaries);
    expect((await get(service, at(NEAR) + edges, withoutBoundaries)).body).toEqual(plain.body);
    for (const each of districtsIn(plain.body)) expect(Object.keys(each)).not.toContain('edge_distance_m');
  });

  it('is empty at sea, as without it', async () => {
    const sea = { latitude: 0, longitude: 0 };
    expect((await get(service, at(sea) + edges)).body).toEqual((await get(service, at(sea))).body);
  });

  it('is one of two values', async () => {
    const { status, body } = await get(service, `${at(NEAR)}&include=edge`);
    expect([status, body.errors]).toEqual([
      400,
      [{ name: 'include', reason: 'takes one or more of these, separated by commas: edge_distance, precincts' }],
    ]);
  });
});
