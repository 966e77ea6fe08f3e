import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { isCalendarDate } from '../dates.ts';

type Variables = Readonly<Record<string, unknown>>;

/** The arguments `from` and `to` of a field. */
export interface RangeArguments {
  readonly field: FieldNode;
  readonly from: ValueNode;
  readonly to: ValueNode;
}

/** Returns the fields of a document that take both ends of a range of days as arguments. */
export function rangeArgumentsOf(document: DocumentNode): RangeArguments[] {
  const ranges: RangeArguments[] = [];
  visit(document, {
    [Kind.FIELD]: (field: FieldNode) => {
      const argumentOf = (name: string) => field.arguments?.find((argument) => argument.name.value === name)?.value;
      const [from, to] = [argumentOf('from'), argumentOf('to')];
      if (from && to) ranges.push({ field, from, to });
    },
  });
  return ranges;
}

/**
 * Checks the ranges of days of an operation before it is executed: the field may be below lists, where the query planner
 * reads it together with its parents and could not report the error at its path.
 * @param variables the values of the variables, with the defaults.
 * @returns an error for the first range whose first day is after the last one; undefined if there is none. Values that
 * are not days are left to GraphQL's coercion.
 */
export function checkRanges(ranges: readonly RangeArguments[], variables: Variables): GraphQLError | undefined {
  for (const range of ranges) {
    const [from, to] = [range.from, range.to].map((value) => valueFromASTUntyped(value, variables));
    if (!isDay(from) || !isDay(to) || from <= to) continue;
    return new GraphQLError(`${range.field.name.value}: from must not be after to: ${from} is after ${to}.`, {
      extensions: { code: 'INVALID_PARAMETER', parameters: [{ name: 'from', reason: `must not be after ${to}` }] },
    });
  }
  return undefined;
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && isCalendarDate(value);
}
