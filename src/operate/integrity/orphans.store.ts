import { sql } from 'kysely';
import { TABLES } from '../../importers/exchange/format.ts';
import { query } from '../../store/sql/query-builder.ts';
import { type Check, text, violation } from './check.ts';

/** The tables whose records have provenance and identifiers, by the kind of the records. */
const KINDS = TABLES.flatMap(({ name, kind }) => (kind === null ? [] : [[kind, name] as const]));

/** The query of the records `t` of a table, which is one of several. */
const recordsOf = (table: string) => query.selectFrom(sql.table<{ id: number }>(table).as('t')).select('t.id');

/** Returns the query of rows of a table about records that do not exist. */
function withoutRecord(table: 'record_sources' | 'external_identifiers', what: string) {
  return KINDS.map(([kind, target]) =>
    query
      .selectFrom(query.selectFrom(table).select('record_id').distinct().where('kind', '=', kind).as('a'))
      .where(({ not, exists, ref }) => not(exists(recordsOf(target).where('t.id', '=', ref('a.record_id')))))
      .select(({ ref }) => violation(kind, ref('a.record_id'), text`does not exist, but has ${sql.lit(what)}`)),
  ).reduce((all, each) => all.unionAll(each));
}

export const ORPHAN_CHECKS: readonly Check[] = [
  {
    name: 'unused-persons',
    finds: 'persons who neither hold nor seek an office',
    query: () =>
      query
        .selectFrom('persons as p')
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('officeholders as h').select('h.id').whereRef('h.person_id', '=', 'p.id'))),
        )
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('candidates as c').select('c.id').whereRef('c.person_id', '=', 'p.id'))),
        )
        .select(({ ref }) => violation('person', ref('p.id'), text`${ref('p.name')} has no term and no candidacy`)),
  },
  {
    name: 'dangling-provenance',
    finds: 'provenance of records that do not exist',
    query: () => withoutRecord('record_sources', 'a source'),
  },
  {
    name: 'dangling-identifiers',
    finds: 'identifiers of records that do not exist',
    query: () => withoutRecord('external_identifiers', 'an identifier'),
  },
];
