import { isCalendarDate } from '../../../base/dates.ts';
import { dictionary } from '../../../base/dictionary.ts';
import type { ExternalId, ImportRow } from '../../exchange/import-rows.ts';
import { childOf, dateOf, referencesOf, textOf } from './elements.ts';
import type { Feed } from './feed.ts';
import { contactRows } from './feed-contacts.ts';
import type { FeedOffice } from './feed-offices.ts';
import { partyId, partyOf } from './feed-parties.ts';
import type { XmlElement } from './xml-file.ts';

/** A person in office. */
export interface FeedHolder {
  readonly id: ExternalId;
  readonly office: FeedOffice;
  readonly person: XmlElement;
  readonly start: string | undefined;
  readonly end: string | undefined;
  /** How the person holds the office; `Current` if the feed says nothing more. */
  readonly status: string;
  /** The element that has the contact details of the person in this office. */
  readonly contacts: XmlElement | undefined;
  readonly record: string;
}

/** Returns the persons listed as holders of an office when the feed was made. */
export function holdersOf(feed: Feed, element: XmlElement, office: FeedOffice): FeedHolder[] {
  const persons = feed.findAll('person', element, 'OfficeHolderPersonIds');
  const term = childOf(element, 'Term') ?? element;
  const [start, end] = [dayOf(feed, term, 'StartDate', element), dayOf(feed, term, 'EndDate', element)];
  return persons.map((person) => ({
    id: { scheme: feed.scheme, value: `${office.id.value} ${feed.externalId(person).value}` },
    office,
    person,
    start,
    end,
    status: seatStatus(element) ?? 'Current',
    // The address of an office with several holders is the address of each of them.
    contacts: element,
    record: feed.record(element),
  }));
}

/** Returns the officeholder of a tenure, which has its own office, person and dates. */
export function tenureOf(feed: Feed, tenure: XmlElement, office: FeedOffice): FeedHolder | undefined {
  const [personId] = referencesOf(tenure, 'OfficeHolderPersonId');
  const person = personId === undefined ? undefined : feed.find('person', personId, tenure);
  if (!person) return undefined;
  return {
    id: feed.externalId(tenure),
    office,
    person,
    start: dayOf(feed, tenure, 'StartDate', tenure),
    end: dayOf(feed, tenure, 'EndDate', tenure),
    status: seatStatus(tenure) ?? (textOf(tenure, 'OfficeSelectionMethod') === 'appointed' ? 'Appointed' : 'Current'),
    contacts: tenure,
    record: feed.record(tenure),
  };
}

const SEAT_STATUSES: Readonly<Record<string, string>> = dictionary({
  'on-leave': 'On leave',
  'temporary-appointment': 'Appointed',
  disputed: 'Disputed',
});

/** Returns the status of the holder of a seat; undefined if the seat is held as usual. */
function seatStatus(element: XmlElement): string | undefined {
  return SEAT_STATUSES[textOf(element, 'SeatStatus') ?? ''];
}

export function holderRow(feed: Feed, holder: FeedHolder, personId: ExternalId): ImportRow {
  const { start, end } = holder;
  const party = partyOfPerson(feed, holder.person);
  return {
    table: 'officeholders',
    record: holder.record,
    ids: [holder.id],
    refs: {
      office_id: holder.office.id,
      person_id: personId,
      ...(party ? { partisan_affiliation: partyId(party) } : {}),
    },
    values: {
      status: end === undefined || feed.day < end ? holder.status : 'Former',
      start_date: start,
      end_date: end,
    },
    match: { by: 'term' },
  };
}

export function holderContacts(feed: Feed, { contacts, id }: FeedHolder): ImportRow[] {
  return contacts ? contactRows(feed, contacts, { officeholder_id: id }) : [];
}

function partyOfPerson(feed: Feed, person: XmlElement): string | null {
  const [party, ...more] = feed.findAll('party', person, 'PartyId');
  if (more.length > 0) feed.countSkipped('PartyId', 'is a second party of an officeholder, who has one', more.length);
  return party ? partyOf(party) : null;
}

/** Returns a full date; a date with only a year or month is reported. */
function dayOf(feed: Feed, element: XmlElement, name: string, from: XmlElement): string | undefined {
  const text = dateOf(element, name);
  if (text === undefined || isCalendarDate(text)) return text;
  feed.report.add(feed.record(from), 'left-out', `${name}: ${text} is not a date YYYY-MM-DD and is ignored`);
  return undefined;
}
