import {
  type GraphQLArgument,
  type GraphQLInputType,
  GraphQLString,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { ServiceError } from '../../../base/errors.ts';
import { type Variables, valuesOf } from './selections.ts';

/** Maximum number of characters of a text whose argument does not set `extensions.maxLength`. */
const MOST_CHARACTERS = 100;

/** An argument that takes text, directly or within an input object, with its value in a document. */
export interface TextArgument {
  readonly argument: GraphQLArgument;
  readonly value: ValueNode;
}

/**
 * Checks the texts of an operation, literals and variables, before it is executed. Values that are not text are left to
 * GraphQL's coercion.
 * @throws ServiceError INVALID_PARAMETER for the first argument whose text the database cannot store, or not search
 * within reasonable time.
 */
export function checkTexts(
  texts: readonly TextArgument[],
  operation: OperationDefinitionNode | null | undefined,
  variables: Variables | null | undefined,
): void {
  if (!operation || texts.length === 0) return;
  const values = valuesOf(operation, variables);
  for (const { argument, value } of texts) {
    checkValue(argument.name, argument.type, valueFromASTUntyped(value, values), lengthLimitOf(argument));
  }
}

/** Returns the maximum number of characters of an argument or input field. */
export function lengthLimitOf({ extensions }: Pick<GraphQLArgument, 'extensions'>): number {
  return typeof extensions.maxLength === 'number' ? extensions.maxLength : MOST_CHARACTERS;
}

/** Returns whether a type is text, or an input object or a list with text. */
export function takesText(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (named === GraphQLString) return true;
  return isInputObjectType(named) && Object.values(named.getFields()).some((field) => takesText(field.type));
}

function checkValue(name: string, type: GraphQLInputType, value: unknown, limit: number): void {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const item of items) checkValue(name, nullable.ofType, item, limit);
  } else if (isInputObjectType(nullable)) {
    if (typeof value !== 'object' || value === null) return;
    for (const field of Object.values(nullable.getFields())) {
      checkValue(`${name}.${field.name}`, field.type, (value as Variables)[field.name], lengthLimitOf(field));
    }
  } else if (nullable === GraphQLString && typeof value === 'string') checkText(name, value, limit);
}

/**
 * Checks a text that a caller sends.
 * @throws ServiceError INVALID_PARAMETER if it is too long, or no Unicode that PostgreSQL can store.
 */
export function checkText(name: string, text: string, limit: number): void {
  const reason =
    text.length > limit
      ? `must have at most ${limit} characters, not ${text.length}`
      : text.includes('\0')
        ? 'must not contain the character NUL (U+0000)'
        : text.isWellFormed()
          ? undefined
          : 'must be Unicode: it contains one half of a surrogate pair without the other';
  if (reason !== undefined) throw new ServiceError('INVALID_PARAMETER', `${name} ${reason}.`, [{ name, reason }]);
}
