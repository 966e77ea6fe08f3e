import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import { type DatasetTable, TABLES, type TableName } from '../../exchange/format.ts';
import type { Changes } from '../../exchange/load-summary.ts';
import { stageName } from '../stage/staging.ts';
import { writeBoundaries } from './write-boundaries.ts';
import { countPartyChanges, removeRounds, writeCandidateParties, writeRounds } from './write-candidates.ts';
import { affected, type WriteSettings } from './write-changes.ts';
import { removeContacts, replaceContacts } from './write-contacts.ts';
import { writePoints } from './write-points.ts';

/**
 * Writes the staged rows to the tables: inserts new ones, updates those that differ, does not touch the others, and
 * with `replace` deletes rows that were not supplied.
 */
export async function writeAll(db: Database, settings: WriteSettings): Promise<Map<TableName, Changes>> {
  const changes = new Map<TableName, Changes>();
  const supplied = TABLES.filter(({ name }) => settings.supplied.has(name));
  for (const table of supplied) {
    settings.onProgress(table, 0, settings.staged(table.name));
    changes.set(table.name, await writeTable(db, table, settings));
    settings.onProgress(table, settings.staged(table.name), settings.staged(table.name));
  }
  if (settings.replace) {
    for (const table of supplied.toReversed()) {
      const change = changes.get(table.name);
      if (change) change.removed += await remove(db, table);
    }
  }
  return changes;
}

async function writeTable(db: Database, table: DatasetTable, settings: WriteSettings): Promise<Changes> {
  switch (table.name) {
    case 'boundaries':
      return writeBoundaries(db, settings);
    case 'contacts':
      return replaceContacts(db, settings.provenance.name);
    case 'ranked_choice_rounds':
      return writeRounds(db);
    case 'town_points':
    case 'zip_points':
      return writePoints(db, table, settings);
    default:
      return upsert(db, table, settings);
  }
}

/** Upserts rows by id: updates the rows that differ in a supplied column, and inserts the new ones. */
async function upsert(db: Database, table: DatasetTable, settings: WriteSettings): Promise<Changes> {
  const present = settings.columns.get(table.name) ?? [];
  const columns = table.columns.filter(({ name, apart }) => name !== 'id' && !apart && present.includes(name));
  const names = columns.map(({ name }) => sql.ref(name));
  const stage = sql.table(stageName(table.name));
  const of = (alias: string) => sql.join(columns.map(({ name }) => sql.ref(`${alias}.${name}`)));

  if (settings.onReplaced) {
    const { rows } = await sql<{ sources: string; count: number }>`/* import.replaced */
      select sources, count(*) as count from (
        select string_agg(distinct o.name, ' and ' order by o.name) as sources
        from ${sql.table(table.name)} as t join ${stage} as s on s.id = t.id and row(${of('t')}) is distinct from row(${of('s')})
        join record_sources as r on r.kind = ${table.kind}::record_kind and r.record_id = t.id join sources as o on o.id = r.source_id
        group by t.id having not bool_or(o.name = ${settings.provenance.name})
      ) as replaced group by sources order by sources`.execute(db);
    for (const { sources, count } of rows)
      settings.onReplaced(`${table.file}: replaces ${count} of the loaded records of ${sources}, by the same id`);
  }
  const hasParties = present.includes('party_ids');
  const partyChanges = hasParties ? await countPartyChanges(db) : 0;
  const updated = await affected(
    db,
    sql`/* import.update */
      update ${sql.table(table.name)} as t set ${sql.join(columns.map(({ name }) => sql`${sql.ref(name)} = s.${sql.ref(name)}`))}
      from ${stage} as s where t.id = s.id and row(${of('t')}) is distinct from row(${of('s')})`,
  );
  const inserted = await affected(
    db,
    sql`/* import.insert */
      insert into ${sql.table(table.name)} (id, ${sql.join(names)})
      select s.id, ${of('s')} from ${stage} as s
      where not exists (select from ${sql.table(table.name)} as t where t.id = s.id)
      order by s.id`,
  );
  if (hasParties) await writeCandidateParties(db);
  const changed = updated + partyChanges;
  return { inserted, updated: changed, unchanged: settings.staged(table.name) - inserted - changed, removed: 0 };
}

async function remove(db: Database, table: DatasetTable): Promise<number> {
  switch (table.name) {
    case 'boundaries':
      return 0; // before the inserts: periods of deleted rows would conflict with new ones
    case 'contacts':
      return removeContacts(db);
    case 'ranked_choice_rounds':
      return removeRounds(db);
    case 'town_points':
    case 'zip_points':
      return 0; // those of other data sets are no rows of this one
    default:
      return affected(
        db,
        sql`/* import.remove */
          delete from ${sql.table(table.name)} as t
          where not exists (select from ${sql.table(stageName(table.name))} as s where s.id = t.id)`,
      );
  }
}
