import { readFileSync } from 'node:fs';
import { getNamedType, getNullableType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';

const recipes = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
const recipeOf = (client: string) => recipes.split(`\n## ${client}\n`)[1]?.split('\n## ')[0] ?? '';

const PAGING = new Set(['first', 'after', 'last', 'before', 'page']);
const queryFields = Object.values(schema.getQueryType()?.getFields() ?? {});
const connections = queryFields.filter(({ type }) => getNamedType(type).name.endsWith('Connection'));
const objectTypes = Object.values(schema.getTypeMap()).filter(isObjectType);

describe('the recipe for Apollo Client', () => {
  it('names all arguments of each connection except those of paging', () => {
    const listOf = (text: string) => [...text.matchAll(/'(\w+)'/g)].map(([, name]) => name);
    const filtered = listOf(/const filtered = (.*);/.exec(recipeOf('Apollo Client'))?.[1] ?? '');
    const policies = [...recipeOf('Apollo Client').matchAll(/(\w+): (filtered|relayStylePagination\(\[([^\]]*)\]\))/g)];
    const listed = policies.map(([, name, policy, names]) => [
      name,
      policy === 'filtered' ? filtered : listOf(names ?? ''),
    ]);
    const expected = connections.map(({ name, args }) => [
      name,
      args.map((argument) => argument.name).filter((argument) => !PAGING.has(argument)),
    ]);
    const sorted = (entries: typeof listed) => entries.map(([name, names]) => [name, [...(names ?? [])].sort()]).sort();
    expect(sorted(listed)).toEqual(sorted(expected as typeof listed));
  });
});

describe('the recipe for urql', () => {
  it('pages all connections', () => {
    const paged = [...recipeOf('urql').matchAll(/(\w+): relayPagination\(\)/g)].map(([, name]) => name);
    expect(paged.sort()).toEqual(connections.map(({ name }) => name).sort());
  });

  it('embeds all types without an id', () => {
    const embedded = [...recipeOf('urql').matchAll(/(\w+): embedded/g)].map(([, name]) => name);
    const isPart = (name: string) => /^__|Connection$|Edge$|^PageInfo$|^Query$/.test(name);
    const withoutId = objectTypes.filter((type) => !isPart(type.name) && !getNullableType(type.getFields().id?.type));
    expect(embedded.sort()).toEqual(withoutId.map(({ name }) => name).sort());
  });
});
