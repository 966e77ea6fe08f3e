import type { Expression } from 'kysely';
import type { Day } from '../../base/dates.ts';
import type { SqlType, SqlTypes } from '../../store/sql/functions.ts';
import { parameter } from '../../store/sql/parameter.ts';
import type { AccessGrant } from '../../store/sql/tables.ts';
import type { Context } from './context.ts';

/** Whether the caller has a grant. Callers with different grants have different statements. */
export interface Grants {
  isGranted(grant: AccessGrant): boolean;
}

/** What the rows of a relation may depend on besides the parent. */
export interface Scope<Args = unknown> extends Grants {
  /** Carries the type of the arguments, for type inference only. */
  readonly argsType?: Args;
  /** Returns a value of the arguments or of the context as a parameter, which may be null; `find` returns its value. */
  param<Type extends SqlType>(
    type: Type,
    find: (args: Args, context: Context) => SqlTypes[Type] | null,
  ): Expression<SqlTypes[Type]>;
  /** The day that counts as today throughout the request. */
  readonly today: Expression<Day>;
}

/**
 * Creates the scope of a relation in a statement.
 * @param argsOf returns the arguments of the field and the context of an execution of the statement.
 */
export function scopeOf<Run>(
  { isGranted }: Grants,
  argsOf: (run: Run) => readonly [args: unknown, context: Context],
): Scope<never> {
  const param: Scope<never>['param'] = (type, find) =>
    parameter(type, (run: Run) => {
      const [args, context] = argsOf(run);
      return find(args as never, context);
    });
  let today: Expression<Day> | undefined;
  return {
    isGranted,
    param,
    get today() {
      today ??= param('date', (_, context) => context.today);
      return today;
    },
  };
}
