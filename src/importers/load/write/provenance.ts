import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import { TABLES, type TableName } from '../../exchange/format.ts';
import type { Provenance } from '../../exchange/import-rows.ts';
import { stageName } from '../stage/staging.ts';
import { SAME_CONTACT } from './write-contacts.ts';

/**
 * Records for every staged row, changed or not, that the record comes from this edition. `loaded_at` is the time of the
 * last load of the edition that changed anything. Returns the id of the edition.
 */
export async function recordProvenance(
  db: Database,
  provenance: Provenance,
  supplied: ReadonlySet<TableName>,
  anyChange: boolean,
): Promise<number> {
  const sourceId = await recordSource(db, provenance, anyChange);
  for (const { name: table, kind } of TABLES) {
    if (!supplied.has(table) || kind === null) continue;
    await sql`/* import.record-sources */
      insert into record_sources (kind, record_id, source_id)
      select ${kind}::record_kind, id, ${sourceId}::integer from (${recordsOf(table)}) as records
      where not exists (
        select from record_sources as r
        where r.kind = ${kind}::record_kind and r.record_id = records.id and r.source_id = ${sourceId}::integer)
      order by id`.execute(db);
  }
  return sourceId;
}

/** Records an edition of a data set and, if it changed anything, the time of the load; returns its id. */
export async function recordSource(db: Database, provenance: Provenance, anyChange: boolean): Promise<number> {
  const { name, source, license, asOf } = provenance;
  await sql`/* import.source */
    insert into sources (name, source, license, as_of) values (${name}, ${source}, ${license}, ${asOf})
    on conflict (name, source, license, as_of) do update set loaded_at = now() where ${anyChange}`.execute(db);
  const { rows } = await sql<{ id: number }>`/* import.source */
    select id from sources
    where name = ${name} and source is not distinct from ${source} and license is not distinct from ${license}
      and as_of is not distinct from ${asOf}::date`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('The database lost the source of a load');
  return found.id;
}

function recordsOf(table: TableName) {
  if (table === 'boundaries') {
    return sql`select b.id from boundaries as b
      join stage_boundaries as s on s.district_id = b.district_id and s.start_date = b.start_date and s.line > 0`;
  }
  if (table === 'contacts') {
    return sql`select distinct c.id from contacts as c join stage_contacts as s on ${SAME_CONTACT}`;
  }
  return sql`select id from ${sql.table(stageName(table))} where line > 0`;
}

/** Deletes the provenance of deleted records, and what editions brought of them. External identifiers stay: a record that reappears gets its old id. */
export async function forgetRemoved(db: Database, tables: Iterable<TableName>): Promise<void> {
  for (const table of tables) {
    const kind = TABLES.find(({ name }) => name === table)?.kind;
    if (!kind) continue;
    await sql`/* import.forget-removed */
      delete from record_sources as r
      where r.kind = ${kind}::record_kind and not exists (select from ${sql.table(table)} as t where t.id = r.record_id)`.execute(
      db,
    );
    await sql`/* import.forget-editions */
      delete from edition_records as r
      where r.kind = ${kind} and not exists (select from ${sql.table(table)} as t where t.id = r.record_id)`.execute(
      db,
    );
  }
}
