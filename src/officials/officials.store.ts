import { type Selectable, sql } from 'kysely';
import type { Day } from '../calendar.ts';
import { quoted, type RowsInSql, rowsById } from '../graphql/in-sql.ts';
import type { Database } from '../store/database.ts';
import { anyOf, containsText } from '../store/sql.ts';
import type { Contact, ContactCollection, Office, Officeholder, Party, Person } from '../store/tables.ts';

export type OfficeRow = Selectable<Office>;
export type OfficeholderRow = Selectable<Officeholder>;
export type PersonRow = Selectable<Person>;
export type PartyRow = Selectable<Party>;
export type ContactRow = Pick<Selectable<Contact>, 'contact_type' | 'contact'>;

export async function officesById(db: Database, ids: readonly number[]): Promise<OfficeRow[]> {
  return db.selectFrom('offices').selectAll().where('id', '=', anyOf(ids)).execute();
}

/** The offices of the districts: by name, then seat (offices without one first), then id. */
export async function officesOfDistricts(db: Database, districtIds: readonly number[]): Promise<OfficeRow[]> {
  return db
    .selectFrom('offices')
    .selectAll()
    .where('district_id', '=', anyOf(districtIds))
    .orderBy('name')
    .orderBy('seat', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .execute();
}

/** In SQL, the office of a row with an `office_id`. */
export const officeInSql = rowsById('offices', 'office_id');

/** In SQL, the offices of the district with this id: in the same order. */
export const officesInSql: RowsInSql = {
  by: 'id',
  from: (districtId, { row }) => `offices ${row} where ${row}.district_id = ${districtId}`,
  order: ({ row }) => `${row}.name, ${row}.seat nulls first, ${row}.id`,
};

/** The columns of a person beside those of what hangs on it: reading them takes a fraction of the time of `to_json`. */
export const personColumns = sql`person.name as person_name, person.first_name, person.last_name, person.url as person_url`;

export interface PersonColumns extends Pick<OfficeholderRow, 'person_id'>, Pick<PersonRow, 'first_name' | 'last_name'> {
  readonly person_name: string;
  readonly person_url: string | null;
}

export function personOf({ person_id, person_name, first_name, last_name, person_url }: PersonColumns): PersonRow {
  return { id: person_id, name: person_name, first_name, last_name, url: person_url };
}

/** An officeholder with the person and the party: whoever asks for holders asks for these next. */
export interface HoldingRow extends OfficeholderRow {
  readonly person: PersonRow;
  readonly party: PartyRow | null;
}

export interface OfficeOnDay {
  readonly officeId: number;
  readonly on: Day;
}

/**
 * Who holds each office on its day, one list for each request, in their order; the longest-serving first.
 *
 * An unknown start counts as long ago. An unknown end counts as not yet, except of a former officeholder, whose last
 * day is then not known. Of two terms that share the day as last and first day, the newer holds.
 */
export async function officeholdersOnDays(db: Database, asked: readonly OfficeOnDay[]): Promise<HoldingRow[][]> {
  const found = await sql<FoundHolding>`
    /* officials.officeholdersOnDays */
    select asked.index::int, holder.*, ${personColumns},
      party.name as party_name, party.url as party_url
    from unnest(${asked.map((each) => each.officeId)}::int[], ${asked.map((each) => each.on)}::date[])
      with ordinality as asked(office_id, day, index)
    join officeholders holder on holder.office_id = asked.office_id and ${sql.raw(holdsOn('holder', 'asked.day'))}
    join persons person on person.id = holder.person_id
    left join parties party on party.id = holder.partisan_affiliation
    order by asked.index, holder.start_date nulls first, holder.id`.execute(db);
  const answers: HoldingRow[][] = asked.map(() => []);
  for (const row of found.rows) answers[row.index - 1]?.push(holdingOf(row));
  return answers;
}

/** Whether a row of `officeholders` holds its office on a day, in SQL. */
function holdsOn(holder: string, day: string): string {
  return `(${holder}.start_date is null or ${holder}.start_date <= ${day})
      and (${holder}.end_date >= ${day} or (${holder}.end_date is null and ${holder}.status <> 'Former'))
      and (${holder}.end_date is distinct from ${day} or not exists (
        select from officeholders successor
        where successor.office_id = ${holder}.office_id and successor.start_date = ${day} and successor.id <> ${holder}.id))`;
}

/** In SQL, who holds the office with this id on a day: in the same order. */
export const holdersInSql: RowsInSql<{ readonly on?: Day | null }> = {
  by: 'id',
  from(officeId, { row, parameter }) {
    const day = parameter('date', ({ on }, { today }) => on ?? today);
    return `officeholders ${row} where ${row}.office_id = ${officeId} and ${holdsOn(row, day)}`;
  },
  order: ({ row }) => `${row}.start_date nulls first, ${row}.id`,
};

interface FoundHolding extends OfficeholderRow, PersonColumns {
  readonly index: number;
  readonly party_name: string | null;
  readonly party_url: string | null;
}

/** The holding of a row, whose other columns stay as they were read. */
function holdingOf(found: FoundHolding): HoldingRow {
  const { partisan_affiliation: id, party_name: name, party_url: url } = found;
  const party = id === null || name === null ? null : { id, name, url };
  return Object.assign(found, { person: personOf(found), party });
}

export async function officeholdersById(db: Database, ids: readonly number[]): Promise<OfficeholderRow[]> {
  return db.selectFrom('officeholders').selectAll().where('id', '=', anyOf(ids)).execute();
}

/** All terms of the persons, the newest first. */
export async function officeholdersOfPersons(db: Database, personIds: readonly number[]): Promise<OfficeholderRow[]> {
  return db
    .selectFrom('officeholders')
    .selectAll()
    .where('person_id', '=', anyOf(personIds))
    .orderBy('start_date', (order) => order.desc().nullsLast())
    .orderBy('id')
    .execute();
}

export async function personsById(db: Database, ids: readonly number[]): Promise<PersonRow[]> {
  return db.selectFrom('persons').selectAll().where('id', '=', anyOf(ids)).execute();
}

/** Where a page begins: behind the person with these values in the order by name, then id. */
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

/** In SQL, the person of a row with a `person_id`. */
export const personInSql = rowsById('persons', 'person_id');

/** In SQL, the party of an officeholder. */
export const partyInSql = rowsById('parties', 'partisan_affiliation');

export async function partiesById(db: Database, ids: readonly number[]): Promise<PartyRow[]> {
  return db.selectFrom('parties').selectAll().where('id', '=', anyOf(ids)).execute();
}

/** Whose contacts are asked for: a person's own, or those of the office while a person holds it. */
export interface ContactOwner {
  readonly kind: 'officeholder' | 'person';
  readonly id: number;
  readonly collection: ContactCollection;
}

/** The contacts of each owner, one list for each request, in the order in which they were loaded. */
export async function contactsOfOwners(db: Database, owners: readonly ContactOwner[]): Promise<ContactRow[][]> {
  const idsOf = (kind: ContactOwner['kind']) => owners.filter((owner) => owner.kind === kind).map((owner) => owner.id);
  const collections = [...new Set(owners.map((owner) => owner.collection))];
  const found = await sql<ContactRow & { owner: number }>`
    /* officials.contactsOfOwners */
    select coalesce(officeholder_id, person_id) * 4::bigint + case when officeholder_id is null then 2 else 0 end
      + case collection when 'social' then 1 else 0 end as owner, contact_type, contact
    from contacts
    where (officeholder_id = any(${idsOf('officeholder')}::int[]) or person_id = any(${idsOf('person')}::int[]))
      and collection = any(${collections}::contact_collection[])
    order by id`.execute(db);
  const lists = new Map<number, ContactRow[]>(owners.map((owner) => [ownerKey(owner), []]));
  for (const contact of found.rows) lists.get(contact.owner)?.push(contact);
  return owners.map((owner) => lists.get(ownerKey(owner)) ?? []);
}

/** In SQL, a collection of contacts of the officeholder or person with this id: in the same order. */
export function contactsInSql({ kind, collection }: Omit<ContactOwner, 'id'>): RowsInSql {
  return {
    by: 'id',
    from: (ownerId, { row }) =>
      `contacts ${row} where ${row}.${kind}_id = ${ownerId} and ${row}.collection = ${quoted(collection)}`,
    order: ({ row }) => `${row}.id`,
  };
}

/**
 * A number of its own for each owner, as the statement words it too: made for hundreds of them in one answer, where texts
 * would be garbage.
 */
export function ownerKey({ kind, id, collection }: ContactOwner): number {
  return id * 4 + (kind === 'person' ? 2 : 0) + (collection === 'social' ? 1 : 0);
}
