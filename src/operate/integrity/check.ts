import { type AliasableExpression, type Expression, type RawBuilder, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import type { TableName } from '../../importers/exchange/format.ts';
import type { Database } from '../../store/sql/database.ts';
import { concat, inByteOrder, typed } from '../../store/sql/functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { RecordKind } from '../../store/sql/tables.ts';
import type { Scope } from './check-scope.ts';

/**
 * How bad a violation is: with a fault, what is stored is false, or the source contradicts itself so that a part of it is not stored;
 * a warning is for a person to read.
 */
export type Severity = 'fault' | 'warning';

/** A rule that the data has to follow. Its query returns the records that violate it, one row for each violation. */
export interface Check {
  readonly name: string;
  /** What the query finds, as a heading: `races with more winners than seats`. */
  readonly finds: string;
  /** `fault` if omitted. */
  readonly severity?: Severity;
  /**
   * The tables whose rows the query compares with the rest of the data. After an import that has rows of one of them the check runs over these
   * rows; without it, it runs over whole databases only.
   */
  readonly over?: readonly (TableName | 'address_points')[];
  /** True if it takes long: it runs in an audit and over whole databases, but not after an import. */
  readonly isSlow?: boolean;
  query(today: Day, scope: Scope): AliasableExpression<Violation>;
}

/** A rule that SQL cannot express, or not for all records at once. */
export interface ComputedCheck extends Omit<Check, 'query'> {
  find(db: Database, today: Day, scope: Scope): Promise<readonly Violation[]>;
}

/** A record that violates a rule, and how. */
export interface Violation {
  readonly record: string;
  readonly problem: string;
}

export interface CheckResult {
  readonly name: string;
  readonly finds: string;
  readonly severity: Severity;
  readonly count: number;
  /** The first violations, at most `MAX_SHOWN`. */
  readonly violations: readonly Violation[];
}

const MAX_SHOWN = 20;

export interface RunOptions {
  readonly today: Day;
  /** The whole database if omitted. */
  readonly scope?: Scope;
  /** The most violations to return; `MAX_SHOWN` if omitted. */
  readonly most?: number;
}

/** Runs a check; all violations are counted, the first ones returned, sorted by record. */
export async function runCheck(
  db: Database,
  check: Check | ComputedCheck,
  { today, scope = 'database', most = MAX_SHOWN }: RunOptions,
): Promise<CheckResult> {
  const { name, finds, severity = 'fault' } = check;
  if ('find' in check) {
    const found = await check.find(db, today, scope);
    return { name, finds, severity, count: found.length, violations: found.slice(0, most) };
  }
  const rows = await rowsOf(
    db,
    `integrity.${name}`,
    query
      .selectFrom(check.query(today, scope).as('found'))
      .select(({ fn }) => ['found.record', 'found.problem', typed('int', fn.countAll().over()).as('total')])
      .orderBy(({ ref }) => inByteOrder(ref('found.record')))
      .orderBy(({ ref }) => inByteOrder(ref('found.problem')))
      .limit(sql.lit(most)),
  );
  const violations = rows.map(({ record, problem }) => ({ record, problem }));
  return { name, finds, severity, count: rows[0]?.total ?? 0, violations };
}

/** Returns the columns of a violation: the record, and what is wrong with it. */
export function violation(
  kind: RecordKind | 'measure' | 'address' | 'newer map',
  id: Expression<number | null>,
  problem: AliasableExpression<string>,
) {
  return [text`${sql.lit(kind)} ${id}`.as('record'), problem.as('problem')] as const;
}

/** Returns the text of a template with expressions; null is empty. */
export function text(parts: TemplateStringsArray, ...values: readonly Expression<unknown>[]): RawBuilder<string> {
  return concat(parts.flatMap((part, index) => [sql.lit(part), values[index] ?? sql.lit('')]));
}
