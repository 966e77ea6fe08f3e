import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Value } from '../../exchange/cells.ts';

export interface StageColumn {
  readonly name: string;
  readonly sqlType: string;
}

/** Types whose arrays are sent to `unnest` unchanged; other types are sent as text. */
const SCALAR_ARRAYS = new Set(['bigint', 'integer', 'smallint', 'boolean', 'date']);

/** Inserts rows, each with its values in the order of the columns, in one statement with one array per column. */
export async function insertRows(
  db: Database,
  table: string,
  columns: readonly StageColumn[],
  rows: readonly (readonly Value[])[],
): Promise<void> {
  const arrays = columns.map((column, index) => {
    const values = rows.map((row) => row[index] ?? null);
    return sql`${values}::${sql.raw(SCALAR_ARRAYS.has(column.sqlType) ? column.sqlType : 'text')}[]`;
  });
  const names = columns.map((column) => sql.ref(column.name));
  const values = columns.map((column) => sql`r.${sql.ref(column.name)}::${sql.raw(column.sqlType)}`);
  await sql`/* import.insert-rows */
    insert into ${sql.table(table)} (${sql.join(names)})
    select ${sql.join(values)} from unnest(${sql.join(arrays)}) as r (${sql.join(names)})`.execute(db);
}
