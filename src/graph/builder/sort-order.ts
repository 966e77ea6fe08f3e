import { builder } from './builder.ts';
import type { SortColumn, SortOrder } from './keyset.ts';

/** The columns of a sort order, the last of them the id, and the end of the sentence "Sorted by". */
type Orders<Name extends string> = Readonly<Record<Name, readonly [by: string, columns: readonly SortColumn[]]>>;

/**
 * Defines the enum of the sort orders of a connection: each order as given, and descending.
 * @param fallback the order if the argument is omitted.
 * @returns the options of the argument `orderBy`, and the function that returns the order for its value.
 */
export function sortOrders<Name extends string>(name: string, nouns: string, orders: Orders<Name>, fallback: Name) {
  const values = Object.entries<Orders<Name>[Name]>(orders).flatMap(([value, [by, columns]]) => [
    { value, description: `By ${by}.`, order: { columns } },
    { value: `${value}_DESCENDING`, description: `By ${by}, all descending.`, order: { columns, isDescending: true } },
  ]);
  const byValue = new Map<string, SortOrder>(values.map(({ value, order }) => [value, order]));
  const type = builder.enumType(name, {
    description: `The order of a list of ${nouns}. It is complete: the id is the last key.`,
    values: Object.fromEntries(values.map(({ value, description }) => [value, { value, description }])),
  });
  return {
    orderByArg: { type, description: `The order of the ${nouns}; \`${fallback}\` by default.` },
    orderOf: (value: string | null | undefined) => byValue.get(value ?? fallback) as SortOrder,
  };
}
