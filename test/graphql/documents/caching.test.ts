import { isRequiredArgument } from 'graphql';
import { describe, expect, it } from 'vitest';
import { pointsOf } from '../../../src/gateway/graphql/cache/graphql-cache.ts';
import { MOST_POINTS } from '../../../src/graph/districts/districts.store.ts';
import { schema } from '../../../src/graph/schema.ts';
import { prepare } from '../../support/graph.ts';

const roots = Object.values(schema.getQueryType()?.getFields() ?? {});
/** Root fields about points, and those whose responses are not cached. All others are cached as a whole. */
const OTHERS = { points: ['location', 'locations'], none: ['area', 'bulkQueries', 'geocode', 'node', 'nodes', 'zip'] };

const cachingOf = (source: string) => prepare(source).analysis.findCaching({});

describe('the caching of a root field', () => {
  it.each(roots.map((field) => [field.name, field] as const))('%s', (name, field) => {
    const needed = name === 'location' ? ['latitude', 'longitude'] : [];
    const required = field.args.filter((each) => isRequiredArgument(each) || needed.includes(each.name));
    const variables = required.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
    const args = required.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
    const source = `query ${variables && `(${variables})`} { ${name}${args && `(${args})`} { __typename } }`;
    const expected = OTHERS.points.includes(name) ? 'points' : OTHERS.none.includes(name) ? 'none' : 'whole';
    expect(cachingOf(source).kind).toBe(expected);
  });
});

it.each([
  'query ($a: String) { location(address: $a) { id } }',
  '{ location(address: "1 Main St") { id } }',
  'query ($a: String) { location(latitude: 42, longitude: -98, address: $a) { id } }',
  'query ($a: String, $x: Latitude, $y: Longitude) { location(latitude: $x, longitude: $y, address: $a) { id } }',
  '{ location(latitude: 42, longitude: -98) { id } }',
  'query ($x: Latitude) { location(latitude: $x, longitude: -98) { id } }',
  '{ locations(points: [{ latitude: 42, longitude: -98 }]) { id } }',
])('an address or a point in a document is not cached: %s', (source) => {
  expect(cachingOf(source).kind).toBe('none');
});

it('is as a whole for introspection, alone or with fields that are', () => {
  expect(cachingOf('{ __schema { types { name } } type: __type(name: "Race") { name } }').kind).toBe('whole');
  expect(cachingOf('{ __schema { types { name } } races { totalCount } }').kind).toBe('whole');
});

it('a field that depends on the point itself is not cached, wherever the document has it', () => {
  const head = 'query ($x: Latitude, $y: Longitude) { location(latitude: $x, longitude: $y) ';
  const kindOf = (source: string) => cachingOf(head + source).kind;
  expect(kindOf('{ districts { name } changes { type } } }')).toBe('points');
  expect(kindOf('{ nearestLines { distance } } }')).toBe('none');
  expect(kindOf('{ near: nearestLines { distance } } }')).toBe('none');
  expect(kindOf('{ ...Edges } } fragment Edges on Location { nearestLines { distance } }')).toBe('none');
});

describe('the points of an operation', () => {
  const list = cachingOf('query ($p: [PointInput!]!) { locations(points: $p) { latitude } }');
  const pointsIn = (p: unknown) => (list.kind === 'points' ? pointsOf(list, { p }) : 'none');
  const point = { latitude: 42, longitude: -98 };

  it('are limited to the maximum of the schema', () => {
    const most = Array.from({ length: MOST_POINTS }, () => point);
    expect(pointsIn(most)).toEqual(most);
    expect(pointsIn([...most, point])).toBeUndefined();
    expect(schema.getQueryType()?.getFields().locations?.description).toContain(`Up to ${MOST_POINTS} points`);
  });

  it.each<[{ latitude: unknown; longitude?: unknown; height?: number }, boolean]>([
    [{ latitude: 90, longitude: 180 }, true],
    [{ latitude: -90, longitude: -180 }, true],
    [{ latitude: 90.000_001, longitude: 0 }, false],
    [{ latitude: 0, longitude: -180.000_001 }, false],
    [{ latitude: Number.NaN, longitude: 0 }, false],
    [{ latitude: '42', longitude: '-98.0' }, true],
    [{ latitude: '91', longitude: -98 }, false],
    [{ latitude: '4e1', longitude: -98 }, false],
    [{ latitude: 42 }, false],
    [{ ...point, height: 1 }, false],
  ])('are accepted as by the schema: %j', (each, isTaken) => {
    const read = { latitude: Number(each.latitude), longitude: Number(each.longitude) };
    expect(pointsIn([each])).toEqual(isTaken ? [read] : undefined);
  });
});
