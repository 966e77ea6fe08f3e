import type { Context } from './context.ts';
import type { RowScope, RowsInSql } from './in-sql.ts';
import { createRowLoader } from './row-loader.ts';

interface RecordOptions {
  /** The name of the loader's statement in logs and metrics. */
  readonly name: string;
  /** Returns the table, or a subquery with the columns of it that the caller may see. */
  readonly rows: (scope: RowScope) => string;
}

/** The options of a Pothos field whose parent has the key `Member`. */
interface FieldOf<Member extends string, Key, Value> {
  readonly extensions: { readonly inSql: RowsInSql };
  readonly resolve: (parent: { readonly [Each in Member]: Key }, args: unknown, context: Context) => Promise<Value>;
}

/**
 * Defines the records of a table, which are found by id: one loader for every field that refers to them by a column of
 * its parent, and the same rows for the query planner.
 */
export function records<Row>({ name, rows }: RecordOptions) {
  const from = (id: string, scope: RowScope) => `${rows(scope)} ${scope.row} where ${scope.row}.id = ${id}`;
  const read = createRowLoader<{ readonly id: number | null }, Row, unknown>({
    name,
    parentKey: { id: 'int' },
    from: ({ id = 'null' }, scope) => from(id, scope),
  });

  /** Returns the record with an id; null if there is none, or if the id is null. */
  async function load(context: Context, id: number | null): Promise<Row | null> {
    const [row = null] = await read({ id }, {}, context);
    return row;
  }

  const extensionsOf = (parentKey: string) => ({ inSql: { parentKey, isById: true, from } satisfies RowsInSql });

  return {
    load,
    /** The record by the id in its own row, for the query planner. */
    inSql: extensionsOf('id').inSql as RowsInSql,
    /** Returns the options of a field for the record whose id is in a foreign key. */
    of: <Member extends string>(member: Member): FieldOf<Member, number, Row> => ({
      extensions: extensionsOf(member),
      // A foreign key refers to a row. If the row was deleted in the meantime, a field that may not be null is an error.
      resolve: (parent, _, context) => load(context, parent[member]) as Promise<Row>,
    }),
    /** Returns the same for a foreign key that may be null. */
    ofNullable: <Member extends string>(member: Member): FieldOf<Member, number | null, Row | null> => ({
      extensions: extensionsOf(member),
      resolve: (parent, _, context) => load(context, parent[member]),
    }),
    /**
     * Returns the options of a list field for the records whose ids are in an array, in its order. Records that do not
     * exist are omitted.
     */
    listOf: <Member extends string>(member: Member): FieldOf<Member, readonly number[], Row[]> => ({
      extensions: extensionsOf(member),
      resolve: async (parent, _, context) => {
        const found = await Promise.all(parent[member].map((id) => load(context, id)));
        return found.filter((row) => row !== null) as Row[];
      },
    }),
  };
}
