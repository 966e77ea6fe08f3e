import type { Database } from '../../store/sql/database.ts';
import { dateTimeText, inByteOrder, literal } from '../../store/sql/functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { RecordKind } from '../../store/sql/tables.ts';
import { type RowsOf, relation } from '../builder/relation.ts';

/**
 * Returns the query of all data sets `source`, with the time of the last import as text: ISO 8601 with milliseconds, in
 * UTC.
 */
export function sourceRows() {
  return query
    .selectFrom('sources as source')
    .select(['source.id', 'source.name', 'source.source', 'source.license', 'source.as_of', 'source.loaded_at'])
    .select(({ ref }) => dateTimeText(ref('source.loaded_at')).as('loaded_at_text'));
}

/** A data set. */
export type SourceRow = RowsOf<ReturnType<typeof sourceRows>>;

/** Returns the relation for the data sets that records of a kind were imported from; most recently imported first. */
export function sourcesOf(kind: RecordKind) {
  return relation({
    name: 'provenance.sourcesOf',
    key: { id: 'int' },
    rows: ({ id }) =>
      sourceRows()
        .innerJoin('record_sources as link', 'link.source_id', 'source.id')
        .where('link.kind', '=', literal(kind))
        .where('link.record_id', '=', id),
    orderBy: [['loaded_at', 'desc'], 'id'],
  });
}

/** Returns all data sets, sorted by name, then by the day of their data, the newest first. */
export function allSources(db: Database): Promise<SourceRow[]> {
  const sorted = sourceRows()
    .orderBy(({ ref }) => inByteOrder(ref('source.name')))
    .orderBy('source.as_of', (day) => day.desc().nullsLast())
    .orderBy('source.id');
  return rowsOf(db, 'provenance.allSources', sorted);
}

/** Returns the relation for the identifiers of records of a kind in other data sets, sorted by scheme, then by value. */
export function identifiersOf(kind: RecordKind) {
  return relation({
    name: 'provenance.identifiersOf',
    key: { id: 'int' },
    rows: ({ id }) =>
      query
        .selectFrom('external_identifiers as identifier')
        .select(['identifier.scheme', 'identifier.value'])
        .where('identifier.kind', '=', literal(kind))
        .where('identifier.record_id', '=', id),
    orderBy: [
      ['scheme', (scheme) => scheme.asc().collate('C')],
      ['value', (value) => value.asc().collate('C')],
    ],
  });
}

export interface IdentifierRow {
  readonly scheme: string;
  readonly value: string;
}
