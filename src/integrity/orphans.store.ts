import { sql } from 'kysely';
import { numberOfPresent } from '../database/functions.ts';
import { query } from '../database/query-builder.ts';
import type { DB } from '../database/tables.ts';
import { TABLES } from '../import/format.ts';
import { type Check, text, violation } from './check.ts';

type Reference = readonly [table: string, column: string, target: string];

const reference = <Table extends keyof DB>(
  table: Table,
  column: keyof DB[Table] & string,
  target: keyof DB,
): Reference => [table, column, target];

/** References between tables that are not columns of the exchange format. */
const FURTHER = [
  reference('boundary_pieces', 'boundary_id', 'boundaries'),
  reference('candidate_parties', 'candidate_id', 'candidates'),
  reference('candidate_parties', 'party_id', 'parties'),
  reference('record_sources', 'source_id', 'sources'),
  reference('person_merges', 'person_id', 'persons'),
];

const REFERENCES: readonly Reference[] = [
  ...TABLES.flatMap(({ name, columns }) =>
    columns.flatMap((column) =>
      column.references && !column.apart ? [[name, column.name, column.references] as const] : [],
    ),
  ),
  ...FURTHER,
];

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

/** Returns the query of rows whose reference is not to a record. Its names are those of the exchange format. */
function dangling([table, column, target]: Reference) {
  const referred = sql.ref<number | null>(`a.${column}`);
  return query
    .selectFrom(sql.table(table).as('a'))
    .where(({ eb }) => eb(referred, 'is not', null))
    .where(({ not, exists }) => not(exists(recordsOf(target).where('t.id', '=', referred))))
    .select([
      text`${sql.lit(`${table}.${column}`)} ${referred}`.as('record'),
      text`is not in ${sql.lit(target)}`.as('problem'),
    ]);
}

export const ORPHAN_CHECKS: readonly Check[] = [
  {
    name: 'dangling-references',
    finds: 'rows that refer to a record that does not exist',
    query: () => REFERENCES.map(dangling).reduce((all, each) => all.unionAll(each)),
  },
  {
    name: 'contacts-without-owner',
    finds: 'contacts without an owner, or of both a person and an officeholder',
    query: () =>
      query
        .selectFrom('contacts as c')
        .where(({ eb, ref }) => eb(numberOfPresent([ref('c.officeholder_id'), ref('c.person_id')]), '<>', 1))
        .select(({ ref }) =>
          violation(
            'contact',
            ref('c.id'),
            text`has ${numberOfPresent([ref('c.officeholder_id'), ref('c.person_id')])} owners`,
          ),
        ),
  },
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
