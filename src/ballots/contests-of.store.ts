import type { Day } from '../dates.ts';
import type { DistrictRow } from '../districts/districts.store.ts';
import { checkRange, type DateRange } from '../elections/date-range.ts';
import type { RowScope } from '../graphql/in-sql.ts';
import { objectRelation, relation } from '../graphql/relation.ts';
import type { OfficeholderRow, OfficeRow } from '../officials/officials.store.ts';
import { type MeasureRow, measureRows, type RaceRow } from './ballots.store.ts';

export interface RacesArgs extends DateRange {
  /** The stages of the races, case-insensitive. */
  readonly stages?: readonly string[] | null | undefined;
}

/** Returns the SQL condition that a date is within the range of the arguments. */
function isInRange(date: string, { parameter }: Pick<RowScope<DateRange>, 'parameter'>): string {
  const bound = (find: (range: DateRange) => Day | null | undefined) => parameter('date', (args) => find(args) ?? null);
  const [from, to] = [bound((range) => range.from), bound((range) => range.to)];
  return `(${from} is null or ${date} >= ${from}) and (${to} is null or ${date} <= ${to})`;
}

/** Returns SQL for the races with their dates whose office matches a condition. */
function racesWhere(condition: string, { row, parameter }: RowScope<RacesArgs>): string {
  const stages = parameter('text[]', (args) => args.stages?.map((stage) => stage.toLowerCase()) ?? null);
  return `(
    select race.*, election.date as election_date, office.ballot_rank, office.name as office_name
    from offices office
    join races race on race.office_id = office.id
    join elections election on election.id = race.election_id
    where ${condition} and ${isInRange('election.date', { parameter })}
      and (${stages} is null or lower(race.stage_type) = any(${stages}))) ${row}`;
}

const LATEST_FIRST = ({ row }: RowScope<RacesArgs>) =>
  `${row}.election_date desc, ${row}.ballot_rank, ${row}.office_name, ${row}.id`;

/** The races for the offices of a district, latest election first, those of one day in the order of a ballot. */
export const racesOfDistrict = relation<Pick<DistrictRow, 'id'>, RaceRow, RacesArgs>({
  name: 'ballots.racesOfDistrict',
  parentKey: { id: 'int' },
  check: checkRange,
  from: ({ id }, scope) => racesWhere(`office.district_id = ${id}`, scope),
  orderBy: LATEST_FIRST,
});

/** The races for an office, latest election first. */
export const racesOfOffice = relation<Pick<OfficeRow, 'id'>, RaceRow, RacesArgs>({
  name: 'ballots.racesOfOffice',
  parentKey: { id: 'int' },
  check: checkRange,
  from: ({ id }, scope) => racesWhere(`office.id = ${id}`, scope),
  orderBy: LATEST_FIRST,
});

/** The ballot measures of a district, latest election first, those of one day by name. */
export const measuresOfDistrict = relation<Pick<DistrictRow, 'id'>, MeasureRow, DateRange>({
  name: 'ballots.measuresOfDistrict',
  parentKey: { id: 'int' },
  check: checkRange,
  from: ({ id }, scope) => `(
    select measure.* from ${measureRows(scope)} measure
    where measure.district_id = ${id} and ${isInRange('measure.election_date', scope)}) ${scope.row}`,
  orderBy: ({ row }) => `${row}.election_date desc, ${row}.name, ${row}.id`,
});

/** Returns the SQL expression for the id of the race by which a term began; null if it is not known. */
function raceOfTerm(term: string): string {
  return `(
    select won.id from races won
    join elections held on held.id = won.election_id
    join candidates winner on winner.race_id = won.id
    where won.office_id = ${term}.office_id and winner.person_id = ${term}.person_id and winner.cand_status = 'Won'
      and won.stage_type not in ('Primary', 'Primary Runoff')
      and held.date between ${term}.start_date - 366 and ${term}.start_date
    order by held.date desc, won.id limit 1)`;
}

/**
 * The race by which a term of an officeholder began: the latest one for the office that the person won in the 366 days
 * before the first day.
 */
export const raceOfOfficeholder = objectRelation<Pick<OfficeholderRow, 'id'>, RaceRow | null>({
  name: 'ballots.raceOfOfficeholder',
  parentKey: { id: 'int' },
  from: ({ id }, { row, isGranted }) => `races ${row}
    where ${row}.id = (select ${raceOfTerm('term')} from officeholders term where term.id = ${id})
      and ${isGranted('elections')}`,
});

/** The terms that began by a race, with their status of today. */
export const officeholdersOfRace = relation<Pick<RaceRow, 'id'>, OfficeholderRow>({
  name: 'ballots.officeholdersOfRace',
  parentKey: { id: 'int' },
  from: ({ id }, { row, isGranted, parameter }) => `(
    select term.* from races race
    join officeholders_with_status(${parameter('date', (_, { today }) => today)}) term on term.office_id = race.office_id
    where race.id = ${id} and ${raceOfTerm('term')} = race.id and ${isGranted('officeholders')}) ${row}`,
  orderBy: ({ row }) => `${row}.start_date, ${row}.id`,
});
