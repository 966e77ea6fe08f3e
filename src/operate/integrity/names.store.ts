import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { dictionary } from '../../base/dictionary.ts';
import { STATES } from '../../base/words/states.ts';
import { BROKEN_NAME, NAME_COLUMNS } from '../../importers/exchange/broken-names.ts';
import { type Column, type DatasetTable, TABLES, tableOf } from '../../importers/exchange/format.ts';
import { CERTAINLY_COUNTED, COUNTED, NEVER_A_NAME } from '../../importers/facts/counted-words.ts';
import { asJson, shortGeoIdOf, typed, unnested } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { beginningOf, matchIn, numberOfParts, upperCase } from '../../store/sql/text-functions.ts';
import { type Check, text, violation } from './check.ts';
import { rowsIn, type Scope, type TableWithId } from './check-scope.ts';

type Texts = readonly (readonly [table: DatasetTable, columns: readonly string[]])[];

/** Returns the tables that have columns of a kind, each with these columns. */
function columnsWith(isMeant: (column: Column) => boolean): Texts {
  return TABLES.filter(({ kind }) => kind !== null)
    .map((table) => [table, table.columns.filter(isMeant).map(({ name }) => name)] as const)
    .filter(([, columns]) => columns.length > 0);
}

const isText = ({ type }: Column) => type === 'text' || type === 'url' || type === 'image';
/** The columns that hold names and identifiers, and those that hold any other text. */
const NAMED = columnsWith(({ name }) => NAME_COLUMNS.has(name));
const OTHER_TEXTS = columnsWith((column) => isText(column) && !NAME_COLUMNS.has(column.name));
const PERSON_NAMES: Texts = [[tableOf('persons'), ['name']]];

const { eb, or, and } = expressionBuilder();

/**
 * Returns the query of the texts for which a condition is true. The names of their columns are those of the exchange
 * format.
 */
function textsWhere(
  texts: Texts,
  condition: (text: Expression<string>) => Expression<SqlBool>,
  problem: string,
  scope: Scope = 'database',
) {
  // A boundary and a contact have no id before they are written.
  const those = texts.filter(([{ key }]) => scope === 'database' || key.includes('id'));
  return those
    .flatMap(([table, columns]) =>
      columns.map((column) => {
        const named = query
          .selectFrom(rowsIn(scope, table.name as TableWithId).as('r'))
          .select(['r.id', typed('text', sql.ref(`r.${column}`)).as('text')]);
        return query
          .selectFrom(named.as('named'))
          .where(({ ref }) => condition(ref('named.text')))
          .select(({ ref }) => [
            text`${sql.lit(String(table.kind))} ${ref('named.id')}`.as('record'),
            text`${sql.lit(column)}: ${asJson(ref('named.text'))} ${sql.lit(problem)}`.as('problem'),
          ]);
      }),
    )
    .reduce((all, each) => all.unionAll(each));
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

const oneOf = (words: string) => String.raw`\m(${words.replaceAll(' ', '|')})s?\M`;
/** Matches a text of words of counts alone, or with one that is no person's last name; other words are that of some persons. */
const IS_COUNT = `^(?=.*${oneOf(NEVER_A_NAME)})([^[:alnum:]]*${oneOf(COUNTED)})+[^[:alnum:]]*$|${oneOf(CERTAINLY_COUNTED)}`;
/** Choices on ballots that are no person, and are stored as candidates. */
const IS_CHOICE = '^(none of (these|the above)|uncommitted|no preference)';

const STATE_CODES = unnested('s', {
  postal: ['text', STATES.map(({ postal }) => postal)],
  fips: ['text', STATES.map(({ fips }) => fips)],
});

/** The OCD kinds whose district type is always the same. */
const TYPES_OF_KINDS: Readonly<Record<string, string>> = dictionary({
  country: 'Country',
  state: 'State',
  territory: 'State',
  cd: 'Congress',
  sldu: 'State Legislative (Upper)',
  sldl: 'State Legislative (Lower)',
  county: 'County',
  parish: 'County',
});

const KINDS = unnested('k', {
  kind: ['text', Object.keys(TYPES_OF_KINDS)],
  type: ['text', Object.values(TYPES_OF_KINDS)],
});

/** The state in the OCD id of a district. */
const OCD_STATE = '^ocd-division/country:us/(?:state|district|territory):([a-z]{2})(?:/|$)';
/** The kind of a district, the last one in its OCD id. */
const OCD_KIND = '([a-z_]+):[^/:]+$';

export const NAME_CHECKS: readonly Check[] = [
  {
    name: 'broken-names',
    finds: 'texts with the result of a failed conversion, such as NaN',
    query: () =>
      textsWhere(NAMED, (text) => eb(text, '~', BROKEN_NAME), 'contains the text of a failed conversion')
        .unionAll(
          textsWhere(OTHER_TEXTS, (text) => eb(text, '~', BROKEN_TEXT), 'contains the text of a failed conversion'),
        )
        .unionAll(
          query
            .selectFrom('external_identifiers as i')
            .where('i.value', '~', BROKEN_NAME)
            .select(({ ref }) => [
              text`${ref('i.kind')} ${ref('i.record_id')}`.as('record'),
              text`${ref('i.scheme')} ${ref('i.value')} contains the text of a failed conversion`.as('problem'),
            ]),
        ),
  },
  {
    name: 'blank-names',
    finds: 'names and identifiers that are empty, or begin or end with a space',
    over: ['persons', 'offices', 'districts'],
    query: (_, scope) =>
      textsWhere(
        NAMED,
        (text) => or([eb(text, '=', ''), eb(text, '~', String.raw`^\s|\s$|[\x01-\x1f]`)]),
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
        (text) => or([eb(text, '~', MANGLED), eb(text, '~', String.raw`[[:lower:]]['\u2019]S\M`)]),
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
        (text) => and([or([eb(text, '~*', NO_PERSON), eb(text, '~*', IS_COUNT)]), eb(text, '!~*', IS_CHOICE)]),
        'is not the name of a person',
        scope,
      ),
  },
  {
    name: 'states-of-identifiers',
    finds: 'districts whose OCD id or GEOID is that of another state',
    over: ['districts'],
    query: (_, scope) => {
      const districts = query.selectFrom(rowsIn(scope, 'districts').as('d'));
      const byOcdId = districts
        .where(({ eb, ref }) => eb('d.state', '<>', upperCase(matchIn(ref('d.ocdid'), OCD_STATE))))
        .select(({ ref }) => violation('district', ref('d.id'), text`${ref('d.state')}, but ${ref('d.ocdid')}`));
      const byGeoId = districts
        .innerJoin(STATE_CODES, 's.postal', 'd.state')
        .where(({ eb, ref }) => eb(shortGeoIdOf(ref('d.geo_id')), '~', String.raw`^\d`))
        .where(({ eb, ref }) => eb(beginningOf(shortGeoIdOf(ref('d.geo_id')), 2), '<>', ref('s.fips')))
        .select(({ ref }) => violation('district', ref('d.id'), text`${ref('d.state')}, but ${ref('d.geo_id')}`));
      return byOcdId.unionAll(byGeoId);
    },
  },
  {
    name: 'types-of-ocdids',
    finds: 'districts whose OCD id is that of another district type',
    over: ['districts'],
    query: (_, scope) =>
      query
        .selectFrom(rowsIn(scope, 'districts').as('d'))
        .innerJoin(KINDS, (join) => join.on(({ eb, ref }) => eb('k.kind', '=', matchIn(ref('d.ocdid'), OCD_KIND))))
        .where(({ eb, ref }) => eb(typed('text', ref('d.type')), '<>', ref('k.type')))
        .where(({ eb, ref }) => eb(numberOfParts(ref('d.ocdid'), '/'), '<=', MOST_PARTS))
        .select(({ ref }) => violation('district', ref('d.id'), text`${ref('d.type')}, but ${ref('d.ocdid')}`)),
  },
];

/** The parts of the OCD id of a district that is not one of another district. */
const MOST_PARTS = 4;
