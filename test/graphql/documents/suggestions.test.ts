import {
  type GraphQLField,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  NoUnusedFragmentsRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/base/config/config.ts';
import { createDocuments } from '../../../src/gateway/graphql/documents/documents.ts';
import { withMeaning } from '../../../src/gateway/graphql/documents/suggestions.ts';
import { namesMeant, plainName, similarNames } from '../../../src/gateway/names/similar-names.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { schema } from '../../../src/graph/schema.ts';

const LIMITS = readConfig({}).limits.operation;
const BY = { caller: { keyId: 1 } };

async function messagesOf(source: string, introspection = true): Promise<readonly string[]> {
  const prepared = await createDocuments(schema, LIMITS, { introspection })(source, {}, BY);
  return 'errors' in prepared ? prepared.errors.map(({ message }) => message) : [];
}

function fieldsOf(name: string): Readonly<Record<string, GraphQLField<unknown, unknown>>> {
  const type = schema.getType(name);
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
}

describe('an unknown name', () => {
  it.each([
    ['{ location(lat: 1, lng: 2) { id } }', ['Did you mean "latitude"?', 'Did you mean "longitude"?']],
    ['{ locations(points: [{ lat: 1, longitude: 2, latitude: 1 }]) { id } }', ['Did you mean "latitude"? Found: {']],
    [
      '{ location(latitude: 1, longitude: 2) { ballot(electionDate: "2022-11-08") { races { id } } } }',
      ['"districts { races { name } }"'],
    ],
    [
      '{ location(latitude: 1, longitude: 2) { ballot(date: "2022-11-08", electionDate: "2022-11-08") { id } } }',
      ['Did you mean "electionDate"?'],
    ],
    ['{ location(latitude: 1, longitude: 2) { representatives { id } } }', ['"districts { officeholders { name } }"']],
    ['{ location(zip: "04330") { id } }', ['Did you mean "zip(code: ']],
    ['{ location(latitude: 1, longitude: 2, date: "2022-11-08") { id } }', ['districts(on: "2022-11-08")']],
    ['{ location(latitude: 1, longitude: 2) { elections(next: true) { id } } }', ['nextElections {']],
    ['{ geocode(text: "Augusta") { lat } }', ['matches { point { latitude longitude } }']],
    ['{ zip(code: "04330", zip: "04330") { code } }', ['Did you mean "code"?']],
    ['{ contests { id } }', ['Did you mean "races" or "ballotMeasures"?']],
    ['{ representatives { id } }', ['Did you mean "officeholders"?']],
    ['{ nextElection { id } }', ['nextElections { elections { name date } }']],
    ['{ races(limit: 5) { totalCount } }', ['Did you mean "first"?']],
    ['{ races { name } }', ['Did you mean "nodes { name }"?']],
    ['{ races { items { name } } }', ['Did you mean "nodes"?']],
    ['{ races(state: "ME") { totalCount } }', ['Did you mean "filter: { state: … }"?']],
    ['{ officeholders(level: FEDERAL) { totalCount } }', ['Did you mean "filter: { levels: … }"?']],
    ['{ elections(year: 2022) { totalCount } }', ['Did you mean "filter: { year: … }"?']],
    ['{ races(filter: { date: "2022-11-08" }) { totalCount } }', ['Did you mean "from" or "to"? Found: {']],
    ['{ races(filter: { zzzz: 1 }) { totalCount } }', ['not to include unknown field "zzzz", found: {']],
    ['{ races { nodes { date } } }', ['Did you mean "election { date }"?']],
    ['{ candidates { nodes { winner party { id } } } }', ['Did you mean "isWinner"?', 'Did you mean "parties"?']],
    ['{ district(database_id: 1) { id } }', ['Did you mean "databaseId"?']],
    ['{ race(id: "x") { nmae } }', ['Did you mean "name"']],
  ])('has a suggestion by its meaning: %s', async (source, expected) => {
    const messages = await messagesOf(source);
    expect(messages).toHaveLength(expected.length);
    for (const [index, part] of expected.entries()) expect(messages[index]).toContain(part);
  });

  it('has no suggestion where clients may not read the schema', async () => {
    for (const source of [
      '{ location(lat: 1) { id } }',
      '{ contests { id } }',
      '{ races(filter: { date: 1 }) { totalCount } }',
    ]) {
      expect(String(await messagesOf(source, false))).not.toContain('Did you mean');
    }
  });

  it('has the suggestion in the value of a variable too', () => {
    const message = 'Variable "$f" has invalid value: Expected value of type "RaceFilter" not to include unknown field';
    expect(withMeaning(`${message} "date", found: { date: 1 }.`, schema)).toBe(
      `${message} "date". Did you mean "from" or "to"? Found: { date: 1 }.`,
    );
  });
});

describe('the table of similar names', () => {
  const places = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type)) return [Object.keys(type.getFields())];
    const fields = Object.values(fieldsOf(type.name));
    return [fields.map(({ name }) => name), ...fields.map(({ args }) => args.map(({ name }) => name))];
  });
  places.push(...endpoints.map(({ parameters }) => Object.keys(parameters.shape)));

  it.each(similarNames.filter(({ on }) => !on))(
    'suggests $use for $written, each of which exists',
    ({ written, use }) => {
      for (const name of use.split(' ')) {
        const [first = ''] = written.filter((each) => plainName(each) !== plainName(name));
        expect(
          places.some((names) => names.includes(name) && namesMeant(first, [name]).length === 1),
          name,
        ).toBe(true);
      }
    },
  );

  it.each(similarNames.filter(({ on }) => on))(
    'suggests a valid selection for $written of $on',
    ({ written, on = '', use }) => {
      const [type = '', field] = on.split('.');
      const known =
        field === undefined ? Object.keys(fieldsOf(type)) : fieldsOf(type)[field]?.args.map(({ name }) => name);
      expect(known?.length).toBeGreaterThan(0);
      expect(known?.map(plainName)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(new RegExp(`^(${written.map(plainName).join('|')})$`))]),
      );
      const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);
      expect(validate(schema, parse(`{ __typename } fragment F on ${type} { ${use} }`), rules)).toEqual([]);
    },
  );

  it('has each name once for each place', () => {
    const names = similarNames.flatMap(({ written, on }) => written.map((name) => `${on} ${plainName(name)}`));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
