import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { TableName } from '../import/format.ts';
import { stageName } from '../import/staging.ts';

/** What checks look at: all rows of the database, or the rows of an import, within its transaction. */
export type Scope = 'database' | 'import';

/** The column of a staging table that holds the id of the record, where it is not `id`. */
const KEYS: Partial<Record<TableName, string>> = {
  boundaries: 'district_id',
  ranked_choice_rounds: 'candidate_id',
  contacts: 'officeholder_id',
};

/**
 * Returns the condition that a record is in the scope: for an import, that the source has it, whether the import changed it or
 * not. The staging tables have the rows of an import until its transaction ends.
 * @param id the id of the record; of a boundary that of its district, of a round that of its candidate.
 */
export function inScope(scope: Scope, table: TableName, id: Expression<unknown> | string): RawBuilder<SqlBool> {
  if (scope === 'database') return sql<SqlBool>`true`;
  const key = sql.ref(`staged.${KEYS[table] ?? 'id'}`);
  return sql<SqlBool>`exists (
    select from ${sql.table(stageName(table))} as staged
    where ${key} = ${typeof id === 'string' ? sql.ref(id) : id} and staged.line > 0)`;
}

/**
 * Returns the rows of a table that are in the scope, to select from. Of an import they are found first, whatever else the statement
 * asks of them: what is compared by regular expressions should not be all rows of the database.
 */
export function rowsIn(scope: Scope, table: TableName): RawBuilder<unknown> {
  if (scope === 'database') return sql`${sql.table(table)}`;
  return sql`(select * from ${sql.table(table)} as own where ${inScope(scope, table, 'own.id')} offset 0)`;
}
