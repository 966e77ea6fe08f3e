import { type Expression, expressionBuilder, type OrderByModifiers } from 'kysely';
import type { Day } from '../../base/dates.ts';
import { columnsOf, joined, literal } from '../../store/sql/functions.ts';
import { officeholdersInOffice, officeholdersWithStatus } from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { ContactCollection, DB } from '../../store/sql/tables.ts';
import type { Context } from '../builder/context.ts';
import { leaf } from '../builder/leaf.ts';
import { type RecordOf, records } from '../builder/records.ts';
import { nullableRelation, objectRelation, relation } from '../builder/relation.ts';
import type { Scope } from '../builder/scope.ts';
import { dayOf, type OnDay } from '../districts/districts.store.ts';

/** Returns the name of an office for people, with its seat if there are several of its name. */
export const officeName = (alias: string) => {
  const column = columnsOf<DB['offices']>(alias);
  return joined(', ', [column('name'), column('seat')]);
};

/** The columns of an office `office`. */
export const OFFICE = [
  ...(['office.id', 'office.district_id', 'office.name', 'office.type', 'office.seat', 'office.level'] as const),
  ...(['office.branch', 'office.chamber', 'office.ballot_rank', 'office.is_partisan', 'office.one_holder'] as const),
  ...(['office.vacant_since', 'office.url'] as const),
  officeName('office').as('full_name'),
] as const;
const TERM = [
  ...(['term.id', 'term.office_id', 'term.person_id', 'term.start_date', 'term.end_date'] as const),
  'term.partisan_affiliation',
] as const;

export const offices = records({
  name: 'officials.officeById',
  rows: () => query.selectFrom('offices as office').select(OFFICE),
});
export const officeholders = records({
  name: 'officials.officeholderById',
  rows: ({ today }) => termsWithStatus(today),
});
export const persons = records({
  name: 'officials.personById',
  rows: () => query.selectFrom('persons').select(['id', 'name', 'first_name', 'last_name', 'url', 'image_url']),
});
export const parties = records({
  name: 'officials.partyById',
  rows: () => query.selectFrom('parties').select(['id', 'name', 'url']),
});

export type OfficeRow = RecordOf<typeof offices>;
/** A term, with its status of today. */
export type OfficeholderRow = RecordOf<typeof officeholders>;
export type PersonRow = RecordOf<typeof persons>;
export type PartyRow = RecordOf<typeof parties>;

/** The options of a field with the name of the person of a term or a candidacy. */
export const nameOfPerson = {
  resolve: async (row: { readonly person_id: number }, _: unknown, context: Context) =>
    (await persons.of('person_id').resolve(row, _, context)).name,
  ...leaf<{ readonly person_id: number }>((column) =>
    query.selectFrom('persons as named').select('named.name').where('named.id', '=', column('person_id')),
  ),
};

/** Returns the query of all terms `term` with their status of today. */
export function termsWithStatus(today: Expression<Day>) {
  return query.selectFrom(officeholdersWithStatus(today).as('term')).select([...TERM, 'term.status']);
}

/**
 * Returns the query of the terms `term` of those who hold their offices on a day, with their status of today: their values do not depend on
 * the day for which they were requested. The database function `officeholders_in_office` has the rule for terms whose
 * first or last day is not known or shared.
 */
export function officeholdersOnDay(day: Expression<Day>, today: Expression<Day>) {
  return query
    .selectFrom(officeholdersInOffice(day).as('term'))
    .select(TERM)
    .select((eb) => {
      const statusToday = eb
        .selectFrom(officeholdersWithStatus(today).as('known'))
        .select('known.status')
        .whereRef('known.id', '=', 'term.id');
      return eb
        .case()
        .when(day, '=', today)
        .then(eb.ref('term.status'))
        .else(statusToday)
        .end()
        .$notNull()
        .as('status');
    });
}

/** Kysely's modifiers of an order. */
const nullsFirst: OrderByModifiers = (column) => column.asc().nullsFirst();
const newestFirst: OrderByModifiers = (day) => day.desc().nullsLast();

/**
 * The offices of a district in the order of a ballot: by rank, then by name, by seat (offices without one first) and by
 * id.
 */
export const officesOfDistrict = relation({
  name: 'officials.officesOfDistrict',
  key: { id: 'int' },
  rows: ({ id }) => query.selectFrom('offices as office').select(OFFICE).where('office.district_id', '=', id),
  orderBy: ['ballot_rank', 'name', ['seat', nullsFirst], 'id'],
});

/** The officeholders of an office on a day, longest-serving first. */
export const officeholdersOfOffice = relation({
  name: 'officials.officeholdersOfOffice',
  key: { id: 'int' },
  rows: ({ id }, scope: Scope<OnDay>) => officeholdersOnDay(dayOf(scope), scope.today).where('term.office_id', '=', id),
  orderBy: [['start_date', nullsFirst], 'id'],
});

/** Returns the query of the officeholders of all offices of a district on a day, with the columns of `BY_OFFICE`. */
const termsInDistrict = (district: Expression<number>, day: Expression<Day>, today: Expression<Day>) =>
  officeholdersOnDay(day, today)
    .innerJoin('offices as office', 'office.id', 'term.office_id')
    .select(['office.ballot_rank', 'office.name as office_name', 'office.seat'])
    .where('office.district_id', '=', district);

/** The order of the offices, those of one office longest-serving first. */
const BY_OFFICE = [
  ...(['ballot_rank', 'office_name', ['seat', nullsFirst], 'office_id'] as const),
  ...([['start_date', nullsFirst], 'id'] as const),
] as const;

/** The officeholders of all offices of a district on a day, in the order of the offices. */
export const officeholdersOfDistrict = relation({
  name: 'officials.officeholdersOfDistrict',
  key: { id: 'int' },
  rows: ({ id }, scope: Scope<OnDay>) => termsInDistrict(id, dayOf(scope), scope.today),
  orderBy: BY_OFFICE,
});

/** The officeholders of all offices of a district on a day that belongs to the district, as `officeholdersOfDistrict`. */
export const officeholdersOnDayOf = relation({
  name: 'officials.officeholdersOnDayOf',
  key: { id: 'int', day: 'date' },
  rows: ({ id, day }, { today }) => termsInDistrict(id, day, today),
  orderBy: BY_OFFICE,
});

/** All terms of an office with their status of today, newest first. */
export const termsOfOffice = relation({
  name: 'officials.termsOfOffice',
  key: { id: 'int' },
  rows: ({ id }, { today }) => termsWithStatus(today).where('term.office_id', '=', id),
  orderBy: [['start_date', newestFirst], 'id'],
});

/** All terms of a person with their status of today, newest first. */
export const officeholdersOfPerson = relation({
  name: 'officials.officeholdersOfPerson',
  key: { id: 'int' },
  rows: ({ id }, { today }) => termsWithStatus(today).where('term.person_id', '=', id),
  orderBy: [['start_date', newestFirst], 'id'],
});

/** Returns whether the holder of the office with an id on a day is known, or the office is known to be vacant. */
export function isHolderKnown(office: Expression<number>, day: Expression<Day>) {
  const { exists, not, or } = expressionBuilder();
  const holder = query
    .selectFrom(officeholdersInOffice(day).as('holder'))
    .select('holder.id')
    .where('holder.office_id', '=', office);
  const vacant = query
    .selectFrom('offices as vacant')
    .select('vacant.id')
    .where('vacant.id', '=', office)
    .where('vacant.vacant_since', '<=', day)
    .where((eb) => {
      const later = eb
        .selectFrom('officeholders as later')
        .select('later.id')
        .where('later.office_id', '=', office)
        .where(({ eb, fn, ref }) => {
          const began = fn.coalesce('later.start_date', 'later.first_shown');
          return eb.and([eb(began, '>', ref('vacant.vacant_since')), eb(began, '<=', day)]);
        });
      return not(exists(later));
    });
  return or([exists(holder), exists(vacant)]).$castTo<boolean>();
}

/** Whether the holder of an office on a day is known, or the office is known to be vacant. */
export const holderOnDay = objectRelation({
  name: 'officials.holderKnown',
  key: { id: 'int', day: 'date' },
  rows: ({ id, day }) => query.selectNoFrom(isHolderKnown(id, day).as('is_known')),
});

/** The person with an id, or the person that the record with this id was merged into; null if there is none. */
export const personOrMerged = nullableRelation({
  name: 'officials.personOrMerged',
  key: { id: 'int' },
  rows: ({ id }) =>
    query
      .selectFrom('persons as person')
      .select(['person.id', 'person.name', 'person.first_name', 'person.last_name', 'person.url', 'person.image_url'])
      .where((eb) => {
        const merged = eb.selectFrom('person_merges as m').select('m.person_id').where('m.merged_id', '=', id);
        return eb('person.id', '=', eb.fn.coalesce(merged, id));
      }),
});

export interface ContactRow {
  readonly contact_type: string;
  readonly contact: string;
}

/** Returns the relation for the contacts of a person, or of a person in an office, in import order. */
export function contactsOf(owner: 'officeholder' | 'person', collection: ContactCollection) {
  return relation({
    name: 'officials.contactsOf',
    key: { id: 'int' },
    rows: ({ id }) =>
      query
        .selectFrom('contacts')
        .select(['contacts.id', 'contacts.contact_type', 'contacts.contact'])
        .where(`contacts.${owner}_id`, '=', id)
        .where('contacts.collection', '=', literal(collection)),
    orderBy: ['id'],
  });
}
