import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Contact, ContactCollection, Office, Officeholder, Party, Person } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import type { DistrictRow } from '../districts/districts.store.ts';
import { quoted } from '../graphql/in-sql.ts';
import { records } from '../graphql/records.ts';
import { objectRelation, relation } from '../graphql/relation.ts';
import type { ValuesOf } from '../graphql/update-times.ts';

export type OfficeRow = ValuesOf<Office>;
/** A term, with its status of today. */
export type OfficeholderRow = Pick<
  Selectable<Officeholder>,
  'id' | 'office_id' | 'person_id' | 'status' | 'start_date' | 'end_date' | 'partisan_affiliation'
>;
export type PersonRow = ValuesOf<Person>;
export type PartyRow = ValuesOf<Party>;
export type ContactRow = Pick<Selectable<Contact>, 'contact_type' | 'contact'>;

export const offices = records<OfficeRow>({ name: 'officials.officeById', rows: () => 'offices' });
export const officeholders = records<OfficeholderRow>({
  name: 'officials.officeholderById',
  rows: ({ parameter }) => `officeholders_with_status(${parameter('date', (_, { today }) => today)})`,
});
export const persons = records<PersonRow>({ name: 'officials.personById', rows: () => 'persons' });
export const parties = records<PartyRow>({ name: 'officials.partyById', rows: () => 'parties' });

/**
 * The offices of a district in the order of a ballot: by rank, then by name, by seat (offices without one first) and by
 * id.
 */
export const officesOfDistrict = relation<Pick<DistrictRow, 'id'>, OfficeRow>({
  name: 'officials.officesOfDistrict',
  parentKey: { id: 'int' },
  from: ({ id }, { row }) => `offices ${row} where ${row}.district_id = ${id}`,
  orderBy: ({ row }) => `${row}.ballot_rank, ${row}.name, ${row}.seat nulls first, ${row}.id`,
});

/**
 * Returns an SQL subquery with the officeholders on a day, with their status of today: their values do not depend on the
 * day for which they were requested. The database function `officeholders_in_office` has the rule for terms whose first
 * or last day is not known or shared.
 */
export function officeholdersOnDay(day: string, today: string): string {
  return `(
    select holder.id, holder.office_id, holder.person_id, holder.start_date, holder.end_date, holder.partisan_affiliation,
      case when ${day} = ${today} then holder.status else (
        select known.status from officeholders_with_status(${today}) known where known.id = holder.id) end as status
    from officeholders_in_office(${day}) holder)`;
}

/** The officeholders of an office on a day, longest-serving first. */
export const officeholdersOfOffice = relation<OfficeRow, OfficeholderRow, { readonly on?: Day | null | undefined }>({
  name: 'officials.officeholdersOfOffice',
  parentKey: { id: 'int' },
  from({ id }, { row, parameter }) {
    const day = parameter('date', ({ on }, { today }) => on ?? today);
    const today = parameter('date', (_, context) => context.today);
    return `${officeholdersOnDay(day, today)} ${row} where ${row}.office_id = ${id}`;
  },
  orderBy: ({ row }) => `${row}.start_date nulls first, ${row}.id`,
});

/** The officeholders of all offices of a district on a day, in the order of the offices. */
export const officeholdersOfDistrict = relation<
  Pick<DistrictRow, 'id'>,
  OfficeholderRow,
  { readonly on?: Day | null | undefined }
>({
  name: 'officials.officeholdersOfDistrict',
  parentKey: { id: 'int' },
  from({ id }, { row, parameter }) {
    const day = parameter('date', ({ on }, { today }) => on ?? today);
    const today = parameter('date', (_, context) => context.today);
    return `(
      select holder.*, office.ballot_rank, office.name as office_name, office.seat
      from ${officeholdersOnDay(day, today)} holder join offices office on office.id = holder.office_id
      where office.district_id = ${id}) ${row}`;
  },
  orderBy: ({ row }) =>
    `${row}.ballot_rank, ${row}.office_name, ${row}.seat nulls first, ${row}.office_id, ${row}.start_date nulls first, ${row}.id`,
});

/** All terms of an office with their status of today, newest first. */
export const termsOfOffice = relation<Pick<OfficeRow, 'id'>, OfficeholderRow>({
  name: 'officials.termsOfOffice',
  parentKey: { id: 'int' },
  from: ({ id }, { row, parameter }) =>
    `officeholders_with_status(${parameter('date', (_, { today }) => today)}) ${row} where ${row}.office_id = ${id}`,
  orderBy: ({ row }) => `${row}.start_date desc nulls last, ${row}.id`,
});

/** SQL: whether the holder of the office with this id on a day is known, or the office is known to be vacant. */
export function holderKnownInSql(office: string, day: string): string {
  return `(exists (select from officeholders_in_office(${day}) holder where holder.office_id = ${office})
    or exists (select from offices vacant where vacant.id = ${office} and vacant.vacant_since <= ${day} and not exists (
      select from officeholders later where later.office_id = ${office}
        and coalesce(later.start_date, later.first_shown) > vacant.vacant_since
        and coalesce(later.start_date, later.first_shown) <= ${day})))`;
}

/** Returns for each office whether its holder on a day is known, or the office is known to be vacant. */
export async function officesWithKnownHolder(db: Database, ids: readonly number[], day: Day): Promise<boolean[]> {
  const { rows } = await sql<{ known: boolean }>`/* officials.holderKnown */
    select ${sql.raw(holderKnownInSql('office.id', 'requested.day'))} as known
    from (select ${day}::date as day) as requested
    cross join unnest(${ids}::int[]) with ordinality as office (id, place)
    order by office.place`.execute(db);
  return rows.map(({ known }) => known);
}

/** All terms of a person with their status of today, newest first. */
export const officeholdersOfPerson = relation<PersonRow, OfficeholderRow>({
  name: 'officials.officeholdersOfPerson',
  parentKey: { id: 'int' },
  from: ({ id }, { row, parameter }) =>
    `officeholders_with_status(${parameter('date', (_, { today }) => today)}) ${row} where ${row}.person_id = ${id}`,
  orderBy: ({ row }) => `${row}.start_date desc nulls last, ${row}.id`,
});

/** The person with an id, or the person that the record with this id was merged into; null if there is none. */
export const personOrMerged = objectRelation<Pick<PersonRow, 'id'>, PersonRow | null>({
  name: 'officials.personOrMerged',
  parentKey: { id: 'int' },
  from: ({ id }, { row }) =>
    `persons ${row} where ${row}.id = coalesce((select person_id from person_merges where merged_id = ${id}), ${id})`,
});

/** Returns the relation for the contacts of a person, or of a person in an office, in import order. */
export function contactsOf(owner: 'officeholder' | 'person', collection: ContactCollection) {
  return relation<{ readonly id: number }, ContactRow>({
    name: 'officials.contactsOf',
    parentKey: { id: 'int' },
    from: ({ id }, { row }) =>
      `contacts ${row} where ${row}.${owner}_id = ${id} and ${row}.collection = ${quoted(collection)}`,
    orderBy: ({ row }) => `${row}.id`,
  });
}
