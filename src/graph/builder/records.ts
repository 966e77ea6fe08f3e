import { sql } from 'kysely';
import { query } from '../../store/sql/query-builder.ts';
import type { Context } from './context.ts';
import { createQueryLoader } from './query-loader.ts';
import type { PlannedRows, Rows, RowsOf } from './relation.ts';
import type { Scope } from './scope.ts';

interface RecordOptions<Query> {
  /** The name of the loader's statement in logs and metrics. */
  readonly name: string;
  /** Returns the query of all records, with the columns that the caller may see. */
  readonly rows: (scope: Scope) => Query;
}

/** The options of a Pothos field whose parent has the key `Member`. */
interface FieldOf<Member extends string, Key, Value> {
  readonly extensions: { readonly relation: PlannedRows };
  readonly resolve: (parent: { readonly [Each in Member]: Key }, args: unknown, context: Context) => Promise<Value>;
}

/** The records of a table, by their ids. */
export interface Records<Row> {
  /** The record by the id in its own row, for the query planner. */
  readonly relation: PlannedRows;
  /** Returns the record with an id; null if there is none, or if the id is null. */
  load(context: Context, id: number | null): Promise<Row | null>;
  /** Returns the options of a field for the record whose id is in a foreign key. */
  of<Member extends string>(member: Member): FieldOf<Member, number, Row>;
  /** Returns the same for a foreign key that may be null. */
  ofNullable<Member extends string>(member: Member): FieldOf<Member, number | null, Row | null>;
  /**
   * Returns the options of a list field for the records whose ids are in an array, in its order. Records that do not
   * exist are omitted.
   */
  listOf<Member extends string>(member: Member): FieldOf<Member, readonly number[], Row[]>;
}

/** The type of a record. */
export type RecordOf<Of> = Of extends Records<infer Row> ? Row : never;

/**
 * Defines the records of a table, which are found by id: one loader for every field that refers to them by a column of
 * its parent, and the same rows for the query planner.
 */
export function records<Query extends Rows>({ name, rows }: RecordOptions<Query>): Records<RowsOf<Query>> {
  type Row = RowsOf<Query>;
  const relation: PlannedRows = {
    key: { id: 'int' },
    isById: true,
    rows: ({ id }, scope) =>
      query
        .selectFrom(rows(scope as Scope).as('record') as never)
        .selectAll()
        .where(sql.ref('record.id'), '=', id as never),
  };
  const read = createQueryLoader<{ readonly id: number | null }, Row, unknown>({ name, ...relation });

  async function load(context: Context, id: number | null): Promise<Row | null> {
    const [row = null] = await read({ id }, {}, context);
    return row;
  }

  const extensionsOf = (column: string) => ({ relation: { ...relation, column } });

  return {
    load,
    relation,
    of: (member) => ({
      extensions: extensionsOf(member),
      // A foreign key refers to a row. If the row was deleted in the meantime, a field that may not be null is an error.
      resolve: (parent, _, context) => load(context, parent[member]) as Promise<Row>,
    }),
    ofNullable: (member) => ({
      extensions: extensionsOf(member),
      resolve: (parent, _, context) => load(context, parent[member]),
    }),
    listOf: (member) => ({
      extensions: extensionsOf(member),
      resolve: async (parent, _, context) => {
        const found = await Promise.all(parent[member].map((id) => load(context, id)));
        return found.filter((row) => row !== null) as Row[];
      },
    }),
  };
}
