import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { anyOf, containsText } from '../database/sql.ts';
import type { Contact, ContactCollection, Office, Officeholder, Party, Person } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import type { DistrictRow } from '../districts/districts.store.ts';
import { quoted, rowsById } from '../graphql/in-sql.ts';
import { relation } from '../graphql/relation.ts';

export type OfficeRow = Selectable<Office>;
export type OfficeholderRow = Selectable<Officeholder>;
export type PersonRow = Selectable<Person>;
export type PartyRow = Selectable<Party>;
export type ContactRow = Pick<Selectable<Contact>, 'contact_type' | 'contact'>;

export async function officesById(db: Database, ids: readonly number[]): Promise<OfficeRow[]> {
  return db.selectFrom('offices').selectAll().where('id', '=', anyOf(ids)).execute();
}

/** The office of a row with an `office_id`, in SQL. */
export const officeInSql = rowsById('offices', 'office_id');

/** The offices of a district, sorted by name, then by seat (offices without one first), then by id. */
export const officesOfDistrict = relation<Pick<DistrictRow, 'id'>, OfficeRow>({
  name: 'officials.officesOfDistrict',
  parentKey: { id: 'int' },
  from: ({ id }, { row }) => `offices ${row} where ${row}.district_id = ${id}`,
  orderBy: ({ row }) => `${row}.name, ${row}.seat nulls first, ${row}.id`,
});

/** The columns of a person, without related rows: reading them takes a fraction of the time of `to_json`. */
export const personColumns = sql`person.name as person_name, person.first_name, person.last_name, person.url as person_url`;

export interface PersonColumns extends Pick<OfficeholderRow, 'person_id'>, Pick<PersonRow, 'first_name' | 'last_name'> {
  readonly person_name: string;
  readonly person_url: string | null;
}

export function personOf({ person_id, person_name, first_name, last_name, person_url }: PersonColumns): PersonRow {
  return { id: person_id, name: person_name, first_name, last_name, url: person_url };
}

/**
 * The officeholders of an office on a day, longest-serving first. The database function `officeholders_in_office` has
 * the rule for terms whose first or last day is not known or shared.
 */
export const officeholdersOfOffice = relation<OfficeRow, OfficeholderRow, { readonly on?: Day | null | undefined }>({
  name: 'officials.officeholdersOfOffice',
  parentKey: { id: 'int' },
  from({ id }, { row, parameter }) {
    const day = parameter('date', ({ on }, { today }) => on ?? today);
    return `officeholders_in_office(${day}) ${row} where ${row}.office_id = ${id}`;
  },
  orderBy: ({ row }) => `${row}.start_date nulls first, ${row}.id`,
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
    select ${sql.raw(holderKnownInSql('office.id', 'asked.day'))} as known
    from (select ${day}::date as day) as asked
    cross join unnest(${ids}::int[]) with ordinality as office (id, place)
    order by office.place`.execute(db);
  return rows.map(({ known }) => known);
}

/** Returns an officeholder with the status of a day; undefined if there is none with this id. */
export async function findOfficeholder(db: Database, id: number, day: Day): Promise<OfficeholderRow | undefined> {
  const { rows } = await sql<OfficeholderRow>`/* officials.officeholder */
    select * from officeholders_with_status(${day}::date) where id = ${id}::int`.execute(db);
  return rows[0];
}

/** All terms of a person with their status of today, newest first. */
export const officeholdersOfPerson = relation<PersonRow, OfficeholderRow>({
  name: 'officials.officeholdersOfPerson',
  parentKey: { id: 'int' },
  from: ({ id }, { row, parameter }) =>
    `officeholders_with_status(${parameter('date', (_, { today }) => today)}) ${row} where ${row}.person_id = ${id}`,
  orderBy: ({ row }) => `${row}.start_date desc nulls last, ${row}.id`,
});

export async function personsById(db: Database, ids: readonly number[]): Promise<PersonRow[]> {
  return db.selectFrom('persons').selectAll().where('id', '=', anyOf(ids)).execute();
}

/** Returns the person with an id, or the person that the record with this id was merged into; undefined if none. */
export async function findPerson(db: Database, id: number): Promise<PersonRow | undefined> {
  return db
    .selectFrom('persons')
    .selectAll()
    .where('id', '=', sql<number>`coalesce((select person_id from person_merges where merged_id = ${id}), ${id}::int)`)
    .executeTakeFirst();
}

/** Start of a page: after the person with these values in the order by name, then by id. */
export type PersonPosition = readonly [name: string, id: number];

export async function pageOfPersons(
  db: Database,
  name: string,
  after: PersonPosition | undefined,
  limit: number,
): Promise<PersonRow[]> {
  let query = named(db, name).selectAll().orderBy('name').orderBy('id').limit(limit);
  if (after) query = query.where(sql<boolean>`(name, id) > (${after[0]}, ${after[1]}::int)`);
  return query.execute();
}

export async function countPersons(db: Database, name: string): Promise<number> {
  const counted = await named(db, name)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return counted.count;
}

function named(db: Database, name: string) {
  return db.selectFrom('persons').where(containsText('name', name));
}

/** The person of a row with a `person_id`, in SQL. */
export const personInSql = rowsById('persons', 'person_id');

/** The party of an officeholder, in SQL. */
export const partyInSql = rowsById('parties', 'partisan_affiliation');

export async function partiesById(db: Database, ids: readonly number[]): Promise<PartyRow[]> {
  return db.selectFrom('parties').selectAll().where('id', '=', anyOf(ids)).execute();
}

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
