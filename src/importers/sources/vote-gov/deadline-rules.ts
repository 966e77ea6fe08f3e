import { readTable } from '../../../base/words/read-table.ts';

/** A rule of a deadline, as columns of the exchange format. */
export interface DeadlineRule {
  /** The kind that the text states; without one it is that of the column. */
  readonly kind?: string;
  readonly days_before: number;
  readonly day_kind: string;
}

const PATTERNS = Map.groupBy(
  readTable<'pattern' | 'kind' | 'days' | 'day_kind' | 'source'>('deadline-patterns', import.meta.url),
  ({ pattern }) => pattern,
);
const READERS = [...PATTERNS].map(([pattern, rows]) => ({
  pattern,
  rows,
  expression: new RegExp(`^${pattern.replace(/[.?*+()]/g, '\\$&').replace(/\{(\w)\}/g, '(?<$1>\\d{1,3})')}$`),
}));

/** Returns the rules that an English text states: one for each row of its pattern. Undefined for a text of no pattern. */
export function readRule(text: string): readonly DeadlineRule[] | undefined {
  for (const { expression, rows } of READERS) {
    const groups = expression.exec(text)?.groups;
    if (groups ?? expression.test(text))
      return rows.map(({ kind, days, day_kind }) => ({
        ...(kind && { kind }),
        days_before: Number(groups?.[days] ?? days),
        day_kind,
      }));
  }
  return undefined;
}
