import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/graph/schema.ts';

interface Described {
  readonly name: string;
  readonly description?: string | null | undefined;
}

/** Every element of the schema with its coordinate. */
function* elements(): Generator<[coordinate: string, element: Described]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    yield [type.name, type];
    if (isEnumType(type)) for (const value of type.getValues()) yield [`${type.name}.${value.name}`, value];
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) yield [`${type.name}.${field.name}`, field];
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      yield [`${type.name}.${field.name}`, field];
      for (const argument of field.args) yield [`${type.name}.${field.name}(${argument.name}:)`, argument];
    }
  }
}

it('every element of the schema has a description that says more than its name', () => {
  const all = [...elements()];
  expect(all.length).toBeGreaterThan(100);
  const poor = all.filter(([, { name, description }]) => {
    const words = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
    const reported = words(description ?? '');
    return reported.length <= words(name).length || reported === `the${words(name)}`;
  });
  expect(poor.map(([coordinate]) => coordinate)).toEqual([]);
});

it('every custom scalar names its specification and its type in TypeScript', () => {
  const scalars = Object.values(schema.getTypeMap()).filter(isScalarType);
  const own = scalars.filter((type) => !isSpecifiedScalarType(type));
  expect(own.length).toBeGreaterThan(3);
  for (const { name, specifiedByURL, extensions } of own) {
    expect(specifiedByURL, name).toMatch(/^https:\/\/\S+$/);
    expect(extensions.codegenScalarType, name).toMatch(/^(string|number|object)$/);
  }
});

it('the description of every field that may be null says when it is null', () => {
  const silent: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || (!isObjectType(type) && !isInterfaceType(type))) continue;
    for (const { name, type: fieldType, description } of Object.values(type.getFields())) {
      if (isNonNullType(fieldType)) continue;
      if (!/\bnull\b/i.test(description ?? '')) silent.push(`${type.name}.${name}`);
    }
  }
  expect(silent).toEqual([]);
});
