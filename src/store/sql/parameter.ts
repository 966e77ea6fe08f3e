import type { CompiledQuery, RawBuilder } from 'kysely';
import { type SqlType, type SqlTypes, typed } from './functions.ts';

/**
 * The place of a value in a query that is compiled once and executed with many values. A parameter that occurs several
 * times in a query has one placeholder (see `query-builder.ts`).
 */
export class Parameter<Run> {
  readonly find: (run: Run) => unknown;

  constructor(find: (run: Run) => unknown) {
    this.find = find;
  }
}

/** Returns the expression of a parameter. `find` returns its value for an execution, which may be null. */
export function parameter<Type extends SqlType, Run>(
  type: Type,
  find: (run: Run) => SqlTypes[Type] | null,
): RawBuilder<SqlTypes[Type]> {
  return typed(type, new Parameter(find));
}

/** `parameter` for executions of one kind. */
export type ParameterOf<Run> = <Type extends SqlType>(
  type: Type,
  find: (run: Run) => SqlTypes[Type] | null,
) => RawBuilder<SqlTypes[Type]>;

/** Returns the values of the parameters of a compiled query for an execution. */
export function valuesOf<Run>({ parameters }: Pick<CompiledQuery, 'parameters'>, run: Run): unknown[] {
  return parameters.map((each) => (each instanceof Parameter ? each.find(run) : each));
}
