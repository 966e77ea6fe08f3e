import { expect, it } from 'vitest';
import { DEFAULT_OPERATION_LIMITS } from '../../src/config/limits.ts';
import { createDocuments } from '../../src/graphql/documents.ts';
import { schema } from '../../src/schema.ts';

const prepare = createDocuments(schema, DEFAULT_OPERATION_LIMITS);
const NESTED = `query ($from: Date = "2024-06-01", $to: Date) {
  districts { edges { node { offices { races(from: $from, to: $to) { id } } } } } }`;

it.each([
  [
    '{ district(databaseId: 1) { races(from: "2024-01-02", to: "2024-01-01") { id } } }',
    {},
    'races',
    '2024-01-02',
    '2024-01-01',
  ],
  [
    '{ location(latitude: 1, longitude: 1) { a: elections(from: "2024-01-02", to: "2023-01-01") { id } } }',
    {},
    'elections',
    '2024-01-02',
    '2023-01-01',
  ],
  [NESTED, { to: '2024-05-31' }, 'races', '2024-06-01', '2024-05-31'],
  [NESTED, { from: '2025-01-01', to: '2024-12-31' }, 'races', '2025-01-01', '2024-12-31'],
])('rejects %s with %j', (source, variables, field, from, to) => {
  const { exceeded } = prepare(source, variables) as { exceeded?: Error & { extensions: unknown } };
  expect(exceeded?.message).toBe(`${field}: from must not be after to: ${from} is after ${to}.`);
  expect(exceeded?.extensions).toMatchObject({ code: 'INVALID_PARAMETER' });
});

it.each([
  ['{ district(databaseId: 1) { races(from: "2024-01-01", to: "2024-01-01") { id } } }', {}],
  ['{ district(databaseId: 1) { races(to: "2024-01-01") { id } } }', {}],
  [NESTED, {}],
  [NESTED, { to: null }],
  [NESTED, { from: null, to: '2024-05-31' }],
  [NESTED, { to: 'not a day' }],
])('accepts %s with %j', (source, variables) => {
  expect(prepare(source, variables)).toHaveProperty('document');
});
