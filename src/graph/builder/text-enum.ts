import { leaf } from './leaf.ts';
import { type StoredTexts, storedEnum } from './stored-enum.ts';

/**
 * Defines an enum for the common values of a text whose set is open, so that clients can switch on them.
 * @returns the function that creates the options of a field for the text in a column; its value is null for any text
 * that is not listed.
 */
export function textEnum(name: string, description: string, values: StoredTexts) {
  const type = storedEnum(name, description, values);
  const texts = new Set(Object.values(values).map(([text]) => text));

  return <Column extends string>(column: Column, source: string) => ({
    type,
    nullable: true as const,
    description: `${source} as an enum. Null if it is not known or not among the values of the enum.`,
    resolve: (parent: { readonly [Each in Column]?: string | null }) => {
      const text = parent[column];
      return text != null && texts.has(text) ? text : null;
    },
    ...leaf<{ readonly [Each in Column]?: string | null }>((columnOf) => columnOf(column)),
  });
}
