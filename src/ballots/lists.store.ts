import { type RawBuilder, sql } from 'kysely';
import type { DateRange } from '../elections/date-range.ts';
import type { RowScope } from '../graphql/in-sql.ts';
import { dateColumn, intColumn, type RecordList, type SortOrder, textColumn } from '../graphql/keyset.ts';
import {
  type DistrictConditions,
  districtConditions,
  nameCondition,
  type OfficeFilter,
  officeConditions,
} from '../officials/lists.store.ts';
import { measureRows } from './ballots.store.ts';
import { candidateRows } from './candidates.store.ts';

type Scope = Pick<RowScope, 'isGranted'>;

/** Conditions for a race, its election, and its office. */
export interface RaceFilter extends OfficeFilter, DateRange {
  /** Case-insensitive. */
  readonly stages?: readonly string[] | null | undefined;
}

const BY_DATE = ['election date, then by id', [dateColumn('e.date'), intColumn('r.id')]] as const;

export const RACE_ORDERS = {
  DATE: BY_DATE,
  BALLOT: [
    'election date, then by rank of the office on the ballot, name of the office and id',
    [dateColumn('e.date'), intColumn('o.ballot_rank'), textColumn('o.name'), intColumn('r.id')],
  ],
} as const;

/** The tables by which a race `race` is found. */
const OF_RACE = (race: string) => `join elections e on e.id = ${race}.election_id
  join offices o on o.id = ${race}.office_id join districts d on d.id = o.district_id`;

/** Returns the list of the races that match a filter. */
export function racesWhere(filter: RaceFilter, order: SortOrder): RecordList {
  return {
    name: 'ballots.races',
    from: sql`races r ${sql.raw(OF_RACE('r'))}`,
    where: raceConditions(filter, 'r'),
    order,
  };
}

function raceConditions({ from, to, stages, ...filter }: RaceFilter, race: string): RecordList['where'] {
  const lowerCase = stages?.map((stage) => stage.toLowerCase());
  return [
    ...dateConditions({ from, to }),
    lowerCase ? sql`lower(${sql.ref(`${race}.stage_type`)}) = any(${lowerCase}::text[])` : undefined,
    ...officeConditions(filter, 'o'),
  ];
}

function dateConditions({ from, to }: DateRange): (RawBuilder<unknown> | undefined)[] {
  return [from == null ? undefined : sql`e.date >= ${from}::date`, to == null ? undefined : sql`e.date <= ${to}::date`];
}

export const CANDIDATE_ORDERS = {
  NAME: ['name of the person, then by id', [textColumn('p.name'), intColumn('r.id')]],
  DATE: [
    'election date, then by name of the person and id',
    [dateColumn('e.date'), textColumn('p.name'), intColumn('r.id')],
  ],
} as const;

export interface CandidateFilter extends RaceFilter {
  /** The ids of parties. */
  readonly parties?: readonly number[] | null | undefined;
  /** Part of the name of the person, case-insensitive. */
  readonly name?: string | null | undefined;
}

/** Returns the list of the candidates that match a filter, with the columns that the caller may see. */
export function candidatesWhere(
  { parties, name, ...filter }: CandidateFilter,
  order: SortOrder,
  scope: Scope,
): RecordList {
  const hasParty = sql`exists (
    select from candidate_parties listed where listed.candidate_id = r.id and listed.party_id = any(${parties}::int[]))`;
  return {
    name: 'ballots.candidates',
    from: sql`${sql.raw(candidateRows(scope))} r join races race on race.id = r.race_id ${sql.raw(OF_RACE('race'))}
      join persons p on p.id = r.person_id`,
    where: [...raceConditions(filter, 'race'), parties ? hasParty : undefined, nameCondition('p.name', name)],
    order,
  };
}

export const MEASURE_ORDERS = {
  DATE: BY_DATE,
  NAME: ['name, then by id', [textColumn('r.name'), intColumn('r.id')]],
} as const;

export interface MeasureFilter extends DistrictConditions, DateRange {
  /** Part of the name or of the official title, case-insensitive. */
  readonly text?: string | null | undefined;
}

/** Returns the list of the ballot measures that match a filter, with the columns that the caller may see. */
export function measuresWhere(
  { from, to, text, ...filter }: MeasureFilter,
  order: SortOrder,
  scope: Scope,
): RecordList {
  const inTitle = nameCondition('r.official_title', text);
  return {
    name: 'ballots.ballotMeasures',
    from: sql`${sql.raw(measureRows(scope))} r join elections e on e.id = r.election_id
      join districts d on d.id = r.district_id`,
    where: [
      ...dateConditions({ from, to }),
      ...districtConditions(filter),
      inTitle && sql`(${nameCondition('r.name', text)} or ${inTitle})`,
    ],
    order,
  };
}
