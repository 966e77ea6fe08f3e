import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { District, Election } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import { records } from '../graphql/records.ts';

/** An election with the state of the district that holds it. */
export interface ElectionRow extends Selectable<Election>, Pick<Selectable<District>, 'state'> {
  /** Whether it was found in a way that makes its id visible without a grant: by a point or by its id. */
  readonly id_is_open: boolean;
}

/**
 * Returns an SQL subquery with the rows of all elections.
 * @param idIsOpen the value of `id_is_open`.
 */
export function electionRows(idIsOpen: boolean): string {
  return `(
    select e.id, e.date, e.type, e.district_id, e.description, e.candidate_lists_complete, holder.state,
      ${idIsOpen} as id_is_open
    from elections e join districts holder on holder.id = e.district_id)`;
}

export const elections = records<ElectionRow>({ name: 'elections.electionById', rows: () => electionRows(false) });

/** Elections that were found by a point or by their id. */
export const openElections = records<ElectionRow>({
  name: 'elections.openElectionById',
  rows: () => electionRows(true),
});

export interface ElectionFilter {
  readonly state?: string | undefined;
  /** Case-insensitive. */
  readonly types?: readonly string[] | undefined;
  readonly year?: number | undefined;
  readonly date?: Day | undefined;
  /** The first day. */
  readonly from?: Day | undefined;
}

/** Returns a page of the elections that match the filter, sorted by date, then by id. */
export async function pageOfElections(
  db: Database,
  filter: ElectionFilter,
  offset: number,
  limit: number,
): Promise<ElectionRow[]> {
  const found = await sql<ElectionRow>`
    /* elections.pageOfElections */
    select *
    from ${sql.raw(electionRows(false))} election
    where ${fits(filter)}
    order by date, id
    limit ${limit} offset ${offset}`.execute(db);
  return found.rows;
}

export async function countElections(db: Database, filter: ElectionFilter): Promise<number> {
  const found = await sql<{ count: number }>`
    /* elections.countElections */
    select count(*) as count
    from ${sql.raw(electionRows(false))} election
    where ${fits(filter)}`.execute(db);
  return found.rows[0]?.count ?? 0;
}

function fits({ state, types, year, date, from }: ElectionFilter): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (state !== undefined) conditions.push(sql`state = ${state}`);
  if (types) conditions.push(sql`lower(type) = any(${types.map((type) => type.toLowerCase())}::text[])`);
  if (year !== undefined)
    conditions.push(sql`date between make_date(${year}::int, 1, 1) and make_date(${year}::int, 12, 31)`);
  if (date !== undefined) conditions.push(sql`date = ${date}::date`);
  if (from !== undefined) conditions.push(sql`date >= ${from}::date`);
  return sql.join(conditions, sql` and `);
}
