import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Day } from '../dates.ts';
import type { DistrictType } from './tables.ts';

/** The SQL types of keys and parameters, with the types of their values. */
export interface SqlTypes {
  int: number;
  text: string;
  date: Day;
  float8: number;
  'text[]': readonly string[];
  'district_type[]': readonly DistrictType[];
}
export type SqlType = keyof SqlTypes;

/** The place of a value in a compiled query, which is compiled once and executed with many values. */
export class Parameter<Run> {
  readonly find: (run: Run) => unknown;

  constructor(find: (run: Run) => unknown) {
    this.find = find;
  }
}

/** Returns the expression of a parameter whose value each execution has. */
export function parameter<Type extends SqlType, Run>(
  type: Type,
  find: (run: Run) => SqlTypes[Type] | null,
): RawBuilder<SqlTypes[Type]> {
  return sql<SqlTypes[Type]>`${new Parameter(find)}::${sql.raw(type)}`;
}

/** Returns the values of a compiled query for an execution. */
export function valuesOf<Run>({ parameters }: CompiledQuery, run: Run): unknown[] {
  return parameters.map((each) => (each instanceof Parameter ? each.find(run) : each));
}
