import type { Database } from '../../src/store/sql/database.ts';
import { VOTE } from './election-world.ts';

/** Stores the votes of two precincts of a race of the election world: one count is hidden, and ten votes are in no precinct. */
export async function insertPrecincts(db: Database, source_id: number, district_id: number | null = null) {
  const of = { source_id, race_id: VOTE.regularFirst, file: 'a.csv', candidate_ids: [802, 803] };
  await db
    .insertInto('precinct_results')
    .values([
      { ...of, county: 'GAMMA', town: '', precinct: '02', votes: [null, 240] as number[] },
      { ...of, county: 'GAMMA', town: '', precinct: '01', votes: [150, 350], district_id },
    ])
    .execute();
}
