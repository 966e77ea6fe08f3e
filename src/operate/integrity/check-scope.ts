import {
  type AliasableExpression,
  type Expression,
  expressionBuilder,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import type { TableName } from '../../importers/exchange/format.ts';
import { stageName } from '../../importers/load/stage/staging.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DB } from '../../store/sql/tables.ts';

/** What checks look at: all rows of the database, or the rows of an import, within its transaction. */
export type Scope = 'database' | 'import';

/** A row of a staging table: those of an import until its transaction ends. */
export type Staged<Table extends TableName> = Selectable<DB[Table]> & {
  /** The line of the file, for an import the number of the record; 0 for a row that the source does not have. */
  readonly line: number;
  /** The record of the source; null for a row of the exchange format, which has a line of its own. */
  readonly origin: string | null;
};

/** The rows of an import for a table, as a FROM item. */
export const staged = <Table extends TableName>(table: Table) => sql.table<Staged<Table>>(stageName(table));

/** The column of a staging table that holds the id of the record, where it is not `id`. */
const KEYS: { readonly [Table in TableName]?: keyof DB[Table] & string } = {
  boundaries: 'district_id',
  ranked_choice_rounds: 'candidate_id',
  contacts: 'officeholder_id',
};

const { exists } = expressionBuilder();

/**
 * Returns the condition that a record is in the scope: for an import, that the source has it, whether the import changed it or
 * not.
 * @param id the id of the record; of a boundary that of its district, of a round that of its candidate.
 */
export function inScope(scope: Scope, table: TableName, id: Expression<number | null>): Expression<SqlBool> {
  if (scope === 'database') return sql.lit(true);
  const key = sql.ref<number>(`staged.${KEYS[table] ?? 'id'}`);
  const rows = query.selectFrom(sql.table<{ line: number }>(stageName(table)).as('staged')).select('staged.line');
  return exists(rows.where('staged.line', '>', 0).where(({ eb }) => eb(key, '=', id)));
}

/** A table whose rows have an id. */
export type TableWithId = Exclude<TableName, 'ranked_choice_rounds'>;

/**
 * Returns the rows of a table that are in the scope, to select from. Of an import they are found first, whatever else the statement
 * asks of them: what is compared by regular expressions should not be all rows of the database.
 */
export function rowsIn<Table extends TableWithId>(
  scope: Scope,
  table: Table,
): AliasableExpression<Selectable<DB[Table]>> {
  const all = sql.table<Selectable<DB[Table]>>(table);
  if (scope === 'database') return all;
  const own = sql.table<{ id: number }>(table).as('own');
  const found = query
    .selectFrom(own)
    .selectAll('own')
    .where(({ ref }) => inScope(scope, table, ref('own.id')))
    .offset(sql.lit(0));
  return found.$castTo<Selectable<DB[Table]>>();
}
