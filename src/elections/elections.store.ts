import { type Selectable, sql } from 'kysely';
import type { District, Election, ElectionOffice } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import type { DistrictRow } from '../districts/districts.store.ts';
import { dateColumn, type RecordList, type SortColumn, type SortOrder } from '../graphql/keyset.ts';
import { records } from '../graphql/records.ts';
import { objectRelation } from '../graphql/relation.ts';
import type { ValuesOf } from '../graphql/update-times.ts';

/** An election with the state of the district that holds it, and its key. */
export type ElectionRow = ValuesOf<Election> &
  Pick<Selectable<District>, 'state'> & {
    /** The number encrypted: packages without the grant `election_ids` do not include the number. */
    readonly key: string;
  };

/** An SQL subquery with the rows of all elections. */
export const electionRows = `(
  select e.id, e.date, e.type, e.district_id, e.description, e.candidate_lists_complete, e.status, holder.state,
    election_key(e.id) as key
  from elections e join districts holder on holder.id = e.district_id)`;

export const elections = records<ElectionRow>({ name: 'elections.electionById', rows: () => electionRows });

/** Returns whether a text has the form of the key of an election. */
export function isElectionKey(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{32}$/.test(text);
}

/** The election with a key. */
export const electionByKey = objectRelation<{ readonly key: string }, ElectionRow | null>({
  name: 'elections.electionByKey',
  parentKey: { key: 'text' },
  from: ({ key }, { row }) => `${electionRows} ${row} where ${row}.id = election_number(${key})`,
});

/** The number of an election as the last column of an order. Cursors contain the key instead. */
const electionIdColumn: SortColumn = {
  sql: 'r.id',
  type: 'int',
  inCursor: { sql: 'r.key', read: (key) => sql`election_number(${key})` },
  isValid: isElectionKey,
};

export type ElectionOfficeRow = Selectable<ElectionOffice>;

/** The election office of the state of a district. */
export const electionOfficeOfDistrict = objectRelation<Pick<DistrictRow, 'state'>, ElectionOfficeRow | null>({
  name: 'elections.electionOfficeOfDistrict',
  parentKey: { state: 'text' },
  distinctOn: ['state'],
  from: ({ state }, { row }) => `election_offices ${row} where ${row}.state = ${state}`,
});

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
  DATE: ['date, then by id', [dateColumn('r.date'), electionIdColumn]],
} as const;

/** Returns the list of the elections that match a filter. */
export function electionsWhere({ state, types, year, date, from, to }: ElectionFilter, order: SortOrder): RecordList {
  return {
    name: 'elections.elections',
    kind: 'election',
    from: sql`${sql.raw(electionRows)} r`,
    where: [
      state === undefined ? undefined : sql`r.state = ${state}`,
      types && sql`lower(r.type) = any(${types.map((type) => type.toLowerCase())}::text[])`,
      year === undefined
        ? undefined
        : sql`r.date between make_date(${year}::int, 1, 1) and make_date(${year}::int, 12, 31)`,
      date === undefined ? undefined : sql`r.date = ${date}::date`,
      from === undefined ? undefined : sql`r.date >= ${from}::date`,
      to === undefined ? undefined : sql`r.date <= ${to}::date`,
    ],
    order,
  };
}
