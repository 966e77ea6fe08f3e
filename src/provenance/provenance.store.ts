import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { ExternalIdentifier, RecordKind, Source } from '../database/tables.ts';
import { quoted } from '../graphql/in-sql.ts';
import { relation } from '../graphql/relation.ts';
import { dateTimeInSql } from '../graphql/update-times.ts';

/** A data set, with the time of its last import as text: ISO 8601 with milliseconds, in UTC. */
export interface SourceRow extends Selectable<Source> {
  readonly loaded_at_text: string;
}

export type IdentifierRow = Pick<Selectable<ExternalIdentifier>, 'scheme' | 'value'>;

/** Returns the relation for the data sets that records of a kind were imported from; most recently imported first. */
export function sourcesOf(kind: RecordKind) {
  return relation<{ readonly id: number }, SourceRow>({
    name: 'provenance.sourcesOf',
    parentKey: { id: 'int' },
    from: ({ id }, { row }) =>
      `record_sources ${row}_link join (
         select source.*, ${dateTimeInSql('loaded_at')} as loaded_at_text
         from sources source) ${row} on ${row}.id = ${row}_link.source_id
       where ${row}_link.kind = ${quoted(kind)} and ${row}_link.record_id = ${id}`,
    orderBy: ({ row }) => `${row}.loaded_at desc, ${row}.id`,
  });
}

/** Returns all data sets, sorted by name, then by the day of their data, the newest first. */
export async function allSources(db: Database): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`/* provenance.allSources */
    select source.*, ${sql.raw(dateTimeInSql('loaded_at'))} as loaded_at_text from sources source
    order by name collate "C", as_of desc nulls last, id`.execute(db);
  return rows;
}

/** Returns the relation for the identifiers of records of a kind in other data sets, sorted by scheme, then by value. */
export function identifiersOf(kind: RecordKind) {
  return relation<{ readonly id: number }, IdentifierRow>({
    name: 'provenance.identifiersOf',
    parentKey: { id: 'int' },
    from: ({ id }, { row }) =>
      `external_identifiers ${row} where ${row}.kind = ${quoted(kind)} and ${row}.record_id = ${id}`,
    orderBy: ({ row }) => `${row}.scheme collate "C", ${row}.value collate "C"`,
  });
}
