import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { anyOf, columnsOf, firstOfDays, greatest, inByteOrder, typed } from '../../store/sql/functions.ts';
import { hasWords, officeholdersInOffice } from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import {
  dateColumn,
  intColumn,
  type RecordList,
  type RowsQuery,
  rankedFirst,
  type SortOrder,
  textColumn,
} from '../builder/keyset.ts';
import type { Grants } from '../builder/scope.ts';
import type { DateRange } from '../elections/date-range.ts';
import type { ElectionRow } from '../elections/elections.store.ts';
import {
  type DistrictConditions,
  districtConditions,
  type OfficeFilter,
  officeConditions,
} from '../officials/lists.store.ts';
import { namedPersons } from '../officials/named-persons.store.ts';
import { OFFICE, type OfficeRow, type PersonRow } from '../officials/officials.store.ts';
import { type MeasureRow, measureRows, RACE, type RaceRow } from './ballots.store.ts';
import { type CandidateRow, candidateRows } from './candidates.store.ts';

/** Conditions for a race, its election, and its office. */
export interface RaceFilter extends OfficeFilter, DateRange {
  /** Case-insensitive. */
  readonly stages?: readonly string[] | null | undefined;
}

const eb = expressionBuilder();
const election = columnsOf<ElectionRow>('e');
const office = columnsOf<OfficeRow>('o');
const race = columnsOf<RaceRow>('race');
const person = columnsOf<PersonRow & { readonly name_rank: number }>('p');

export const RACE_ORDERS = {
  DATE: ['election date, then by id', [dateColumn(election('date')), intColumn(race('id'))]],
  BALLOT: [
    'election date, then by rank of the office on the ballot, name of the office and id',
    [dateColumn(election('date')), intColumn(office('ballot_rank')), textColumn(office('name')), intColumn(race('id'))],
  ],
} as const;

/** Returns whether a filter names districts: a country has many, a state few. */
function isOfDistricts({ state, districtId }: RaceFilter): boolean {
  return state !== undefined || districtId !== undefined;
}

/**
 * Returns a query with joins to the races `race` of districts, their elections `e`, offices `o` and districts `d`.
 *
 * If the filter names districts, the offices of a district and the races of an office are looked up one by one.
 * PostgreSQL keeps that order because of the OFFSET. Otherwise it scans all races of the country: it expects a few in the
 * elections of a day, where there are thousands (a page of the races of California on one day: 9 ms instead of 89).
 * Without districts, a table that neither the conditions nor the order need costs nothing: PostgreSQL removes left joins
 * by a key.
 */
function racesOf(filter: RaceFilter) {
  const all = query
    .selectFrom('races as race')
    .innerJoin('elections as e', 'e.id', 'race.election_id')
    .leftJoin('offices as o', 'o.id', 'race.office_id')
    .leftJoin('districts as d', 'd.id', 'o.district_id');
  const ofDistricts = query
    .selectFrom('districts as d')
    .crossJoinLateral(({ selectFrom, ref }) => {
      const found = selectFrom('offices as office').select(OFFICE).where('office.district_id', '=', ref('d.id'));
      return found.offset(sql.lit(0)).as('o');
    })
    .crossJoinLateral(({ selectFrom, ref }) => {
      const found = selectFrom('races as race').selectAll('race').where('race.office_id', '=', ref('o.id'));
      return found.offset(sql.lit(0)).as('race');
    })
    .innerJoin('elections as e', 'e.id', 'race.election_id');
  return (isOfDistricts(filter) ? ofDistricts : all) as unknown as typeof all;
}

/** Returns the list of the races that match a filter. */
export function racesWhere(filter: RaceFilter, order: SortOrder): RecordList<RaceRow> {
  const rows = racesOf(filter)
    .select(RACE)
    .where(({ and }) => and(raceConditions(filter)));
  return { name: 'ballots.races', kind: 'race', id: race('id'), rows, order };
}

/** Returns the conditions for a race `race`, its election `e`, office `o` and district `d`. */
function raceConditions({ stages, ...filter }: RaceFilter): Expression<SqlBool>[] {
  const lowerCase = stages?.map((stage) => stage.toLowerCase());
  return [
    ...dateConditions(filter),
    ...(lowerCase ? [eb(eb.fn('lower', [race('stage_type')]), '=', anyOf('text', lowerCase))] : []),
    ...officeConditions(filter, office),
  ];
}

/** Returns the conditions for an election `e`. */
function dateConditions({ from, to }: DateRange): Expression<SqlBool>[] {
  return [
    ...(from == null ? [] : [eb(election('date'), '>=', from)]),
    ...(to == null ? [] : [eb(election('date'), '<=', to)]),
  ];
}

const candidate = columnsOf<CandidateRow>('r');

export const CANDIDATE_ORDERS = {
  NAME: ['name of the person, then by id', [textColumn(person('name')), intColumn(candidate('id'))]],
  DATE: [
    'election date, then by name of the person and id',
    [dateColumn(election('date')), textColumn(person('name')), intColumn(candidate('id'))],
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
  grants: Grants,
): RecordList<CandidateRow> {
  const byRace = racesOf(filter)
    .crossJoinLateral(({ ref }) => {
      const found = candidateRows(grants).where('c.race_id', '=', ref('race.id'));
      return (isOfDistricts(filter) && name == null ? found.offset(sql.lit(0)) : found).as('r');
    })
    .innerJoin(namedPersons(name).as('p'), 'p.id', 'r.person_id')
    .selectAll('r');
  const rows = byRace
    .where(({ and }) => and(raceConditions(filter)))
    .where(({ and }) => and(partyConditions(candidate('id'), parties)));
  return {
    ...{ name: 'ballots.candidates', kind: 'candidate', id: candidate('id'), rows },
    order: name == null ? order : rankedFirst(order, person('name_rank')),
  };
}

/** Returns the condition that one of the parties nominated a candidate; none without parties. */
function partyConditions(candidateId: Expression<number>, parties: CandidateFilter['parties']): Expression<SqlBool>[] {
  if (parties == null) return [];
  const nominated = query
    .selectFrom('candidate_parties as listed')
    .select('listed.party_id')
    .where('listed.candidate_id', '=', candidateId)
    .where('listed.party_id', '=', anyOf('int', parties));
  return [eb.exists(nominated)];
}

const measure = columnsOf<MeasureRow>('r');

export const MEASURE_ORDERS = {
  DATE: ['election date, then by id', [dateColumn(election('date')), intColumn(measure('id'))]],
  NAME: ['name, then by id', [textColumn(measure('name')), intColumn(measure('id'))]],
} as const;

export interface MeasureFilter extends DistrictConditions, DateRange {
  /** Words of the name or of the official title. */
  readonly text?: string | null | undefined;
}

/** Returns the list of the ballot measures that match a filter, with the columns that the caller may see. */
export function measuresWhere(
  { text, ...filter }: MeasureFilter,
  order: SortOrder,
  grants: Grants,
): RecordList<MeasureRow> {
  const rows = query
    .selectFrom(measureRows(grants).as('r'))
    .innerJoin('elections as e', 'e.id', 'r.election_id')
    .innerJoin('districts as d', 'd.id', 'r.district_id')
    .selectAll('r')
    .where(({ and }) => and([...dateConditions(filter), ...districtConditions(filter)]))
    .where(({ and }) => and(text == null ? [] : [hasWords([measure('name'), measure('official_title')], text)]));
  return { name: 'ballots.ballotMeasures', kind: 'ballot_measure', id: measure('id'), rows, order };
}

const listedPerson = columnsOf<PersonRow & { readonly name_rank: number }>('r');

export const PERSON_ORDERS = {
  NAME: ['name, then by id', [textColumn(listedPerson('name')), intColumn(listedPerson('id'))]],
  LAST_NAME: [
    'family name (where it is not known, by the full name), then by name and id',
    [
      textColumn(inByteOrder(eb.fn.coalesce(listedPerson('last_name'), listedPerson('name')))),
      textColumn(listedPerson('name')),
      intColumn(listedPerson('id')),
    ],
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
  { isGranted }: Grants,
): RecordList<PersonRow> {
  const [found, ...others] = [
    ...(isGranted('officeholders') ? [personsInOffice(filter)] : []),
    ...(isGranted('elections') ? [personsWhoRun(filter)] : []),
  ];
  const hasCondition = Object.values(filter).some((condition) => condition != null);
  const isFound = found
    ? eb(
        listedPerson('id'),
        'in',
        others.reduce((one, other) => one.union(other), found),
      )
    : eb.lit(false);
  const rows = query
    .selectFrom(namedPersons(name).as('r'))
    .select(['r.id', 'r.name', 'r.first_name', 'r.last_name', 'r.url', 'r.image_url'])
    .where(({ and }) => and(hasCondition ? [isFound] : []));
  return {
    ...{ name: 'officials.people', kind: 'person', id: listedPerson('id'), rows },
    order: name == null ? order : rankedFirst(order, listedPerson('name_rank')),
  };
}

type PersonIds = RowsQuery<{ person_id: number }>;

/**
 * A term is in a range of days if it is on its first day in the range: on the first of the range, or on its own. Which
 * term counts on a day is the rule of `officeholders_in_office`.
 */
function personsInOffice({ from, to, parties, ...filter }: PersonFilter): PersonIds {
  const terms = query
    .selectFrom('officeholders as term')
    .innerJoin('offices as o', 'o.id', 'term.office_id')
    .innerJoin('districts as d', 'd.id', 'o.district_id')
    .select('term.person_id')
    .where(({ and }) => and(officeConditions(filter, office)));
  return terms.where(({ eb, fn, ref, and, exists }) => {
    const start = fn.coalesce(ref('term.start_date'), ref('term.first_shown'), firstOfDays);
    const isHeld = (day: string) =>
      exists(
        query
          .selectFrom(officeholdersInOffice(greatest([typed('date', day), start])).as('held'))
          .select('held.id')
          .where('held.id', '=', ref('term.id')),
      );
    return and([
      ...(parties == null ? [] : [eb('term.partisan_affiliation', '=', anyOf('int', parties))]),
      ...(to == null ? [] : [eb(start, '<=', to)]),
      ...(from == null ? [] : [isHeld(from)]),
    ]);
  });
}

function personsWhoRun({ parties, ...filter }: PersonFilter): PersonIds {
  return racesOf(filter)
    .innerJoin('candidates as c', 'c.race_id', 'race.id')
    .select('c.person_id')
    .where(({ and, ref }) => and([...raceConditions(filter), ...partyConditions(ref('c.id'), parties)]));
}
