import { type RawBuilder, sql } from 'kysely';
import { hasWords, isAnyOf } from '../database/sql.ts';
import type { DateRange } from '../elections/date-range.ts';
import type { RowScope } from '../graphql/in-sql.ts';
import {
  allOf,
  dateColumn,
  intColumn,
  type RecordList,
  rankedFirst,
  type SortOrder,
  textColumn,
} from '../graphql/keyset.ts';
import {
  type DistrictConditions,
  districtConditions,
  type OfficeFilter,
  officeConditions,
} from '../officials/lists.store.ts';
import { joinPersons, namedPersons } from '../officials/named-persons.store.ts';
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

/**
 * Returns a join with the rows of a table that belong to the row before, looked up one by one. PostgreSQL keeps that
 * order because of the OFFSET. Otherwise it scans all races of the country: it expects a few in the elections of a
 * day, where there are thousands (a page of the races of California on one day: 9 ms instead of 89).
 */
function eachOf(table: string, row: string, belongs: string): string {
  return `cross join lateral (select * from ${table} ${row}_found where ${row}_found.${belongs} offset 0) ${row}`;
}

/**
 * Returns the tables of races, with the alias `race`. A table that neither the conditions nor the order need costs nothing:
 * PostgreSQL removes left joins by a key.
 */
function racesFrom(filter: RaceFilter, race: string): string {
  return isOfDistricts(filter)
    ? `districts d ${eachOf('offices', 'o', 'district_id = d.id')} ${eachOf('races', race, 'office_id = o.id')}
       join elections e on e.id = ${race}.election_id`
    : `races ${race} join elections e on e.id = ${race}.election_id
       left join offices o on o.id = ${race}.office_id left join districts d on d.id = o.district_id`;
}

/** Returns the list of the races that match a filter. */
export function racesWhere(filter: RaceFilter, order: SortOrder): RecordList {
  return {
    name: 'ballots.races',
    kind: 'race',
    from: sql.raw(racesFrom(filter, 'r')),
    where: raceConditions(filter, 'r'),
    order,
  };
}

/** Returns whether a filter names districts: a country has many, a state few. */
function isOfDistricts({ state, districtId }: RaceFilter): boolean {
  return state !== undefined || districtId !== undefined;
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
  /** Words of the name of the person. */
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
    from:
      isOfDistricts(filter) && name == null
        ? sql`${sql.raw(racesFrom(filter, 'race'))} ${sql.raw(eachOf(candidateRows(scope), 'r', 'race_id = race.id'))}
            ${joinPersons(name, 'r.person_id')}`
        : sql`${sql.raw(candidateRows(scope))} r ${joinPersons(name, 'r.person_id')}
            join (${sql.raw(racesFrom(filter, 'race'))}) on race.id = r.race_id`,
    where: [...raceConditions(filter, 'race'), partyCondition('r', parties)],
    order: name == null ? order : rankedFirst(order, 'p.name_rank'),
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
  /** Words of the name or of the official title. */
  readonly text?: string | null | undefined;
}

/** Returns the list of the ballot measures that match a filter, with the columns that the caller may see. */
export function measuresWhere(
  { from, to, text, ...filter }: MeasureFilter,
  order: SortOrder,
  scope: Scope,
): RecordList {
  return {
    name: 'ballots.ballotMeasures',
    kind: 'ballot_measure',
    from: sql`${sql.raw(measureRows(scope))} r join elections e on e.id = r.election_id
      join districts d on d.id = r.district_id`,
    where: [
      ...dateConditions({ from, to }),
      ...districtConditions(filter),
      hasWords(['r.name', 'r.official_title'], text),
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
 * Returns the list of the people whose names have the words of a text and who have a term or a candidacy that matches a filter;
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
    from: name == null ? sql`persons r` : sql`${namedPersons(name)} r`,
    where: [hasCondition ? sql`r.id in (${sql.join(found, sql` union `)})` : undefined],
    order: name == null ? order : rankedFirst(order, 'r.name_rank'),
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
    select c.person_id from candidates c join (${sql.raw(racesFrom(filter, 'race'))}) on race.id = c.race_id
    where ${allOf([...raceConditions(filter, 'race'), partyCondition('c', parties)])}`;
}
