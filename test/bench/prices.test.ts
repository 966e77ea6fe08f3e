import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { type PriceSample, priceCases } from '../../bench/price-cases.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { computeComplexity } from '../../src/gateway/graphql/documents/query-complexity.ts';
import { definitionsOf } from '../../src/gateway/graphql/documents/selections.ts';
import { globalId } from '../../src/graph/builder/global-id.ts';
import { schema } from '../../src/graph/schema.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createWorld, POINTS, WORLD } from '../support/world.ts';

const sample: PriceSample = {
  state: 'AA',
  electionDate: '2024-11-05',
  point: POINTS.southWest,
  ids: [WORLD.country, WORLD.alpha, WORLD.county].map((id) => globalId('District', id)),
  boundaryIds: [1, 2, 3].map((id) => globalId('Boundary', id)),
};
const { cost: limit } = readConfig({}).limits.operation;

describe('the measured prices', () => {
  const cases = priceCases(schema, sample, limit);
  const database = useDatabase();
  const service = useApp(database);

  it('are those of every field of the schema, at valid arguments within the limit', () => {
    for (const { document, field } of cases) expect(validate(schema, parse(document)), field).toEqual([]);
    expect(cases.filter(({ cost }) => cost > limit)).toEqual([]);
  });

  it('name a field that is not covered', () => {
    const other = buildSchema('type Query { new: New, zip(code: String, more: Int): Int } type New { field: Int }');
    expect(() => priceCases(other, sample, limit)).toThrow('not measured: New.field.');
  });

  it('are prices of operations that are answered within the deadline', async () => {
    await createWorld(database.db);
    for (const { document, field, form } of cases) {
      const response = await service.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': service.key('full') },
        payload: { query: document },
      });
      expect(response.statusCode, `${field}, ${form}: ${response.body}`).toBe(200);
    }
  }, 180_000);
});

describe('the price', () => {
  const costOf = (source: string) => computeComplexity(schema, definitionsOf(parse(source)), {}).cost;
  const aliases = (count: number, selection: string) =>
    `{ ${Array.from({ length: count }, (_, n) => `a${n}: ${selection}`).join(' ')} }`;

  it('of what reads a whole list counts once for the list, and rejects it in 28 aliases', () => {
    const whole = costOf('{ people { totalCount updatedAt } }');
    expect(costOf('{ people(first: 100) { totalCount updatedAt } }') - whole).toBeLessThan(100);
    const changes = 'people(first: 1, updatedSince: "2026-01-01T00:00:00Z") { totalCount updatedAt }';
    expect(costOf(`{ ${changes} }`)).toBeGreaterThan(5_000);
    expect(costOf(aliases(28, changes))).toBeGreaterThan(limit);
    expect(costOf('{ people(first: 1, updatedSince: null) { edges { cursor } } }')).toBeLessThan(1_000);
  });

  it('of the nearest lines allows as many points as are answered in half of the deadline, in a list or in aliases', () => {
    // Measured on fourteen states: the lines of a point take up to 150 ms.
    const most = Math.floor(readConfig({}).limits.http.handlerTimeout / 2 / 150);
    const at = '{latitude: 41.5, longitude: -73.5}';
    const inList = (count: number) =>
      costOf(`{ locations(points: [${Array(count).fill(at).join(', ')}]) { nearestLines { distance } } }`);
    const inAliases = (count: number) =>
      costOf(aliases(count, 'location(latitude: 41.5, longitude: -73.5) { nearestLines { distance } }'));
    const inFields = (count: number) =>
      costOf(`{ location(latitude: 41.5, longitude: -73.5) ${aliases(count, 'nearestLines { distance }')} }`);
    for (const priceFor of [inList, inAliases, inFields]) {
      expect(priceFor(25)).toBeLessThanOrEqual(limit);
      expect(priceFor(most)).toBeGreaterThan(limit);
    }
  });
});
