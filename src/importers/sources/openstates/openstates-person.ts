import { z } from 'zod';
import { addDays, isCalendarDate } from '../../../base/dates.ts';
import { dictionary } from '../../../base/dictionary.ts';
import { stateOcdid, stateOfOcdid } from '../../../base/words/states.ts';
import { type ExternalId, ImportError } from '../../exchange/import-rows.ts';
import { legislativeDistrict } from '../../facts/legislative-codes.ts';
import {
  branchOf,
  legislativeOffice,
  mayorOfDistrict,
  type Office,
  office,
  seatAtLarge,
  statewideOffice,
} from '../../facts/offices.ts';
import { placeWithin, statePlace } from '../../facts/places.ts';
import { titleCase } from '../../facts/title-case.ts';
import { HANDOVER_DAYS } from '../../load/settle/snapshot-terms.ts';
import { isObject } from '../../read/geometry.ts';
import { parseYaml } from '../../read/read-documents.ts';

/** A day, or only the month or the year of it, which the source has where it knows no more. */
const day = z
  .string()
  .regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, 'is neither a day, a month nor a year')
  .refine((date) => date.length < 10 || isCalendarDate(date), 'is not a day of the calendar')
  .optional();
const text = z.string().optional();

const person = z.object({
  id: z.string().startsWith('ocd-person/'),
  name: z.string().min(1),
  other_names: z.array(z.object({ name: z.string() })).default([]),
  given_name: text,
  family_name: text,
  email: text,
  image: text,
  party: z.array(z.object({ name: z.string(), end_date: day })).default([]),
  roles: z.array(
    z.object({
      type: z.string(),
      jurisdiction: z.string(),
      district: z.union([z.string(), z.number()]).optional(),
      start_date: day,
      end_date: day,
    }),
  ),
  offices: z.array(z.object({ classification: z.string(), address: text, voice: text, fax: text })).default([]),
  links: z.array(z.object({ url: z.string() })).default([]),
  ids: z.record(z.string(), z.string()).default({}),
  other_identifiers: z.array(z.object({ scheme: z.string(), identifier: z.string() })).default([]),
});

/** A file of the source: one person. */
export type OpenStatesPerson = z.infer<typeof person>;
type GivenRole = OpenStatesPerson['roles'][number];

/** Returns whether a document is one of the organizations and committees that the source publishes beside persons. */
function isOrganization(document: unknown): boolean {
  return isObject(document) && /^ocd-(organization|membership|jurisdiction)\//.test(String(document.id ?? ''));
}

/**
 * Parses a person; undefined for an organization or a committee, of which the folders of the source have some.
 * @throws ImportError naming the file if it is not YAML, or has an unexpected structure.
 */
export function readPerson(name: string, content: string): OpenStatesPerson | undefined {
  const document = parseYaml(name, content);
  if (isOrganization(document)) return undefined;
  const read = person.safeParse(document);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ImportError(`${issue?.path.join('.') || 'the document'}: ${issue?.message}`, name);
}

/** A term of a person, as one edition of the source has it. */
export interface Role {
  readonly office: Office;
  /** True for a term in a legislature. */
  readonly isLegislative: boolean;
  readonly start?: string;
  readonly end?: string;
  readonly shown: string;
  /** True if the term has begun, and has not ended, on the day of the edition. */
  readonly isCurrent: (asOf: string) => boolean;
  /** The dates of which the source has only the year or the month: the days are not known. */
  readonly partial: readonly string[];
}

/** A person with the terms that could be determined. */
export interface Holder {
  readonly person: OpenStatesPerson;
  readonly record: string;
  readonly terms: readonly Term[];
}

export interface Term {
  readonly role: Role;
  readonly ids: readonly ExternalId[];
  readonly isCurrent: boolean;
}

/** The names of the types of roles that are not names of offices. */
const OFFICE_NAMES: Readonly<Record<string, string>> = dictionary({ lt_governor: 'lieutenant governor' });

/** The chambers by the type of a role; a legislature of one chamber has the type `legislature`. */
const CHAMBERS: Readonly<Record<string, 'Upper' | 'Lower'>> = dictionary({
  upper: 'Upper',
  lower: 'Lower',
  legislature: 'Upper',
});

/** Legislative seats that represent a people rather than an area. */
const WITHOUT_LOCATION = /\b(Tribe|Band|Nation)\b/i;
/** Legislative seats that the whole state elects. */
const AT_LARGE = /^at[- ]large$/i;
const PRESIDING = /^chair(man|woman|person)?$/i;

/** Returns the term of a role, or the reason why its office cannot be determined. */
export function readRole(role: GivenRole): Role | string {
  const jurisdiction = role.jurisdiction.replace('ocd-jurisdiction/', 'ocd-division/').replace(/\/government$/, '');
  const found = officeOf(role, jurisdiction);
  if (typeof found === 'string') return found;
  const { start_date: start, end_date: end } = role;
  const shown = `${role.type} ${role.district ?? ''} ${start ?? ''} to ${end ?? ''}`.replaceAll(/ +/g, ' ').trim();
  if (start !== undefined && end !== undefined && end < start.slice(0, end.length))
    return `${shown}: ends before it begins`;
  const isDay = (date: string | undefined) => date?.length === 10;
  return {
    office: found,
    isLegislative: role.type in CHAMBERS,
    start: isDay(start) ? start : undefined,
    end: isDay(end) ? end : undefined,
    shown,
    // The texts of partial dates are before those of their days.
    isCurrent: (asOf) => (start ?? '') <= asOf && (end === undefined || end > asOf.slice(0, end.length)),
    partial: [start, end].filter((date) => date !== undefined && !isDay(date)) as string[],
  };
}

function officeOf({ type, district }: GivenRole, jurisdiction: string): Office | string {
  const state = stateOfOcdid(jurisdiction);
  if (!state) return `${jurisdiction}: is not in a state`;
  const chamber = CHAMBERS[type];
  if (chamber) {
    const name = String(district ?? '').trim();
    if (name === '') return `${type}: the district is missing`;
    if (WITHOUT_LOCATION.test(name)) return `${type} ${name}: the seat has no district`;
    if (AT_LARGE.test(name)) return seatAtLarge(state, chamber);
    if (PRESIDING.test(name)) return seatAtLarge(state, chamber, name);
    const { code } = legislativeDistrict(state, chamber, name.replace(/^ward (?=\d)/i, ''));
    return legislativeOffice(state, chamber, code, name);
  }
  const title = titleCase((OFFICE_NAMES[type] ?? type).toUpperCase());
  if (jurisdiction === stateOcdid(state)) {
    if (state.kind === 'district' && EXECUTIVES_OF_DISTRICT.has(type)) return mayorOfDistrict(state);
    return statewideOffice(state, title) ?? office(statePlace(state), title, 'State', branchOf(title));
  }
  const place = /\/place:([^/]+)$/.exec(jurisdiction)?.[1];
  if (!place) return `${type}: ${jurisdiction} is neither a state nor a place`;
  const name = place.replaceAll('_', ' ').replace(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());
  return office(placeWithin(jurisdiction, 'City-town', name, state), title, 'Local', branchOf(title));
}

/** The types of the role of the mayor of the District of Columbia, whom the source lists like the governors of states. */
const EXECUTIVES_OF_DISTRICT = new Set(['governor', 'mayor']);

/**
 * Leaves out terms of a person that overlap another one of the same office: the source has one term twice, with other days. Of
 * these, days are more exact than whole years; otherwise the first one of the source remains.
 */
export function dropRepeated(roles: readonly Role[]): { remaining: Role[]; dropped: Role[] } {
  const remaining: Role[] = [];
  for (const role of [...roles.filter((role) => !isWholeYears(role)), ...roles.filter(isWholeYears)])
    if (!remaining.some((other) => sameOffice(role, other) && overlap(role, other))) remaining.push(role);
  return {
    remaining: roles.filter((role) => remaining.includes(role)),
    dropped: roles.filter((role) => !remaining.includes(role)),
  };
}

function isWholeYears({ start, end }: Role): boolean {
  return start?.slice(4) === '-01-01' && end?.slice(4) === '-12-31';
}

/** Returns whether two terms are of the same office, and so of the same district. */
function sameOffice(a: Role, b: Role): boolean {
  return a.office.id.value === b.office.id.value;
}

/**
 * Leaves out past legislative terms that overlap another term of the same person: a person has one seat at a time, and
 * the source assigns districts of the new map to terms under the old one. It does not say which of them is right; only
 * the current term is certain.
 */
export function dropOverlaps(roles: readonly Role[]): { remaining: Role[]; dropped: Role[] } {
  const clashes = (role: Role) =>
    role.isLegislative &&
    role.end !== undefined &&
    roles.some((other) => other !== role && other.isLegislative && !sameOffice(role, other) && overlap(role, other));
  return { remaining: roles.filter((role) => !clashes(role)), dropped: roles.filter(clashes) };
}

function overlap(a: Role, b: Role): boolean {
  const [first, second] = [surePeriod(a), surePeriod(b)];
  return first.start <= addDays(second.end, -HANDOVER_DAYS) && second.start <= addDays(first.end, -HANDOVER_DAYS);
}

/**
 * Returns the days on which a person certainly had a seat: if the start is unknown, a number of days before the end.
 */
function surePeriod({ start, end = '9999-01-01' }: Role): { start: string; end: string } {
  return { start: start ?? addDays(end, -2 * HANDOVER_DAYS), end };
}
