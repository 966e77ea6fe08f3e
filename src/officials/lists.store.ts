import { sql } from 'kysely';
import { hasWords, isAnyOf } from '../database/sql.ts';
import type { Chamber, DistrictType, OfficeBranch, OfficeLevel } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import { districtTypeColumn } from '../districts/districts.store.ts';
import { intColumn, type RecordList, rankedFirst, type SortOrder, textColumn } from '../graphql/keyset.ts';
import { joinPersons } from './named-persons.store.ts';
import { officeholdersOnDay } from './officials.store.ts';

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

/** Returns the conditions for a district `d`. */
export function districtConditions({ state, districtId, districtTypes }: DistrictConditions): RecordList['where'] {
  return [
    state === undefined ? undefined : sql`d.state = ${state}`,
    districtId === undefined ? undefined : sql`d.id = ${districtId}`,
    isAnyOf('d.type', 'district_type', districtTypes),
  ];
}

/**
 * Returns the conditions for an office and its district `d`.
 * @param office the alias of the office.
 */
export function officeConditions(filter: OfficeFilter, office: string): RecordList['where'] {
  const { levels, branches, chambers } = filter;
  return [
    ...districtConditions(filter),
    isAnyOf(`${office}.level`, 'office_level', levels),
    isAnyOf(`${office}.branch`, 'office_branch', branches),
    isAnyOf(`${office}.chamber`, 'chamber', chambers),
  ];
}

export const OFFICE_ORDERS = {
  BALLOT: [
    'rank on the ballot, then by type of district, name and id',
    [intColumn('r.ballot_rank'), districtTypeColumn('d.type'), textColumn('r.name'), intColumn('r.id')],
  ],
  NAME: ['name, then by id', [textColumn('r.name'), intColumn('r.id')]],
} as const;

/** Returns the list of the offices that match a filter. */
export function officesWhere(
  { name, ...filter }: OfficeFilter & { readonly name?: string | null | undefined },
  order: SortOrder,
): RecordList {
  return {
    name: 'officials.offices',
    kind: 'office',
    from: sql`offices r join districts d on d.id = r.district_id`,
    where: [...officeConditions(filter, 'r'), hasWords(['r.name'], name)],
    order,
  };
}

export const OFFICEHOLDER_ORDERS = {
  NAME: ['name of the person, then by id', [textColumn('p.name'), intColumn('r.id')]],
  BALLOT: [
    'rank of the office on the ballot, then by type of district, name of the office and id',
    [intColumn('o.ballot_rank'), districtTypeColumn('d.type'), textColumn('o.name'), intColumn('r.id')],
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
): RecordList {
  return {
    name: 'officials.officeholders',
    kind: 'officeholder',
    from: sql`(select ${on ?? today}::date as requested, ${today}::date as today) days
      cross join lateral ${sql.raw(officeholdersOnDay('days.requested', 'days.today'))} r
      join offices o on o.id = r.office_id
      join districts d on d.id = o.district_id ${joinPersons(name, 'r.person_id')}`,
    where: [...officeConditions(filter, 'o'), isAnyOf('r.partisan_affiliation', 'int', parties)],
    order: name == null ? order : rankedFirst(order, 'p.name_rank'),
  };
}

export const PARTY_ORDERS = {
  CODE: ['party code', [intColumn('r.id')]],
  NAME: ['name, then by code', [textColumn('r.name collate "C"'), intColumn('r.id')]],
} as const;

/** Returns the list of the parties whose names have the words of a text; of all parties without one. */
export function partiesNamed(name: string | null | undefined, order: SortOrder): RecordList {
  return {
    name: 'officials.parties',
    kind: 'party',
    from: sql`parties r`,
    where: [hasWords(['r.name'], name)],
    order,
  };
}
