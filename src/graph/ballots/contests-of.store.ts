import { type Expression, expressionBuilder, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import { anyIn, daysBefore, literal } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DB } from '../../store/sql/tables.ts';
import { nullableRelation, relation } from '../builder/relation.ts';
import type { Scope } from '../builder/scope.ts';
import { checkRange, type DateRange } from '../elections/date-range.ts';
import { termsWithStatus } from '../officials/officials.store.ts';
import { measureRows, RACE } from './ballots.store.ts';

export interface RacesArgs extends DateRange {
  /** The stages of the races, case-insensitive. */
  readonly stages?: readonly string[] | null | undefined;
}

/** Returns the condition that a date is within the range of the arguments. */
function isInRange(date: Expression<Day>, { param }: Scope<DateRange>) {
  const { eb, or, and } = expressionBuilder();
  const [from, to] = [param('date', (args) => args.from ?? null), param('date', (args) => args.to ?? null)];
  return and([or([eb(from, 'is', null), eb(date, '>=', from)]), or([eb(to, 'is', null), eb(date, '<=', to)])]);
}

/** Returns the query of the races `race` with their dates and offices, in the range and of the stages of the arguments. */
function racesIn({ param }: Scope<RacesArgs>) {
  const stages = param('text[]', (args) => args.stages?.map((stage) => stage.toLowerCase()) ?? null);
  return query
    .selectFrom('offices as office')
    .innerJoin('races as race', 'race.office_id', 'office.id')
    .innerJoin('elections as election', 'election.id', 'race.election_id')
    .select([...RACE, 'election.date as election_date', 'office.ballot_rank', 'office.name as office_name'])
    .where(({ ref }) => isInRange(ref('election.date'), { param } as Scope<DateRange>))
    .where(({ eb, fn, or }) => or([eb(stages, 'is', null), eb(fn('lower', ['race.stage_type']), '=', anyIn(stages))]));
}

/** The races for the offices of a district, latest election first, those of one day in the order of a ballot. */
export const racesOfDistrict = relation({
  name: 'ballots.racesOfDistrict',
  key: { id: 'int' },
  check: checkRange,
  rows: ({ id }, scope: Scope<RacesArgs>) => racesIn(scope).where('office.district_id', '=', id),
  orderBy: [['election_date', 'desc'], 'ballot_rank', 'office_name', 'id'],
});

/** The races for an office, latest election first. */
export const racesOfOffice = relation({
  name: 'ballots.racesOfOffice',
  key: { id: 'int' },
  check: checkRange,
  rows: ({ id }, scope: Scope<RacesArgs>) => racesIn(scope).where('office.id', '=', id),
  orderBy: [['election_date', 'desc'], 'ballot_rank', 'office_name', 'id'],
});

/** The ballot measures of a district, latest election first, those of one day by name. */
export const measuresOfDistrict = relation({
  name: 'ballots.measuresOfDistrict',
  key: { id: 'int' },
  check: checkRange,
  rows: ({ id }, scope: Scope<DateRange>) =>
    query
      .selectFrom(measureRows(scope).where('m.district_id', '=', id).as('measure'))
      .selectAll('measure')
      .where(({ ref }) => isInRange(ref('measure.election_date'), scope)),
  orderBy: [['election_date', 'desc'], 'name', 'id'],
});

/** Returns the query of the id of the race by which a term `term` began; without a row if it is not known. */
function raceOfTerm() {
  const term = expressionBuilder<{ term: DB['officeholders'] }, 'term'>();
  return query
    .selectFrom('races as won')
    .innerJoin('elections as held', 'held.id', 'won.election_id')
    .innerJoin('candidates as winner', 'winner.race_id', 'won.id')
    .select('won.id')
    .where('won.office_id', '=', term.ref('term.office_id'))
    .where('winner.person_id', '=', term.ref('term.person_id'))
    .where('winner.cand_status', '=', literal('Won'))
    .where('won.stage_type', 'not in', [literal('Primary'), literal('Primary Runoff')])
    .where('held.date', '>=', daysBefore(term.ref('term.start_date').$notNull(), 366))
    .where('held.date', '<=', term.ref('term.start_date').$notNull())
    .orderBy('held.date', 'desc')
    .orderBy('won.id')
    .limit(sql.lit(1));
}

/**
 * The race by which a term of an officeholder began: the latest one for the office that the person won in the 366 days
 * before the first day.
 */
export const raceOfOfficeholder = nullableRelation({
  name: 'ballots.raceOfOfficeholder',
  key: { id: 'int' },
  rows: ({ id }, { isGranted }) =>
    query
      .selectFrom('races as race')
      .select(RACE)
      .where(({ eb, selectFrom }) => {
        const began = selectFrom('officeholders as term').select(raceOfTerm().as('id')).where('term.id', '=', id);
        return eb('race.id', '=', began);
      })
      .where(sql.lit(isGranted('elections'))),
});

/** The terms that began by a race, with their status of today. */
export const officeholdersOfRace = relation({
  name: 'ballots.officeholdersOfRace',
  key: { id: 'int' },
  rows: ({ id }, { isGranted, today }) =>
    termsWithStatus(today)
      .innerJoin('races as race', 'race.office_id', 'term.office_id')
      .where('race.id', '=', id)
      .where(({ eb, ref }) => eb(raceOfTerm(), '=', ref('race.id')))
      .where(sql.lit(isGranted('officeholders'))),
  orderBy: ['start_date', 'id'],
});
