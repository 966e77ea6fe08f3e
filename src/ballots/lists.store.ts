import { type RawBuilder, sql } from 'kysely';
import { isAnyOf } from '../database/sql.ts';
import type { DateRange } from '../elections/date-range.ts';
import type { RowScope } from '../graphql/in-sql.ts';
import { allOf, dateColumn, intColumn, type RecordList, type SortOrder, textColumn } from '../graphql/keyset.ts';
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
    kind: 'race',
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
  return {
    name: 'ballots.candidates',
    kind: 'candidate',
    from: sql`${sql.raw(candidateRows(scope))} r join races race on race.id = r.race_id ${sql.raw(OF_RACE('race'))}
      join persons p on p.id = r.person_id`,
    where: [...raceConditions(filter, 'race'), partyCondition('r', parties), nameCondition('p.name', name)],
    order,
  };
}

/** Returns the condition that one of the parties nominated a candidate; undefined, which is no condition, without parties. */
function partyCondition(candidate: string, parties: CandidateFilter['parties']): RawBuilder<unknown> | undefined {
  return parties == null
    ? undefined
    : sql`exists (
        select from candidate_parties listed
        where listed.candidate_id = ${sql.ref(`${candidate}.id`)} and listed.party_id = any(${parties}::int[]))`;
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
    kind: 'ballot_measure',
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

export const PERSON_ORDERS = {
  NAME: ['name, then by id', [textColumn('r.name'), intColumn('r.id')]],
  LAST_NAME: [
    'family name (where it is not known, by the full name), then by name and id',
    [textColumn('coalesce(r.last_name, r.name) collate "C"'), textColumn('r.name'), intColumn('r.id')],
  ],
} as const;

/** Conditions for one term of a person, or for one candidacy. */
export interface PersonFilter extends OfficeFilter, DateRange {
  /** The ids of parties. */
  readonly parties?: readonly number[] | null | undefined;
}

/**
 * Returns the list of the people whose name contains a text and who have a term or a candidacy that matches a filter;
 * without conditions, of all people. Only terms and candidacies that the caller may see count.
 */
export function peopleWhere(
  name: string | null | undefined,
  filter: PersonFilter,
  order: SortOrder,
  { isGranted }: Scope,
): RecordList {
  const found = [
    ...(isGranted('officeholders') ? [personsInOffice(filter)] : []),
    ...(isGranted('elections') ? [personsWhoRun(filter)] : []),
  ];
  const hasCondition = Object.values(filter).some((condition) => condition != null);
  return {
    name: 'officials.people',
    kind: 'person',
    from: sql`persons r`,
    where: [nameCondition('r.name', name), hasCondition ? sql`r.id in (${sql.join(found, sql` union `)})` : undefined],
    order,
  };
}

/**
 * A term is in a range of days if it is on its first day in the range: on the first of the range, or on its own. Which
 * term counts on a day is the rule of `officeholders_in_office`.
 */
function personsInOffice({ from, to, parties, ...filter }: PersonFilter): RawBuilder<unknown> {
  const start = sql`coalesce(term.start_date, term.first_shown, '-infinity')`;
  return sql`
    select term.person_id from officeholders term
    join offices o on o.id = term.office_id join districts d on d.id = o.district_id
    where ${allOf([
      ...officeConditions(filter, 'o'),
      isAnyOf('term.partisan_affiliation', 'int', parties),
      to == null ? undefined : sql`${start} <= ${to}::date`,
      from == null
        ? undefined
        : sql`exists (
            select from officeholders_in_office(greatest(${from}::date, ${start})) held where held.id = term.id)`,
    ])}`;
}

function personsWhoRun({ parties, ...filter }: PersonFilter): RawBuilder<unknown> {
  return sql`
    select c.person_id from candidates c join races race on race.id = c.race_id ${sql.raw(OF_RACE('race'))}
    where ${allOf([...raceConditions(filter, 'race'), partyCondition('c', parties)])}`;
}
