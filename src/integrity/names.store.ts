import { type RawBuilder, sql } from 'kysely';
import { BROKEN_NAME, NAME_COLUMNS } from '../import/broken-names.ts';
import { NEVER_A_NAME } from '../import/elections/counted-words.ts';
import { type Column, type DatasetTable, TABLES, tableOf } from '../import/format.ts';
import { STATES } from '../words/states.ts';
import type { Check, Violation } from './check.ts';
import { rowsIn, type Scope } from './scope.ts';

type Texts = readonly (readonly [table: DatasetTable, columns: readonly string[]])[];

/** Returns the tables that have columns of a kind, each with these columns. */
function columnsWith(isMeant: (column: Column) => boolean): Texts {
  return TABLES.filter(({ kind }) => kind !== null)
    .map((table) => [table, table.columns.filter(isMeant).map(({ name }) => name)] as const)
    .filter(([, columns]) => columns.length > 0);
}

const isText = ({ type }: Column) => type === 'text' || type === 'url';
/** The columns that hold names and identifiers, and those that hold any other text. */
const NAMED = columnsWith(({ name }) => NAME_COLUMNS.has(name));
const OTHER_TEXTS = columnsWith((column) => isText(column) && !NAME_COLUMNS.has(column.name));
const PERSON_NAMES: Texts = [[tableOf('persons'), ['name']]];

/** Returns the query of the texts for which a condition on `text` is true. */
function textsWhere(
  texts: Texts,
  condition: RawBuilder<boolean>,
  problem: string,
  scope: Scope = 'database',
): RawBuilder<Violation> {
  // A boundary and a contact have no id before they are written.
  const those = texts.filter(([{ key }]) => scope === 'database' || key.includes('id'));
  const parts = those.flatMap(([table, columns]) =>
    columns.map(
      (
        column,
      ) => sql`select ${`${table.kind} `} || id as record, ${`${column}: `} || to_json(text) || ${` ${problem}`} as problem
        from (select named.id, named.${sql.ref(column)}::text as text from ${rowsIn(scope, table.name)} as named) as named
        where ${condition}`,
    ),
  );
  return sql<Violation>`${sql.join(parts, sql` union all `)}`;
}

/** Matches a value that a failed conversion leaves in place of a text; longer texts may contain the words. */
const BROKEN_TEXT = String.raw`^(undefined|null)$|(^|[^[:alnum:]])(NaN|\[object Object\])($|[^[:alnum:]])`;

/**
 * Matches a text that was read in the wrong encoding (Latin-1 in place of UTF-8, or with characters lost), or in which
 * HTML is left.
 */
const MANGLED = String.raw`\uFFFD|[\u00C2\u00C3][\u0080-\u00BF]|\u00E2\u20AC|&(#\d+|[a-z]{2,8});|<[/a-z][^>]*>`;

/** Matches the labels of result rows that name no candidate: totals, overvotes, blank ballots, write-ins. */
const NO_PERSON = String.raw`^((grand|county|contest|sub)[ -]?)?totals?( votes?| votes? cast| ballots?)?$|^(total )?(over|under)[ -]?votes?$|^blanks?( votes?| ballots?)?$|^write[ -]?ins?( |$|:)|^scatter(ing|ed)?$|\mballots? cast\M|^registered voters|^(yes|no)$|^(all )?others?$`;

/** Matches the words that no name of a person has. */
const NEVER_A_NAME_WORD = String.raw`\m(${NEVER_A_NAME.replaceAll(' ', '|')})s?\M`;

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
    finds: 'texts with the result of a failed conversion, such as NaN',
    query: () => sql`
      ${textsWhere(NAMED, sql<boolean>`text ~ ${BROKEN_NAME}`, 'contains the text of a failed conversion')}
      union all
      ${textsWhere(OTHER_TEXTS, sql<boolean>`text ~ ${BROKEN_TEXT}`, 'contains the text of a failed conversion')}
      union all
      select kind || ' ' || record_id, scheme || ' ' || value || ' contains the text of a failed conversion'
      from external_identifiers where value ~ ${BROKEN_NAME}`,
  },
  {
    name: 'blank-names',
    finds: 'names and identifiers that are empty, or begin or end with a space',
    over: ['persons', 'offices', 'districts'],
    query: (_, scope) =>
      textsWhere(
        NAMED,
        sql<boolean>`(text = '' or text ~ '^\\s|\\s$|[\\x01-\\x1f]')`,
        'is empty or has superfluous spaces',
        scope,
      ),
  },
  {
    name: 'mangled-names',
    finds:
      'names that were read in the wrong encoding, contain HTML, or have a capital after an apostrophe (People\u2019S)',
    over: ['persons', 'offices', 'districts'],
    query: (_, scope) =>
      textsWhere(
        NAMED,
        sql<boolean>`(text ~ ${MANGLED} or text ~ ${String.raw`[[:lower:]]['\u2019]S\M`})`,
        'is not as it was written',
        scope,
      ),
  },
  {
    name: 'names-of-no-person',
    finds: 'persons with the name of a count: totals, overvotes, blank ballots, write-ins, yes and no',
    over: ['persons'],
    query: (_, scope) =>
      textsWhere(
        PERSON_NAMES,
        sql<boolean>`(text ~* ${NO_PERSON} or text ~* ${NEVER_A_NAME_WORD}) and text !~* '^none of (these|the above)'`,
        'is not the name of a person',
        scope,
      ),
  },
  {
    name: 'states-of-identifiers',
    finds: 'districts whose OCD id or GEOID is that of another state',
    over: ['districts'],
    query: (_, scope) => sql`
      select 'district ' || d.id as record, d.state || ', but ' || d.ocdid as problem from ${rowsIn(scope, 'districts')} as d
      where d.state <> upper(substring(d.ocdid from '^ocd-division/country:us/(?:state|district|territory):([a-z]{2})(?:/|$)'))
      union all
      select 'district ' || d.id, d.state || ', but ' || d.geo_id
      from ${rowsIn(scope, 'districts')} as d join (values ${STATE_CODES}) as s (postal, fips) on s.postal = d.state
      where regexp_replace(d.geo_id, '^.*US', '') ~ '^\\d' and left(regexp_replace(d.geo_id, '^.*US', ''), 2) <> s.fips`,
  },
  {
    name: 'types-of-ocdids',
    finds: 'districts whose OCD id is that of another district type',
    over: ['districts'],
    query: (_, scope) => sql`
      select 'district ' || d.id as record, d.type || ', but ' || d.ocdid as problem
      from ${rowsIn(scope, 'districts')} as d
      join (values ${KINDS}) as k (kind, type) on k.kind = substring(d.ocdid from '([a-z_]+):[^/:]+$')
      where d.type::text <> k.type and array_length(string_to_array(d.ocdid, '/'), 1) <= 4`,
  },
];
