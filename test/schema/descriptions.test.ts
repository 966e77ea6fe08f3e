import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isSpecifiedScalarType } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/schema.ts';

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
