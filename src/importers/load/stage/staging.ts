import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Value } from '../../exchange/cells.ts';
import { type DatasetTable, TABLES, type TableName } from '../../exchange/format.ts';
import { insertRows, type StageColumn } from './insert-rows.ts';

/** A row whose cells passed their checks, with its origin. */
export interface StagedRow {
  /** The line of the file; for an import, the number of the record. */
  readonly line: number;
  /** The record of the source as a report names it, for an import; null for a file of a dataset. */
  readonly origin: string | null;
  /** The values in the order of the columns of the staging table. */
  readonly values: readonly Value[];
}

/** Columns of a boundaries staging table in addition to those of the file; see `boundary-rows.ts`. */
const BOUNDARY_EXTRAS: readonly StageColumn[] = [
  { name: 'digest', sqlType: 'text' },
  { name: 'wraps', sqlType: 'boolean' },
  { name: 'batch', sqlType: 'integer' },
  { name: 'geometry', sqlType: 'geometry(MultiPolygon, 4326)' },
];

const LOCATION: readonly StageColumn[] = [
  { name: 'line', sqlType: 'integer' },
  { name: 'origin', sqlType: 'text' },
];

const MOST_ROWS = 4_000;
const MOST_CHARACTERS = 8 * 1024 * 1024;

export function stageName(table: TableName): string {
  return `stage_${table}`;
}

function stageColumns(table: DatasetTable): readonly StageColumn[] {
  return [...LOCATION, ...table.columns, ...(table.name === 'boundaries' ? BOUNDARY_EXTRAS : [])];
}

/**
 * Temporary tables, one per table of the exchange format, that hold the rows of a load until all of them have been
 * checked. They are dropped with the transaction.
 */
export class Staging {
  readonly #db: Database;
  readonly #buffers = new Map<TableName, Buffer>();
  readonly #rows = new Map<TableName, number>();
  #inFlight: Promise<void> = Promise.resolve();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Creates the tables. Call it once, before any row is added. */
  async create(): Promise<void> {
    for (const table of TABLES) {
      const columns = stageColumns(table).map((column) => sql`${sql.ref(column.name)} ${sql.raw(column.sqlType)}`);
      await sql`/* import.stage */ create temp table ${sql.table(stageName(table.name))} (${sql.join(columns)}) on commit drop`.execute(
        this.#db,
      );
    }
    await sql`/* import.stage */ create temp table stage_rejected (kind text, id integer) on commit drop`.execute(
      this.#db,
    );
  }

  /** Returns how many rows of a table have been added. */
  rows(table: TableName): number {
    return this.#rows.get(table) ?? 0;
  }

  async add(table: DatasetTable, row: StagedRow): Promise<void> {
    const buffer = this.#bufferOf(table.name);
    let size = 0;
    for (const value of row.values) size += typeof value === 'string' ? value.length : 8;
    buffer.rows.push([row.line, row.origin, ...row.values]);
    buffer.size += size;
    this.#rows.set(table.name, this.rows(table.name) + 1);
    if (buffer.rows.length >= MOST_ROWS || buffer.size >= MOST_CHARACTERS) await this.#write(table.name, buffer);
  }

  /**
   * Records the id of a row that is invalid in another column, so that the rows that refer to it are not reported as
   * well.
   */
  async reject(table: DatasetTable, id: Value): Promise<void> {
    await sql`/* import.reject-row */ insert into stage_rejected values (${table.name}, ${id})`.execute(this.#db);
  }

  /** Writes the buffered rows, and refreshes the planner statistics of the tables. */
  async complete(): Promise<void> {
    for (const [name, buffer] of this.#buffers) await this.#write(name, buffer);
    await this.#inFlight;
    for (const name of this.#buffers.keys()) {
      await sql`/* import.stage */ analyze ${sql.table(stageName(name))}`.execute(this.#db);
    }
  }

  #bufferOf(name: TableName): Buffer {
    const buffer = this.#buffers.get(name) ?? { rows: [], size: 0 };
    this.#buffers.set(name, buffer);
    return buffer;
  }

  /** Writes a batch. Reading continues while the database processes it; at most one batch waits. */
  async #write(name: TableName, buffer: Buffer): Promise<void> {
    const rows = buffer.rows;
    buffer.rows = [];
    buffer.size = 0;
    await this.#inFlight;
    if (rows.length === 0) return;
    this.#inFlight = insertRows(this.#db, stageName(name), columnsOf(name), rows);
    // The promise is awaited before the next batch; until then its rejection must not count as unhandled.
    this.#inFlight.catch(() => undefined);
  }
}

interface Buffer {
  rows: Value[][];
  size: number;
}

const columnsByTable = new Map(TABLES.map((table) => [table.name, stageColumns(table)]));

function columnsOf(name: TableName): readonly StageColumn[] {
  return columnsByTable.get(name) ?? [];
}
