import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { DatasetTable } from '../../exchange/format.ts';
import type { Changes } from '../../exchange/load-summary.ts';
import { stageName } from '../stage/staging.ts';
import { recordSource } from './provenance.ts';
import { affected, type WriteSettings } from './write-changes.ts';

/**
 * Writes the points of towns or ZIP codes: those of older editions of the data set that this one lacks are deleted, the
 * others become its own.
 */
export async function writePoints(db: Database, table: DatasetTable, settings: WriteSettings): Promise<Changes> {
  const sourceId = await recordSource(db, settings.provenance, false);
  const target = sql.table(table.name);
  const stage = sql.table(stageName(table.name));
  const of = (alias: string) => sql.join(table.columns.map(({ name }) => sql.ref(`${alias}.${name}`)));
  const ofDataSet = sql`t.source_id in (select id from sources where name = ${settings.provenance.name})`;
  // As texts, of which the database makes a hash table: a county may be null.
  const isSame = sql`row(${of('s')})::text = row(${of('t')})::text`;
  const removed = await affected(
    db,
    sql`/* import.remove-points */
      delete from ${target} as t where ${ofDataSet} and not exists (select from ${stage} as s where ${isSame})`,
  );
  await sql`/* import.update-points */
    update ${target} as t set source_id = ${sourceId} where ${ofDataSet} and t.source_id <> ${sourceId}`.execute(db);
  const inserted = await affected(
    db,
    sql`/* import.insert-points */
      insert into ${target} (${sql.join(table.columns.map(({ name }) => sql.ref(name)))}, source_id)
      select ${of('s')}, ${sourceId}::integer from ${stage} as s
      where not exists (select from ${target} as t where ${ofDataSet} and ${isSame})
      order by s.line`,
  );
  return { inserted, updated: 0, unchanged: settings.staged(table.name) - inserted, removed };
}
