import { type RawBuilder, sql } from 'kysely';
import { TABLES } from '../import/format.ts';
import type { Check, Violation } from './check.ts';

/** References between tables that are not columns of the exchange format. */
const FURTHER: readonly (readonly [table: string, column: string, target: string])[] = [
  ['boundary_pieces', 'boundary_id', 'boundaries'],
  ['candidate_parties', 'candidate_id', 'candidates'],
  ['candidate_parties', 'party_id', 'parties'],
  ['record_sources', 'source_id', 'sources'],
  ['person_merges', 'person_id', 'persons'],
];

const REFERENCES = [
  ...TABLES.flatMap(({ name, columns }) =>
    columns.flatMap((column) =>
      column.references && !column.apart ? [[name, column.name, column.references] as const] : [],
    ),
  ),
  ...FURTHER,
];

/** The tables whose records have provenance and identifiers, by the kind of the records. */
const KINDS = TABLES.flatMap(({ name, kind }) => (kind === null ? [] : [[kind, name] as const]));

/** Returns the query of rows of a table about records that do not exist. */
function withoutRecord(table: string, what: string): RawBuilder<Violation> {
  const parts = KINDS.map(
    ([kind, target]) => sql`
      select ${`${kind} `} || a.record_id as record, ${`does not exist, but has ${what}`} as problem
      from (select distinct record_id from ${sql.table(table)} where kind = ${kind}::record_kind) as a
      where not exists (select from ${sql.table(target)} as t where t.id = a.record_id)`,
  );
  return sql<Violation>`${sql.join(parts, sql` union all `)}`;
}

export const ORPHAN_CHECKS: readonly Check[] = [
  {
    name: 'dangling-references',
    finds: 'rows that refer to a record that does not exist',
    query: () =>
      sql`${sql.join(
        REFERENCES.map(
          ([table, column, target]) => sql`
            select ${`${table}.${column} `} || a.${sql.ref(column)} as record, ${`is not in ${target}`} as problem
            from ${sql.table(table)} as a
            where a.${sql.ref(column)} is not null
              and not exists (select from ${sql.table(target)} as t where t.id = a.${sql.ref(column)})`,
        ),
        sql` union all `,
      )}`,
  },
  {
    name: 'contacts-without-owner',
    finds: 'contacts without an owner, or of both a person and an officeholder',
    query: () => sql`
      select 'contact ' || id as record, 'has ' || num_nonnulls(officeholder_id, person_id) || ' owners' as problem
      from contacts where num_nonnulls(officeholder_id, person_id) <> 1`,
  },
  {
    name: 'unused-persons',
    finds: 'persons who neither hold nor seek an office',
    query: () => sql`
      select 'person ' || p.id as record, p.name || ' has no term and no candidacy' as problem from persons as p
      where not exists (select from officeholders as h where h.person_id = p.id)
        and not exists (select from candidates as c where c.person_id = p.id)`,
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
