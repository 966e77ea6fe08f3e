import { builder } from './builder.ts';

/** Defines an enum from the descriptions of its values. */
export function describedEnum<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
) {
  const described = Object.entries<string>(values).map(([value, meaning]) => [value, { description: meaning }]);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(described) as Record<Value, { description: string }>,
  });
}
