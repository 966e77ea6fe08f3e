import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/base/errors.ts';
import { createParameterReader, type Query } from '../../src/gateway/http/read-parameters.ts';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';

const VALUES = [
  '',
  ' ',
  '44.26',
  ' -72.5 ',
  '91',
  '1e3',
  'NaN',
  '2024-11-05',
  '2024-02-30',
  'VT',
  'vt',
  'contact',
  'contact,social',
];
const value = fc.oneof(fc.constantFrom(...VALUES), fc.string({ maxLength: 8 }));
const given = fc.oneof({ arbitrary: value, weight: 4 }, fc.array(value, { minLength: 1, maxLength: 3 }));

/** A name that is no parameter, in brackets: with it, each value is read as one that may be in parts. */
const ANY_BRACKETS = 'zz[]';

describe.each(endpoints.map(({ operationId, parameters }) => [operationId, parameters] as const))('%s', (_, schema) => {
  const read = createParameterReader(schema);
  const names = Object.keys(schema.shape);

  function resultOf(query: Query): unknown {
    try {
      return read(query);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return [error.message, error.invalidParameters];
    }
  }

  it('reads values that are given once as those that may be in parts', () => {
    const name = fc.constantFrom(
      ...names,
      ...names.map((each) => `${each}[]`),
      'lng',
      'date[0]',
      '__proto__',
      'constructor',
    );
    fc.assert(
      fc.property(fc.dictionary(name, given), (query) => {
        expect(resultOf(query)).toEqual(resultOf({ ...query, [ANY_BRACKETS]: '' }));
      }),
    );
  });
});
