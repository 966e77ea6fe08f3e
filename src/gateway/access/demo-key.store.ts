import type { Database } from '../../store/sql/database.ts';
import { typed } from '../../store/sql/functions.ts';
import { changedRows, rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import { digestOf, prefixOf } from './api-key.ts';
import { DEMO_KEY } from './demo-key.ts';

const digest = digestOf(DEMO_KEY);

/** Returns whether a database has never held anything: no district and no API key, not even a revoked one. */
export async function isUntouched(db: Database): Promise<boolean> {
  const found = query.selectNoFrom(({ or, exists, selectFrom }) =>
    or([exists(selectFrom('districts as d').select('d.id')), exists(selectFrom('api_keys as k').select('k.id'))]).as(
      'isUsed',
    ),
  );
  const [row] = await rowsOf(db, 'demoKey.isUntouched', found);
  return row !== undefined && !row.isUsed;
}

/** Inserts the inactive demo key, which marks that the import of the sample has started. */
export async function reserveDemoKey(db: Database): Promise<void> {
  const statement = query
    .insertInto('api_keys')
    .columns(['prefix', 'sha256', 'package_id', 'active'])
    .expression(({ selectFrom, lit }) =>
      selectFrom('packages as p')
        .select([
          typed('text', prefixOf(DEMO_KEY)).as('prefix'),
          typed('bytea', digest).as('sha256'),
          'p.id',
          lit(false).as('active'),
        ])
        .where('p.name', '=', 'full'),
    );
  await changedRows(db, 'demoKey.reserve', statement);
}

/** Returns whether the demo key is reserved: the sample must then be imported (again) before the key is activated. */
export async function isDemoKeyReserved(db: Database): Promise<boolean> {
  const found = query
    .selectFrom('api_keys as k')
    .select('k.id')
    .where('k.sha256', '=', digest)
    .where('k.active', '=', false)
    .where('k.revoked_at', 'is', null);
  return (await rowsOf(db, 'demoKey.isReserved', found)).length > 0;
}

export async function activateDemoKey(db: Database): Promise<void> {
  const statement = query.updateTable('api_keys as k').set({ active: true }).where('k.sha256', '=', digest);
  await changedRows(db, 'demoKey.activate', statement);
}
