import type { Day } from '../../base/dates.ts';
import type { Database } from '../../store/sql/database.ts';
import { typed } from '../../store/sql/functions.ts';
import { coverageOfVoting, coverageOn } from '../../store/sql/migration-functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';

/** What the database contains for a state in one layer, and what it lacks; see the migrations `0029-coverage-of-a-state.ts` and `0076-coverage-of-voting.ts`. */
export type CoverageRow = Awaited<ReturnType<typeof coverageOfState>>[number];

/** Returns the layers of a state (two letters) on a day, in order; none if there is no such state. */
export async function coverageOfState(db: Database, state: string, day: Day) {
  const [on, of] = [typed('date', day), typed('text', state)];
  const found = query
    .selectFrom(({ selectFrom }) =>
      selectFrom(coverageOn(on, of).as('layers'))
        .selectAll()
        .unionAll(selectFrom(coverageOfVoting(on, of).as('layers')).selectAll())
        .as('c'),
    )
    .leftJoinLateral(
      ({ selectFrom, ref }) =>
        selectFrom('unplaced_contests as u')
          .select(({ fn }) => [fn.countAll<number>().as('contests'), fn.sum<number | null>('u.votes').as('votes')])
          .where('u.state', '=', of)
          .where('u.date', '<=', on)
          .where(ref('c.layer'), '=', 'results')
          .as('unplaced'),
      (join) => join.onTrue(),
    )
    .select(['c.layer', 'c.kind', 'c.records', 'c.covered', 'c.first_day', 'c.last_day', 'c.as_of', 'c.missing'])
    .select(['unplaced.contests as unplaced', 'unplaced.votes as unplaced_votes'])
    .orderBy('c.ordinal')
    .orderBy('c.kind');
  return rowsOf(db, 'provenance.coverageOfState', found);
}
