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

/** SQL condition: a row of `officeholders` holds its office on a day. */
function holdsOn(holder: string, day: string): string {
  return `(${holder}.start_date is null or ${holder}.start_date <= ${day})
      and (${holder}.end_date >= ${day} or (${holder}.end_date is null and ${holder}.status <> 'Former'))
      and (${holder}.end_date is distinct from ${day} or not exists (
        select from officeholders successor
        where successor.office_id = ${holder}.office_id and successor.start_date = ${day} and successor.id <> ${holder}.id))`;
}

/**
 * The officeholders of an office on a day, longest-serving first.
 *
 * An unknown start counts as long ago. An unknown end counts as in the future, except for a former officeholder, whose
 * last day is not known. If one term ends on the day on which the next one starts, the newer officeholder holds the
 * office.
 */
export const officeholdersOfOffice = relation<OfficeRow, OfficeholderRow, { readonly on?: Day | null | undefined }>({
  name: 'officials.officeholdersOfOffice',
  parentKey: { id: 'int' },
  from({ id }, { row, parameter }) {
    const day = parameter('date', ({ on }, { today }) => on ?? today);
    return `officeholders ${row} where ${row}.office_id = ${id} and ${holdsOn(row, day)}`;
  },
  orderBy: ({ row }) => `${row}.start_date nulls first, ${row}.id`,
});

export async function officeholdersById(db: Database, ids: readonly number[]): Promise<OfficeholderRow[]> {
  return db.selectFrom('officeholders').selectAll().where('id', '=', anyOf(ids)).execute();
}

/** All terms of a person, newest first. */
export const officeholdersOfPerson = relation<PersonRow, OfficeholderRow>({
  name: 'officials.officeholdersOfPerson',
  parentKey: { id: 'int' },
  from: ({ id }, { row }) => `officeholders ${row} where ${row}.person_id = ${id}`,
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
