import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';

type Variables = Readonly<Record<string, unknown>>;

/** The arguments `from` and `to` of one field. */
export interface RangeArguments {
  readonly from: ValueNode;
  readonly to: ValueNode;
}

/** Returns the arguments of all fields of a document that have both ends of a range of days. */
export function rangeArgumentsOf(document: DocumentNode): readonly RangeArguments[] {
  const ranges: RangeArguments[] = [];
  visit(document, {
    [Kind.FIELD]: (field: FieldNode) => {
      const argumentOf = (name: string) => field.arguments?.find((argument) => argument.name.value === name)?.value;
      const [from, to] = [argumentOf('from'), argumentOf('to')];
      if (from && to) ranges.push({ from, to });
    },
  });
  return ranges;
}

/**
 * Returns whether one of the ranges has no day. Values that are not texts are left to GraphQL's coercion.
 * @param variables the values of the operation's variables as the request has them.
 */
export function hasEmptyRange(
  ranges: readonly RangeArguments[],
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables | null | undefined,
): boolean {
  if (ranges.length === 0) return false;
  const values: Record<string, unknown> = {};
  for (const { variable, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    values[name] =
      variables?.[name] === undefined && defaultValue ? valueFromASTUntyped(defaultValue) : variables?.[name];
  }
  return ranges.some((range) => {
    const [from, to] = [valueFromASTUntyped(range.from, values), valueFromASTUntyped(range.to, values)];
    return typeof from === 'string' && typeof to === 'string' && from > to;
  });
}
