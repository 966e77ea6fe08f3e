import { z } from 'zod';
import { type State, stateByPostal, stateOcdid } from '../../base/words/states.ts';
import type { ExternalId, ImportRow, ImportValue } from '../exchange/import-rows.ts';
import { congressOcdid } from './congress-districts.ts';
import { congressDistrictName } from './full-names.ts';

const text = z.union([z.string(), z.number()]).transform(String);
const day = z.iso.date('is not a date YYYY-MM-DD');

const term = z.looseObject({
  type: z.enum(['sen', 'rep', 'prez', 'viceprez']),
  start: day,
  end: day,
  state: z.string().nullish(),
  district: z.int().nullish(),
  class: z.int().nullish(),
  party: z.string().nullish(),
  url: z.string().nullish(),
  address: z.string().nullish(),
  phone: text.nullish(),
  fax: text.nullish(),
  contact_form: z.string().nullish(),
  how: z.string().nullish(),
});

/** An entry of the legislators files, as far as it is used. */
export const official = z.looseObject({
  id: z
    .object({ bioguide: z.string().optional(), govtrack: z.int().optional() })
    .catchall(z.union([text, z.array(text)]))
    .refine((id) => id.bioguide !== undefined || id.govtrack !== undefined, 'has neither bioguide nor govtrack'),
  name: z.looseObject({
    first: z.string(),
    middle: z.string().nullish(),
    last: z.string(),
    suffix: z.string().nullish(),
    official_full: z.string().nullish(),
  }),
  terms: z.array(term),
});

export type Official = z.infer<typeof official>;
export type Term = z.infer<typeof term>;

/** An office of Congress, or of the president or vice president. */
export interface Seat {
  readonly id: ExternalId;
  readonly district: ExternalId;
  readonly values: Readonly<Record<string, ImportValue>>;
  /** The state, for offices of Congress. */
  readonly state?: State;
  /** The number of a House district, which may be of an older map. */
  readonly number?: number;
}

const SCHEME = 'congress-legislators';
const COUNTRY: ExternalId = { scheme: 'ocdid', value: 'ocd-division/country:us' };
const FEDERAL = { level: 'Federal', is_partisan: 'Partisan all' };
/** Identifier types that other sources also use for a person; the rest are stored as labels. */
const JOINING = ['bioguide', 'bioguide_previous', 'govtrack', 'wikidata', 'fec'];

/** Returns the office of a term, or the reason why there is none. */
export function officeOf(term: Term): Seat | string {
  if (term.type === 'prez' || term.type === 'viceprez') {
    const name = term.type === 'prez' ? 'President' : 'Vice President';
    return {
      id: { scheme: SCHEME, value: term.type },
      district: COUNTRY,
      values: { ...FEDERAL, name, branch: 'Executive' },
    };
  }
  const state = stateByPostal(term.state ?? '');
  if (!state) return `the state ${term.state ?? '(none)'} is not a current state`;
  const legislative = { ...FEDERAL, branch: 'Legislative' };
  if (term.type === 'sen') {
    if (typeof term.class !== 'number') return 'the class of the senator is missing';
    return {
      id: { scheme: SCHEME, value: `sen ${state.postal} ${term.class}` },
      district: { scheme: 'ocdid', value: stateOcdid(state) },
      state,
      values: {
        ...legislative,
        name: `U.S. Senate ${state.name}`,
        type: 'Senator',
        chamber: 'Upper',
        seat: `Class ${term.class}`,
      },
    };
  }
  const number = term.district;
  if (typeof number !== 'number' || number < 0) return 'the number of the district is unknown';
  return {
    id: { scheme: SCHEME, value: `rep ${state.postal} ${number}` },
    district: { scheme: 'ocdid', value: congressOcdid(state, number) },
    values: {
      ...legislative,
      name: `U.S. House ${congressDistrictName(state, number)}`,
      type: houseTitle(state),
      chamber: 'Lower',
    },
    state,
    number,
  };
}

function houseTitle({ kind, postal }: State): string {
  if (kind === 'state') return 'Representative';
  return postal === 'PR' ? 'Resident Commissioner' : 'Delegate';
}

/** Returns whether a person serves the term on a day; the last day is the first of the next term. */
export function isInEffect({ start, end }: Term, day: string): boolean {
  return start <= day && day < end;
}

/** Returns the external id of an officeholder, identified by the person, the chamber and the first day of a term. */
export function holderId(official: Official, { type, start }: Term): ExternalId {
  const { scheme, value } = personId(official);
  return { scheme: SCHEME, value: `${scheme === 'bioguide' ? value : `${scheme} ${value}`} ${type} ${start}` };
}

/** Returns the external id of a person. Presidents who never were in Congress have no bioguide id. */
export function personId({ id }: Official): ExternalId {
  return id.bioguide ? { scheme: 'bioguide', value: id.bioguide } : { scheme: 'govtrack', value: String(id.govtrack) };
}

export function personRow(
  official: Official,
  holds: readonly { office: ExternalId; start: string }[],
  asOf: string,
): ImportRow {
  const { first, middle, last, suffix, official_full: full } = official.name;
  const names = Object.entries(official.id).flatMap(([scheme, value]) =>
    [value ?? []].flat().map((each) => ({ scheme, value: String(each) })),
  );
  const joining = JOINING.flatMap((scheme) => names.filter((name) => name.scheme === scheme));
  return {
    table: 'persons',
    record: personId(official).value,
    ids: joining,
    labels: names.filter((name) => !joining.includes(name)),
    values: {
      name: full ?? [first, middle, last, suffix].filter(Boolean).join(' '),
      first_name: first,
      last_name: last,
      url: official.terms.find((term) => isInEffect(term, asOf))?.url,
    },
    match: { by: 'holder', holds },
  };
}
