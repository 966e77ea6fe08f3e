import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Day } from '../../base/dates.ts';
import { anyOf, type ColumnOf, columnsOf, inByteOrder, typed } from '../../store/sql/functions.ts';
import { hasWords } from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { Chamber, DistrictType, OfficeBranch, OfficeLevel } from '../../store/sql/tables.ts';
import { intColumn, type RecordList, rankedFirst, type SortOrder, textColumn } from '../builder/keyset.ts';
import { type DistrictRow, districtTypeColumn } from '../districts/districts.store.ts';
import { namedPersons } from './named-persons.store.ts';
import {
  OFFICE,
  type OfficeholderRow,
  type OfficeRow,
  officeholdersOnDay,
  type PartyRow,
  type PersonRow,
} from './officials.store.ts';

/** Conditions for a district. */
export interface DistrictConditions {
  readonly state?: string | undefined;
  readonly districtId?: number | undefined;
  readonly districtTypes?: readonly DistrictType[] | null | undefined;
}

/** Conditions for an office and its district. */
export interface OfficeFilter extends DistrictConditions {
  readonly levels?: readonly OfficeLevel[] | null | undefined;
  readonly branches?: readonly OfficeBranch[] | null | undefined;
  readonly chambers?: readonly Chamber[] | null | undefined;
}

const eb = expressionBuilder();
const district = columnsOf<DistrictRow>('d');

/** Returns the conditions for a district `d`. */
export function districtConditions({ state, districtId, districtTypes }: DistrictConditions): Expression<SqlBool>[] {
  return [
    ...(state === undefined ? [] : [eb(district('state'), '=', state)]),
    ...(districtId === undefined ? [] : [eb(district('id'), '=', districtId)]),
    ...(districtTypes ? [eb(district('type'), '=', anyOf('district_type', districtTypes))] : []),
  ];
}

/**
 * Returns the conditions for an office and its district `d`.
 * @param office the columns of the office.
 */
export function officeConditions(filter: OfficeFilter, office: ColumnOf<OfficeRow>): Expression<SqlBool>[] {
  const { levels, branches, chambers } = filter;
  return [
    ...districtConditions(filter),
    ...(levels ? [eb(office('level'), '=', anyOf('office_level', levels))] : []),
    ...(branches ? [eb(office('branch'), '=', anyOf('office_branch', branches))] : []),
    ...(chambers ? [eb(office('chamber'), '=', anyOf('chamber', chambers))] : []),
  ];
}

const listedOffice = columnsOf<OfficeRow>('r');

export const OFFICE_ORDERS = {
  BALLOT: [
    'rank on the ballot, then by type of district, name and id',
    [
      intColumn(listedOffice('ballot_rank')),
      districtTypeColumn(district('type')),
      textColumn(listedOffice('name')),
      intColumn(listedOffice('id')),
    ],
  ],
  NAME: ['name, then by id', [textColumn(listedOffice('name')), intColumn(listedOffice('id'))]],
} as const;

/** Returns the list of the offices that match a filter. */
export function officesWhere(
  { name, ...filter }: OfficeFilter & { readonly name?: string | null | undefined },
  order: SortOrder,
): RecordList<OfficeRow> {
  const rows = query
    .selectFrom(query.selectFrom('offices as office').select(OFFICE).as('r'))
    .innerJoin('districts as d', 'd.id', 'r.district_id')
    .selectAll('r')
    .where(({ and }) => and(officeConditions(filter, listedOffice)))
    .where(({ and }) => and(name == null ? [] : [hasWords([listedOffice('name')], name)]));
  return { name: 'officials.offices', kind: 'office', id: listedOffice('id'), rows, order };
}

const listedTerm = columnsOf<OfficeholderRow>('r');
const person = columnsOf<PersonRow & { readonly name_rank: number }>('p');
const office = columnsOf<OfficeRow>('o');

export const OFFICEHOLDER_ORDERS = {
  NAME: ['name of the person, then by id', [textColumn(person('name')), intColumn(listedTerm('id'))]],
  BALLOT: [
    'rank of the office on the ballot, then by type of district, name of the office and id',
    [
      intColumn(office('ballot_rank')),
      districtTypeColumn(district('type')),
      textColumn(office('name')),
      intColumn(listedTerm('id')),
    ],
  ],
} as const;

export interface OfficeholderFilter extends OfficeFilter {
  /** The day on which they hold the office; today if it is not given. */
  readonly on?: Day | null | undefined;
  /** The ids of parties. */
  readonly parties?: readonly number[] | null | undefined;
  /** Words of the name of the person. */
  readonly name?: string | null | undefined;
}

/** Returns the list of the officeholders on a day that match a filter, with their status of today. */
export function officeholdersWhere(
  { on, parties, name, ...filter }: OfficeholderFilter,
  today: Day,
  order: SortOrder,
): RecordList<OfficeholderRow> {
  const rows = query
    .selectFrom(officeholdersOnDay(typed('date', on ?? today), typed('date', today)).as('r'))
    .innerJoin('offices as o', 'o.id', 'r.office_id')
    .innerJoin('districts as d', 'd.id', 'o.district_id')
    .innerJoin(namedPersons(name).as('p'), 'p.id', 'r.person_id')
    .selectAll('r')
    .where(({ and }) => and(officeConditions(filter, office)))
    .$if(parties != null, (all) => all.where('r.partisan_affiliation', '=', anyOf('int', parties ?? [])));
  return {
    ...{ name: 'officials.officeholders', kind: 'officeholder', id: listedTerm('id'), rows },
    order: name == null ? order : rankedFirst(order, person('name_rank')),
  };
}

const listedParty = columnsOf<PartyRow>('r');

export const PARTY_ORDERS = {
  CODE: ['party code', [intColumn(listedParty('id'))]],
  NAME: ['name, then by code', [textColumn(inByteOrder(listedParty('name'))), intColumn(listedParty('id'))]],
} as const;

/** Returns the list of the parties whose names have the words of a text; of all parties without one. */
export function partiesNamed(name: string | null | undefined, order: SortOrder): RecordList<PartyRow> {
  const rows = query
    .selectFrom('parties as r')
    .select(['r.id', 'r.name', 'r.url'])
    .where(({ and }) => and(name == null ? [] : [hasWords([listedParty('name')], name)]));
  return { name: 'officials.parties', kind: 'party', id: listedParty('id'), rows, order };
}
