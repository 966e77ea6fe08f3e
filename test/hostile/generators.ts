import fc from 'fast-check';
import { type GraphQLObjectType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import type { openApiDocument } from '../../src/rest/openapi.ts';

/** A GraphQL request as it is sent. */
export interface MadeDocument {
  readonly query: string;
  readonly variables: unknown;
}

const argumentValue = fc.oneof(
  fc.integer().map(String),
  fc.double().map((value) => String(value)),
  fc.string().map((value) => JSON.stringify(value)),
  fc.constantFrom('null', 'true', '[]', '{}', '"2024-11-05"', '"AA"', '42', '-98', 'FEDERAL', '$undeclared'),
);

/** Documents made from a schema, some of them with a few characters changed, and any variables. */
export function documentsOf(schema: GraphQLSchema): fc.Arbitrary<MadeDocument> {
  const query = schema.getQueryType();
  if (!query) throw new Error('The schema has no query type');
  return fc.record({
    query: mutated(selection(query, 4).map((text) => `{ ${text} }`)),
    variables: fc.option(fc.jsonValue()),
  });
}

/** A selection on a type of the schema: its fields, most with what they need, some with what they do not know. */
function selection(type: GraphQLObjectType, levels: number): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields());
  const field = fc.constantFrom(...fields).chain((chosen) => {
    const inner = getNamedType(chosen.type);
    const below =
      levels > 0 && isObjectType(inner)
        ? selection(inner, levels - 1).map((text) => `{ ${text} }`)
        : fc.constantFrom('', '{ __typename }');
    const values = chosen.args.map(({ name }) => fc.option(argumentValue.map((value) => `${name}: ${value}`)));
    return fc.tuple(fc.tuple(...values), below).map(([given, rest]) => {
      const list = given.filter((each) => each !== null);
      return `${chosen.name}${list.length > 0 ? `(${list.join(', ')})` : ''} ${rest}`;
    });
  });
  return fc.array(field, { minLength: 1, maxLength: 4 }).map((texts) => texts.join(' '));
}

const parameterValue = fc.oneof(
  fc.constantFrom('42', '-98', '2024-11-05', 'AA', 'General', '1', 'contact', 'Federal', 'County'),
  fc.string(),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
);

/** Addresses made from an OpenAPI document, some of them with a few characters changed. */
export function addressesOf({ paths }: Pick<ReturnType<typeof openApiDocument>, 'paths'>): fc.Arbitrary<string> {
  const address = fc.constantFrom(...Object.entries(paths)).chain(([path, { get }]) => {
    const parameter = ({ name }: { name: string }) =>
      fc.option(
        parameterValue.map((text): [string, string] => [name, text]),
        { freq: 4 },
      );
    return fc
      .tuple(...get.parameters.map(parameter))
      .map((given) => `${path}?${new URLSearchParams(given.filter((each) => each !== null))}`);
  });
  return mutated(address).map((url) => encodeURI(url).replaceAll('%25', '%'));
}

/** The same with a few characters taken out, put in, or moved. */
function mutated(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(text, fc.nat(), fc.nat(20), fc.option(fc.string({ maxLength: 5 }), { freq: 2 }))
    .map(([whole, at, cut, put]) => {
      if (put === null) return whole;
      const place = at % (whole.length + 1);
      return `${whole.slice(0, place)}${put}${whole.slice(place + (cut > 10 ? cut - 10 : 0))}`;
    });
}
