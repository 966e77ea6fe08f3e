import type { Database } from '../../store/sql/database.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';

/** Runs work in one transaction; within an existing one, in that. */
export function inTransaction<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** Runs changes of keys, packages, origins or the secret in one transaction. The log of changes names the operator. */
export function changeAs<T>(db: Database, operator: string, work: (db: Database) => Promise<T>): Promise<T> {
  return inTransaction(db, async (transaction) => {
    const named = query.selectNoFrom(({ fn, val, lit }) =>
      fn<string>('set_config', [val('ballotgraph.operator'), val(operator), lit(true)]).as('operator'),
    );
    await rowsOf(transaction, 'accessChanges.setOperator', named);
    return work(transaction);
  });
}

/** Which changes are returned. */
export interface ChangeFilter {
  /** The public prefix of a key, the name of a package, an origin, or `shared_secret`; all if omitted. */
  readonly name?: string | undefined;
  /** Maximum number of changes. */
  readonly last: number;
}

export type AccessChange = Awaited<ReturnType<typeof listChanges>>[number];

/** Returns the last changes to keys, packages, origins and the secret, oldest first. */
export async function listChanges(db: Database, { name, last }: ChangeFilter) {
  const all = query
    .selectFrom('access_changes as c')
    .select(['c.changed_at as changedAt', 'c.operator', 'c.database_user as databaseUser'])
    .select(['c.kind', 'c.name', 'c.action', 'c.details'])
    .orderBy('c.id', 'desc')
    .limit(last);
  const rows = await rowsOf(
    db,
    'accessChanges.list',
    name === undefined ? all : all.where('c.name', 'in', [name, `bg_${name}`]),
  );
  return rows.reverse();
}
