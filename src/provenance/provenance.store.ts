import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { RecordKind, Source } from '../database/tables.ts';

export type SourceRow = Selectable<Source>;

/** A record of any table, with the kind under which its provenance and identifiers are stored. */
export interface RecordKey {
  readonly kind: RecordKind;
  readonly id: number;
}

/** Returns the data sets that each record was imported from, one list for each record; most recently imported first. */
export async function sourcesOfRecords(db: Database, records: readonly RecordKey[]): Promise<SourceRow[][]> {
  const found = await sql<SourceRow & { index: number }>`
    /* provenance.sourcesOfRecords */
    select requested.index::int, source.*
    from ${requested(records)}
    join record_sources link on link.kind = requested.kind and link.record_id = requested.id
    join sources source on source.id = link.source_id
    order by source.loaded_at desc, source.id`.execute(db);
  const results: SourceRow[][] = records.map(() => []);
  for (const { index, ...source } of found.rows) results[index - 1]?.push(source);
  return results;
}

export interface IdentifierRow {
  readonly scheme: string;
  readonly value: string;
}

/**
 * Returns the identifiers of each record in other data sets, one list for each record, sorted by scheme, then by value.
 */
export async function identifiersOfRecords(db: Database, records: readonly RecordKey[]): Promise<IdentifierRow[][]> {
  const found = await sql<IdentifierRow & { index: number }>`
    /* provenance.identifiersOfRecords */
    select requested.index::int, identifier.scheme, identifier.value
    from ${requested(records)}
    join external_identifiers identifier on identifier.kind = requested.kind and identifier.record_id = requested.id
    order by identifier.scheme collate "C", identifier.value collate "C"`.execute(db);
  const results: IdentifierRow[][] = records.map(() => []);
  for (const { index, ...identifier } of found.rows) results[index - 1]?.push(identifier);
  return results;
}

function requested(records: readonly RecordKey[]) {
  const kinds = records.map((record) => record.kind);
  const ids = records.map((record) => record.id);
  return sql`unnest(${kinds}::record_kind[], ${ids}::int[]) with ordinality as requested(kind, id, index)`;
}
