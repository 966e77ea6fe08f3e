import { builder } from './builder.ts';

/** The values of an enum by name: the text in the database, and a description. */
export type StoredTexts<Name extends string = string, Text extends string = string> = Readonly<
  Record<Name, readonly [text: Text, description: string]>
>;

/** Defines an enum whose values are texts in the database. */
export function storedEnum<Text extends string>(name: string, description: string, values: StoredTexts<string, Text>) {
  const options = Object.entries(values).map(([each, [value, meaning]]) => [each, { value, description: meaning }]);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(options) as Record<string, { value: Text; description: string }>,
  });
}
