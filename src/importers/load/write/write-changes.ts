import type { RawBuilder } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { DatasetTable, TableName } from '../../exchange/format.ts';
import type { Provenance } from '../../exchange/import-rows.ts';
import type { Scope } from '../settle/checks.ts';

export interface WriteSettings extends Scope {
  /** The columns to write: those in the file. */
  readonly columns: ReadonlyMap<TableName, readonly string[]>;
  /** The data set; only contacts and points that it supplied are replaced. */
  readonly provenance: Provenance;
  readonly staged: (table: TableName) => number;
  /** Is told which records of other data sets the rows replace. */
  readonly onReplaced?: ((warning: string) => void) | undefined;
  readonly onProgress: (table: DatasetTable, done: number, total: number) => void;
}

/** Executes a statement that writes; returns the number of affected rows. */
export async function affected(db: Database, statement: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await statement.execute(db);
  return Number(numAffectedRows ?? 0n);
}
