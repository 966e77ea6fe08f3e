import { type Expression, expressionBuilder, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import { STATES } from '../../base/words/states.ts';
import type { Database } from '../../store/sql/database.ts';
import { anyOf, caseOf, columnsOf, concat, joined, literal, makeDate } from '../../store/sql/functions.ts';
import { electionKey, electionNumber, electionNumberInCursor } from '../../store/sql/migration-functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import { lowerCase } from '../../store/sql/text-functions.ts';
import { dateColumn, type RecordList, type SortColumn, type SortOrder } from '../builder/keyset.ts';
import { type RecordOf, records } from '../builder/records.ts';
import { nullableRelation } from '../builder/relation.ts';

/**
 * Returns the query of all elections `e`, with the state of the district `holder` that holds them, and with their keys:
 * the numbers encrypted, as packages without the grant `election_ids` do not include the numbers.
 */
export function electionRows() {
  return query
    .selectFrom('elections as e')
    .innerJoin('districts as holder', 'holder.id', 'e.district_id')
    .select(['e.id', 'e.date', 'e.type', 'e.district_id', 'e.description'])
    .select(['e.candidate_lists_complete', 'e.status', 'e.voting'])
    .select(({ ref }) => ['holder.state', electionKey(ref('e.id')).as('key')])
    .select(({ ref }) => electionName(ref('e.type'), ref('holder.state')).as('name'));
}

const STATE_NAMES = [
  ['US', 'the United States'],
  ...STATES.map(({ postal, name }) => [postal, name] as const),
] as const;

/** Returns the name of an election for people by its type and its state, which may be null. */
function electionName(type: Expression<string>, state: Expression<string | null>) {
  const { fn } = expressionBuilder();
  const noun = caseOf(lowerCase(fn('right', [type, sql.lit(8)])), [['election', '']], literal(' election'));
  return joined(' in ', [concat([type, noun]), caseOf(state, STATE_NAMES, state)]);
}

export const elections = records({ name: 'elections.electionById', rows: electionRows });

/** An election with the state of the district that holds it, and its key. */
export type ElectionRow = RecordOf<typeof elections>;

/** Returns whether a text has the form of the key of an election. */
export function isElectionKey(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{32}$/.test(text);
}

/** The election with a key. */
export const electionByKey = nullableRelation({
  name: 'elections.electionByKey',
  key: { key: 'text' },
  rows: ({ key }) => electionRows().where('e.id', '=', electionNumber(key)),
});

const listed = columnsOf<ElectionRow>('r');

/** The number of an election as the last column of an order. Cursors contain the key instead. */
const electionIdColumn: SortColumn = {
  value: listed('id'),
  type: 'int',
  inCursor: { value: listed('key'), read: (key) => electionNumberInCursor(sql`${key}`) },
  isValid: isElectionKey,
};

/** The election office of the state of a district. */
export const electionOfficeOfDistrict = nullableRelation({
  name: 'elections.electionOfficeOfDistrict',
  key: { state: 'text' },
  distinctOn: ['state'],
  rows: ({ state }) =>
    query
      .selectFrom('election_offices as office')
      .select(['office.state', 'office.name', 'office.website', 'office.source', 'office.as_of'])
      .where('office.state', '=', state),
});

export type ElectionOfficeRow = NonNullable<Awaited<ReturnType<typeof electionOfficeOfDistrict.load>>>;

/** Returns the types of the elections that districts of a state hold, sorted; `General` and others. */
export async function electionTypesOf(db: Database, state: string): Promise<string[]> {
  const found = query
    .selectFrom('elections as e')
    .innerJoin('districts as d', 'd.id', 'e.district_id')
    .where('d.state', '=', state)
    .select('e.type')
    .distinct()
    .orderBy('e.type');
  return (await rowsOf(db, 'provenance.electionTypes', found)).map(({ type }) => type);
}

export interface ElectionFilter {
  readonly state?: string | undefined;
  /** Case-insensitive. */
  readonly types?: readonly string[] | undefined;
  readonly year?: number | undefined;
  readonly date?: Day | undefined;
  /** The first day. */
  readonly from?: Day | undefined;
  /** The last day. */
  readonly to?: Day | undefined;
}

export const ELECTION_ORDERS = {
  DATE: ['date, then by id', [dateColumn(listed('date')), electionIdColumn]],
} as const;

/** Returns the list of the elections that match a filter. */
export function electionsWhere(
  { state, types, year, date, from, to }: ElectionFilter,
  order: SortOrder,
): RecordList<ElectionRow> {
  let rows = query.selectFrom(electionRows().as('r')).selectAll('r');
  if (state !== undefined) rows = rows.where('r.state', '=', state);
  if (types) {
    const lowerCase = types.map((type) => type.toLowerCase());
    rows = rows.where(({ eb, fn }) => eb(fn('lower', ['r.type']), '=', anyOf('text', lowerCase)));
  }
  if (year !== undefined) {
    rows = rows.where(({ between }) => between('r.date', makeDate(year, 1, 1), makeDate(year, 12, 31)));
  }
  if (date !== undefined) rows = rows.where('r.date', '=', date);
  if (from !== undefined) rows = rows.where('r.date', '>=', from);
  if (to !== undefined) rows = rows.where('r.date', '<=', to);
  return { name: 'elections.elections', kind: 'election', id: listed('id'), rows, order };
}
