import fc from 'fast-check';
import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { operationsOf } from '../../src/gateway/rest/document.ts';
import type { OpenApiDocument } from '../../src/gateway/rest/types.ts';
import { VALUES, type Values } from './values.ts';

/** A GraphQL request as it is sent. */
export interface MadeDocument {
  readonly query: string;
  readonly variables: unknown;
}

/** A value for an argument, most often one of its type. */
function argumentValue(type: GraphQLInputType): fc.Arbitrary<string> {
  const fitting = fittingValue(getNullableType(type));
  return fitting ? fc.oneof({ arbitrary: fitting, weight: 4 }, { arbitrary: ANY_VALUE, weight: 1 }) : ANY_VALUE;
}

const ANY_VALUE = fc.oneof(
  fc.integer().map(String),
  fc.double().map(String),
  fc.string().map(quoted),
  fc.constantFrom('null', 'true', '[]', '{}', '"2024-11-05"', '"AA"', '42', '-98', 'FEDERAL', '$undeclared'),
);

/** Values by the name of the type; numbers and texts are mostly those of the small test country. */
const FITTING: Readonly<Record<string, fc.Arbitrary<string>>> = {
  Int: fc.oneof(
    fc.constantFrom('1', '2', '3', '10', '20', '30', '101', '503', '606', '700', '803'),
    fc.nat().map(String),
  ),
  Float: fc.double({ min: 0, max: 10, noNaN: true }).map(String),
  String: fc.oneof(fc.constantFrom('"AA"', '"BB"', '"able"', '"General"', '"0400000US91"'), fc.string().map(quoted)),
  Latitude: fc.oneof(fc.constantFrom('42', '45', '50'), fc.double({ min: -90, max: 90, noNaN: true }).map(decimal)),
  Longitude: fc.oneof(fc.constantFrom('-98', '-95'), fc.double({ min: -180, max: 180, noNaN: true }).map(decimal)),
  Date: fc.constantFrom('"2022-11-08"', '"2024-11-05"', '"2023-01-03"', '"1999-01-01"', '"2024-02-29"'),
};

function fittingValue(type: GraphQLInputType): fc.Arbitrary<string> | undefined {
  if (isListType(type)) {
    return fc.array(argumentValue(type.ofType), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`);
  }
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    return fc.tuple(...fields.map(maybe)).map((given) => `{ ${given.filter(Boolean).join(', ')} }`);
  }
  return FITTING[getNamedType(type).name];
}

/** Draws `name: value`: always for a required argument, sometimes for an optional one. */
function maybe(input: { name: string; type: GraphQLInputType }): fc.Arbitrary<string> {
  const given = argumentValue(input.type).map((value) => `${input.name}: ${value}`);
  const freq = isNonNullType(input.type) ? 40 : 2;
  return fc.option(given, { freq, nil: '' });
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function decimal(value: number): string {
  return value.toFixed(4);
}

/** Documents made from a schema, some of them with a few characters changed, and any variables. */
export function documentsOf(schema: GraphQLSchema): fc.Arbitrary<MadeDocument> {
  const query = schema.getQueryType();
  if (!query) throw new Error('The schema has no query type');
  return fc.record({
    query: mutated(selection(query, 4).map((text) => `{ ${text} }`)),
    variables: fc.option(fc.jsonValue()),
  });
}

/** Returns a selection on a type: its fields, most with valid and some with unknown arguments. */
function selection(type: GraphQLObjectType, levels: number): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields());
  const field = fc.constantFrom(...fields).chain((chosen) => {
    const inner = getNamedType(chosen.type);
    const below = belowOf(inner, levels);
    return fc.tuple(fc.tuple(...chosen.args.map(maybe)), below).map(([given, rest]) => {
      const list = given.filter(Boolean);
      return `${chosen.name}${list.length > 0 ? `(${list.join(', ')})` : ''} ${rest}`;
    });
  });
  return fc.array(field, { minLength: 1, maxLength: 4 }).map((texts) => texts.join(' '));
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

/** Returns the selection set of a field, or nothing; sometimes an invalid one. */
function belowOf(type: GraphQLNamedType, levels: number): fc.Arbitrary<string> {
  const [empty, typename] = [fc.constant(''), fc.constant('{ __typename }')];
  if (!isObjectType(type)) return fc.oneof({ arbitrary: empty, weight: 40 }, { arbitrary: typename, weight: 1 });
  const fitting = levels > 0 ? selection(type, levels - 1).map((text) => `{ ${text} }`) : typename;
  return fc.oneof({ arbitrary: fitting, weight: 40 }, { arbitrary: empty, weight: 1 });
}

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
