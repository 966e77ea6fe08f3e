import type { ImportRow, ImportValue } from '../../exchange/import-rows.ts';
import { AMBIGUOUS } from './identities.ts';

/** A row with the ids of the records that it references. */
export interface ReferringRow {
  readonly row: ImportRow;
  readonly refs: Readonly<Record<string, number | null>>;
  /** The references of list columns, as the cell of a file has them. */
  readonly lists: Readonly<Record<string, string>>;
}

export function only(ids: readonly number[]): number | undefined {
  const different = new Set(ids);
  return different.size > 1 ? AMBIGUOUS : [...different][0];
}

export function same(stored: string | null, given: ImportValue): boolean {
  return (stored ?? '') === String(given ?? '');
}
