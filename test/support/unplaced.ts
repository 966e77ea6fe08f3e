import type { Insertable } from 'kysely';
import type { Database } from '../../src/store/sql/database.ts';
import type { DB } from '../../src/store/sql/tables.ts';

type Contest = Omit<Insertable<DB['unplaced_contests']>, 'source_id' | 'names' | 'votes'> & {
  readonly names: readonly (readonly [name: string, party: string, votes: number])[];
};

export const CONTEST = {
  state: 'AA',
  date: '2022-11-08',
  stage: 'General',
  is_special: false,
  party: '',
  office: 'DRAIN COMMISSIONER',
  district: '',
  county: 'GAMMA',
  names: [
    ['ANN ROE', 'REPUBLICAN', 3_000_000_000],
    ['BO "B" LEE, JR.', '', 20],
  ],
} as const satisfies Contest;

/** Stores contests that are not placed, as those of a source. */
export async function insertUnplaced(db: Database, sourceId: number, contests: readonly Contest[]): Promise<void> {
  const rows = contests.map(({ names, ...contest }) => ({
    ...contest,
    source_id: sourceId,
    names: JSON.stringify(names.map(([name, party, votes]) => ({ name, party, votes }))),
    votes: names.reduce((sum, [, , votes]) => sum + votes, 0),
  }));
  await db.insertInto('unplaced_contests').values(rows).execute();
}
