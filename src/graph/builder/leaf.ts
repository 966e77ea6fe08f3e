import { type GraphQLLeafType, isEnumType } from 'graphql';
import type { Expression } from 'kysely';
import { asJson, asText, type ColumnOf, caseOf } from '../../store/sql/functions.ts';
import type { Scope } from './scope.ts';

/** The value of a leaf that is computed from the row of its object. */
export type LeafValue<Row = never> = (column: ColumnOf<Row>, scope: Scope) => Expression<unknown>;

/** How the query planner computes a leaf. */
export interface PlannedLeaf {
  readonly value: LeafValue;
  /** The column, if the leaf is computed from one column of the row only. */
  readonly column?: string | undefined;
}

/**
 * Returns the options of a leaf that is not simply a column of its type's rows, for the query planner.
 * @param value returns its expression; the values must be those of the resolver.
 * @param column the column, if it is computed from one column of the row only.
 */
export function leaf<Row>(value: LeafValue<Row>, column?: keyof Row & string) {
  return { extensions: { leaf: { value: value as LeafValue, column } satisfies PlannedLeaf } };
}

/** The scalars whose values are texts in PostgreSQL, or dates, as they are in responses. */
const TEXTS: ReadonlySet<string> = new Set(['String', 'ID', 'Date', 'DateTime']);

/**
 * The options of a field with a number of votes: a whole number, as Float because Int of GraphQL ends at 2,147,483,647
 * and a scalar of our own would be an unknown type to code generators. Or a `numeric` without trailing zeros, which has
 * the same text in PostgreSQL and JSON.
 */
export const wholeFloat = { type: 'Float', extensions: { isWhole: true } } as const;

/**
 * Returns the function that serialises a non-null leaf in PostgreSQL as `JSON.stringify` does.
 * @param isWhole whether all values of a Float are whole numbers or exact decimals (`wholeFloat`).
 * @returns undefined for types that PostgreSQL cannot serialise in the same way.
 */
export function jsonOf(
  type: GraphQLLeafType,
  isWhole = false,
): ((value: Expression<unknown>) => Expression<string>) | undefined {
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name, value }) => [String(value), JSON.stringify(name)] as const);
    return (value) => caseOf(value, names);
  }
  if (type.name === 'Int' || type.name === 'Boolean' || (type.name === 'Float' && isWhole)) return asText;
  return TEXTS.has(type.name) ? asJson : undefined;
}
