import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { openQueryLibrary } from '../../src/gateway/exports/query-library.ts';
import { schemaText } from '../../src/gateway/graphql/schema-text.ts';
import { schema } from '../../src/graph/schema.ts';
import { ALL_GRANTS } from '../support/graph.ts';

/** A point itself needs no grant, as it repeats the caller's input; everything found by it does. */
const OPEN = ['Query.area', 'Query.geocode', 'Query.location', 'Query.locations', 'Query.zip'];

const query = schema.getQueryType() as GraphQLObjectType;
const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields());
const grantsOf = ({ extensions }: GraphQLField<unknown, unknown>) => (extensions.grants ?? []) as readonly string[];

/** The grants that a description names. */
function describedGrants({ description }: GraphQLField<unknown, unknown>): string[] {
  const sentence =
    /Requires (?:the grant|one of the grants) ([^.;]*); null without it\.(?: (?:Some|With `\w+`, some) require (?:the grant|one of the grants) [^.;]*: omitted without it\.)*$/.exec(
      description ?? '',
    )?.[1] ?? '';
  return [...sentence.matchAll(/`(\w+)`/g)].map(([, grant]) => grant ?? '');
}

it('every field of the query type requires a grant, or contains only fields that require one', () => {
  const open = fieldsOf(query).filter((field) => grantsOf(field).length === 0);
  expect(open.map(({ name }) => `Query.${name}`).sort()).toEqual(OPEN);
  // Addresses are no elections data; places among them require a grant where they are found.
  for (const { type } of open.filter(({ name }) => name !== 'geocode')) {
    const found = getNamedType(type);
    if (!isObjectType(found)) throw new Error(`${found.name} is no object`);
    const unguarded = fieldsOf(found).filter(
      (field) => !isLeafType(getNamedType(field.type)) && !grantsOf(field).length,
    );
    expect(unguarded.map(({ name }) => `${found.name}.${name}`)).toEqual([]);
  }
});

it('every field that requires a grant is nullable, and its description names the grants', () => {
  let count = 0;
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    if (type.name.startsWith('__')) continue;
    for (const field of fieldsOf(type)) {
      const grants = grantsOf(field);
      if (grants.length === 0) continue;
      count++;
      expect(describedGrants(field), `${type.name}.${field.name}`).toEqual(grants);
      expect(field.description, `${type.name}.${field.name}`).not.toMatch(/Needs the grant/);
      expect(field.extensions.directives, `${type.name}.${field.name}`).toMatchObject({
        requiresGrant: expect.arrayContaining([{ grant: grants.length === 1 ? grants[0] : grants }]),
      });
      expect(String(field.type), `${type.name}.${field.name}`).not.toMatch(/!$/);
      expect(ALL_GRANTS).toEqual(expect.arrayContaining([...grants]));
    }
  }
  expect(count).toBeGreaterThan(20);
});

it('schema.graphql has the directive of each field', () => {
  const fields = Object.values(schema.getTypeMap()).filter(isObjectType).flatMap(fieldsOf);
  const required = fields.flatMap(({ extensions }) => (extensions.requirements ?? []) as object[]);
  expect([...schemaText().matchAll(/ @requiresGrant\(grant: /g)]).toHaveLength(required.length);
  expect(schemaText()).toContain('totalVotes: Float @requiresGrant(grant: "results")');
  expect(schemaText()).toContain(
    '[Election!] @requiresGrant(grant: "elections") @requiresGrant(grant: "election_districts", partly: true)',
  );
});

it('every stored query of the bulk download requires a grant in addition to `bulk`', async () => {
  const library = openQueryLibrary('db/queries', { warn: () => undefined });
  const caller = (grants: readonly string[]) => ({ packageName: 'test', keyId: 1, grants: new Set(grants) }) as never;
  expect(await library.list(caller(['bulk']))).toEqual([]);
  const all = await library.list(caller(ALL_GRANTS));
  expect(all.length).toBeGreaterThan(5);
});
