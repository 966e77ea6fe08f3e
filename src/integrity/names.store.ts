import { type RawBuilder, sql } from 'kysely';
import { BROKEN_NAME, NAME_COLUMNS } from '../import/broken-names.ts';
import { type DatasetTable, TABLES } from '../import/format.ts';
import { STATES } from '../import/states.ts';
import type { Check } from './check.ts';

/** The tables with names and identifiers, each with the columns that hold them. */
const NAMED: readonly (readonly [table: DatasetTable, columns: readonly string[]])[] = TABLES.map(
  (table) => [table, table.columns.map(({ name }) => name).filter((name) => NAME_COLUMNS.has(name))] as const,
).filter(([, columns]) => columns.length > 0);

/** Returns the query of the names and identifiers for which a condition on `text` is true. */
function namesWhere(condition: RawBuilder<boolean>, problem: string) {
  const parts = NAMED.flatMap(([table, columns]) =>
    columns.map(
      (
        column,
      ) => sql`select ${`${table.kind} `} || id as record, ${`${column}: `} || to_json(text) || ${` ${problem}`} as problem
        from (select id, ${sql.ref(column)}::text as text from ${sql.table(table.name)}) as named where ${condition}`,
    ),
  );
  return sql<{ record: string; problem: string }>`${sql.join(parts, sql` union all `)}`;
}

const STATE_CODES = sql.join(
  STATES.map(({ postal, fips }) => sql`(${sql.lit(postal)}, ${sql.lit(fips)})`),
  sql`, `,
);

/** The OCD kinds whose district type is always the same. */
const TYPES_OF_KINDS: Readonly<Record<string, string>> = {
  country: 'Country',
  state: 'State',
  territory: 'State',
  cd: 'Congress',
  sldu: 'State Legislative (Upper)',
  sldl: 'State Legislative (Lower)',
  county: 'County',
  parish: 'County',
};

const KINDS = sql.join(
  Object.entries(TYPES_OF_KINDS).map(([kind, type]) => sql`(${sql.lit(kind)}, ${sql.lit(type)})`),
  sql`, `,
);

export const NAME_CHECKS: readonly Check[] = [
  {
    name: 'broken-names',
    finds: 'names and identifiers with the text of a failed conversion, such as NaN',
    query: () => sql`
      ${namesWhere(sql<boolean>`text ~ ${BROKEN_NAME}`, 'contains the text of a failed conversion')}
      union all
      select kind || ' ' || record_id, scheme || ' ' || value || ' contains the text of a failed conversion'
      from external_identifiers where value ~ ${BROKEN_NAME}`,
  },
  {
    name: 'blank-names',
    finds: 'names and identifiers that are empty, or begin or end with a space',
    query: () =>
      namesWhere(sql<boolean>`text = '' or text ~ '^\\s|\\s$|[\\x01-\\x1f]'`, 'is empty or has superfluous spaces'),
  },
  {
    name: 'states-of-identifiers',
    finds: 'districts whose OCD id or GEOID is that of another state',
    query: () => sql`
      select 'district ' || d.id as record, d.state || ', but ' || d.ocdid as problem from districts as d
      where d.state <> upper(substring(d.ocdid from '^ocd-division/country:us/(?:state|district|territory):([a-z]{2})(?:/|$)'))
      union all
      select 'district ' || d.id, d.state || ', but ' || d.geo_id
      from districts as d join (values ${STATE_CODES}) as s (postal, fips) on s.postal = d.state
      where regexp_replace(d.geo_id, '^.*US', '') ~ '^\\d' and left(regexp_replace(d.geo_id, '^.*US', ''), 2) <> s.fips`,
  },
  {
    name: 'types-of-ocdids',
    finds: 'districts whose OCD id is that of another district type',
    query: () => sql`
      select 'district ' || d.id as record, d.type || ', but ' || d.ocdid as problem
      from districts as d
      join (values ${KINDS}) as k (kind, type) on k.kind = substring(d.ocdid from '([a-z_]+):[^/:]+$')
      where d.type::text <> k.type and array_length(string_to_array(d.ocdid, '/'), 1) <= 4`,
  },
];
