import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Day } from '../dates.ts';

/** What the database contains for a state in one layer, and what it lacks; see the migration `0029-coverage-of-a-state.ts`. */
export interface CoverageRow {
  readonly layer: string;
  readonly kind: string | null;
  readonly records: number;
  readonly covered: number;
  readonly first_day: Day | null;
  readonly last_day: Day | null;
  readonly as_of: Day | null;
  readonly missing: string | null;
}

/** Returns the types of the elections that districts of a state hold, sorted; `General` and others. */
export async function electionTypesOf(db: Database, state: string): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`/* provenance.electionTypes */
    select distinct e.type from elections e join districts d on d.id = e.district_id
    where d.state = ${state} order by e.type`.execute(db);
  return rows.map(({ type }) => type);
}

/** Returns the layers of a state (two letters) on a day, in order; none if there is no such state. */
export async function coverageOfState(db: Database, state: string, day: Day): Promise<CoverageRow[]> {
  const { rows } = await sql<CoverageRow>`/* provenance.coverageOfState */
    select layer, kind, records, covered, first_day, last_day, as_of, missing
    from coverage_on(${day}::date, ${state}) order by ordinal, kind`.execute(db);
  return rows;
}
