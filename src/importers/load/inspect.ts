import type { Database } from '../../store/sql/database.ts';
import type { TableName } from '../exchange/format.ts';
import type { Report } from '../exchange/report.ts';

/** What an import or a load has written, while its transaction can still be rolled back. */
export interface Imported {
  /** The transaction. Its staging tables have the rows of the source, with the records that they come from. */
  readonly db: Database;
  /** The tables of which the source has rows. */
  readonly tables: ReadonlySet<TableName | 'address_points'>;
  /** The contests that are not placed have a greater id if they are of this import; undefined for a source of other data. */
  readonly lastUnplaced?: number;
  /** The records that were left out, or not stored completely, and where the records are; a load has none. */
  readonly report: Report | undefined;
}

/** Looks at what an import has written, before its transaction ends. An error undoes the import. */
export type Inspect = (imported: Imported) => Promise<void>;
