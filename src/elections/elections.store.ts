import { hash } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { District, Election } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import { dateColumn, intColumn, type SortOrder } from '../graphql/keyset.ts';
import { records } from '../graphql/records.ts';
import { objectRelation } from '../graphql/relation.ts';

/** An election with the state of the district that holds it. */
export type ElectionRow = Selectable<Election> & Pick<Selectable<District>, 'state'>;

/** An SQL subquery with the rows of all elections. */
export const electionRows = `(
  select e.id, e.date, e.type, e.district_id, e.description, e.candidate_lists_complete, holder.state
  from elections e join districts holder on holder.id = e.district_id)`;

export const elections = records<ElectionRow>({ name: 'elections.electionById', rows: () => electionRows });

/**
 * Returns the key of an election in its global id. It is not the number, which packages without the grant
 * `election_ids` do not include.
 */
export function electionKey(id: number): string {
  return hash('md5', `election ${id}`);
}

/** Returns whether a text is such a key, of an election or of none. */
export function isElectionKey(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** Returns the SQL expression for the same key, which has an index. */
export function electionKeyInSql(id: string): string {
  return `md5('election ' || ${id}::text)`;
}

/** The election with the key in its global id. */
export const electionByKey = objectRelation<{ readonly key: string }, ElectionRow | null>({
  name: 'elections.electionByKey',
  parentKey: { key: 'text' },
  from: ({ key }, { row }) => `${electionRows} ${row} where ${electionKeyInSql(`${row}.id`)} = ${key}`,
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
  DATE: ['date, then by id', [dateColumn('date'), intColumn('id')]],
} as const;

/** Returns a page of the elections that match the filter. */
export async function pageOfElections(
  db: Database,
  filter: ElectionFilter,
  { columns, isDescending }: SortOrder,
  offset: number,
  limit: number,
): Promise<ElectionRow[]> {
  const found = await sql<ElectionRow>`
    /* elections.pageOfElections */
    select *
    from ${sql.raw(electionRows)} election
    where ${fits(filter)}
    order by ${sql.join(columns.map((column) => sql.raw(`${column.sql} ${isDescending ? 'desc' : 'asc'}`)))}
    limit ${limit} offset ${offset}`.execute(db);
  return found.rows;
}

export async function countElections(db: Database, filter: ElectionFilter): Promise<number> {
  const found = await sql<{ count: number }>`
    /* elections.countElections */
    select count(*) as count
    from ${sql.raw(electionRows)} election
    where ${fits(filter)}`.execute(db);
  return found.rows[0]?.count ?? 0;
}

function fits({ state, types, year, date, from, to }: ElectionFilter): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (state !== undefined) conditions.push(sql`state = ${state}`);
  if (types) conditions.push(sql`lower(type) = any(${types.map((type) => type.toLowerCase())}::text[])`);
  if (year !== undefined)
    conditions.push(sql`date between make_date(${year}::int, 1, 1) and make_date(${year}::int, 12, 31)`);
  if (date !== undefined) conditions.push(sql`date = ${date}::date`);
  if (from !== undefined) conditions.push(sql`date >= ${from}::date`);
  if (to !== undefined) conditions.push(sql`date <= ${to}::date`);
  return sql.join(conditions, sql` and `);
}
