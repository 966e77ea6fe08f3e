import type { BallotMeasure, Race } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import type { RowScope } from '../graphql/in-sql.ts';
import { records } from '../graphql/records.ts';
import { objectRelation } from '../graphql/relation.ts';
import type { ValuesOf } from '../graphql/update-times.ts';
import { OPEN_MEASURE_STATUSES, visibleStatus } from './results.ts';

export type RaceRow = ValuesOf<Race>;

type TotalColumns = 'yes_votes_total' | 'no_votes_total';

/** A measure with its election date. Vote totals are present only for callers who may see results. */
export interface MeasureRow
  extends Omit<ValuesOf<BallotMeasure>, TotalColumns>,
    Partial<Pick<ValuesOf<BallotMeasure>, TotalColumns>> {
  readonly election_date: Day;
}

export const races = records<RaceRow>({ name: 'ballots.raceById', rows: () => 'races' });

/** Returns an SQL subquery with the columns of measures that the caller may see. */
export function measureRows(scope: Pick<RowScope, 'isGranted'>): string {
  const totals = scope.isGranted('results') ? ', m.yes_votes_total, m.no_votes_total' : '';
  return `(
    select m.id, m.election_id, m.district_id, m.name, m.type, m.official_title, m.yes_vote, m.no_vote, m.url,
      (select date from elections e where e.id = m.election_id) as election_date,
      ${visibleStatus('m.status', OPEN_MEASURE_STATUSES, scope)} as status${totals}
    from ballot_measures m)`;
}

export const measures = records<MeasureRow>({ name: 'ballots.measureById', rows: measureRows });

export type BoundaryReason =
  | 'ONLY_ONE_MAP'
  | 'SPECIAL_BEFORE_END_OF_OLDER_MAP'
  | 'SPECIAL_ON_NEWEST_MAP'
  | 'SWORN_IN_AFTER_END_OF_OLDER_MAP'
  | 'SWORN_IN_ON_OLDEST_MAP'
  | 'SWEARING_IN_DATE_NOT_KNOWN'
  | 'NO_MAP_IN_EFFECT';

/** The boundary that a race uses, the reason for it, and the day that determines it. */
export interface RaceBoundaryRow {
  readonly race_id: number;
  /** Null if the reference day is before the first known boundary of the district, or after the last one. */
  readonly boundary_id: number | null;
  readonly reason: BoundaryReason;
  readonly reference_day: Day;
}

const other = (condition: string) =>
  `exists (select from boundaries other where other.district_id = office.district_id and ${condition})`;

/** SQL expression for the reason; `used` is the boundary that a race uses. */
const reason = `case
  when used.id is null then 'NO_MAP_IN_EFFECT'
  when not ${other('other.id <> used.id')} then 'ONLY_ONE_MAP'
  when race.type = 'Special' then
    case when ${other('other.start_date > used.start_date')} then 'SPECIAL_BEFORE_END_OF_OLDER_MAP'
      else 'SPECIAL_ON_NEWEST_MAP' end
  when race.swearing_in_date is null then 'SWEARING_IN_DATE_NOT_KNOWN'
  when ${other('other.start_date < used.start_date')} then 'SWORN_IN_AFTER_END_OF_OLDER_MAP'
  else 'SWORN_IN_ON_OLDEST_MAP' end`;

/** The boundary that a race uses (specification, Boundary-in-effect rules, 3 to 5; contract, Boundary of a race). */
export const boundaryOfRace = objectRelation<RaceRow, RaceBoundaryRow>({
  name: 'ballots.boundaryOfRace',
  parentKey: { id: 'int' },
  from: ({ id }, { row }) => `(
    select race.id as race_id, used.id as boundary_id, reference.day as reference_day, ${reason} as reason
    from races race
    join elections election on election.id = race.election_id
    join offices office on office.id = race.office_id
    cross join lateral (
      select race_reference_day(race.type, race.year, race.swearing_in_date, election.date) as day) reference
    left join lateral (
      select id, start_date from boundaries_for_races(reference.day)
      where district_id = office.district_id) used on true
    where race.id = ${id}) ${row}`,
});
