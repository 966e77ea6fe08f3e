import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { operationsOf } from '../../src/gateway/rest/document.ts';
import type { OpenApiDocument } from '../../src/gateway/rest/types.ts';
import { VALUES, type Values } from '../hostile/values.ts';
import { drawDocument } from './documents.ts';
import { seeded } from './random.ts';

/** The largest seed of a document. */
const MOST_SEED = 2 ** 31 - 1;

/** Documents drawn from a schema, some of them with a few characters changed, with their variables or any others. */
export function documentsOf(schema: GraphQLSchema): fc.Arbitrary<{ query: string; variables: unknown }> {
  return fc.nat(MOST_SEED).chain((seed) => {
    const { query, variables } = drawDocument(schema, seeded(seed)).request();
    return fc.record({
      query: mutated(fc.constant(query)),
      variables: fc.oneof({ arbitrary: fc.constant(variables), weight: 4 }, fc.option(anyOf(variables))),
    });
  });
}

/** Any values for the same variables. */
function anyOf(variables: object): fc.Arbitrary<unknown> {
  return fc.record(Object.fromEntries(Object.keys(variables).map((name) => [name, fc.jsonValue()])));
}

/** Values of the small test country by parameter name, so that most requests are valid. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  lat: ['42', '45', '48.5', '50', '0'],
  long: ['-98', '-95', '-90', '-85', '0'],
  date: ['2024-11-05', '2022-11-08'],
  election_date: ['2024-11-05', '2022-11-08', '2024-03-05', '2026-11-03'],
  state: ['AA', 'BB', 'aa'],
  year: ['2022', '2024'],
  page: ['1', '2'],
};

const ANY_TEXT = fc.oneof(
  fc.constantFrom('42', '-98', '2024-11-05', 'AA', 'General', '1', 'contact', 'Federal', 'County'),
  fc.string(),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
);

function parameterValue(name: string): fc.Arbitrary<string> {
  const good = [...(KNOWN[name] ?? []), ...(valuesOf(name)?.good ?? [])].map(decodeURIComponent);
  if (good.length === 0) return ANY_TEXT;
  return fc.oneof({ arbitrary: fc.constantFrom(...good), weight: 12 }, { arbitrary: ANY_TEXT, weight: 1 });
}

function valuesOf(name: string): Values | undefined {
  return Object.entries(VALUES).find(
    ([known]) => known === name || (known === 'date' && name === 'election_date'),
  )?.[1];
}

/** Addresses made from an OpenAPI document, some of them with a few characters changed. */
export function addressesOf({ paths }: Pick<OpenApiDocument, 'paths'>): fc.Arbitrary<string> {
  const address = fc.constantFrom(...operationsOf({ paths })).chain(({ path, operation }) => {
    const parameter = ({ name }: { name: string }) =>
      fc.option(
        parameterValue(name).map((text): [string, string] => [name, text]),
        { freq: 6 },
      );
    return fc
      .tuple(...operation.parameters.map(parameter))
      .map((given) => `${path}?${new URLSearchParams(given.filter((each) => each !== null))}`);
  });
  return mutated(address).map((url) => encodeURI(url).replaceAll('%25', '%'));
}

/** Returns the text with a few characters removed, inserted or moved. */
function mutated(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(text, fc.nat(), fc.nat(20), fc.option(fc.string({ maxLength: 5 }), { freq: 2 }))
    .map(([whole, at, cut, put]) => {
      if (put === null) return whole;
      const place = at % (whole.length + 1);
      return `${whole.slice(0, place)}${put}${whole.slice(place + (cut > 10 ? cut - 10 : 0))}`;
    });
}
