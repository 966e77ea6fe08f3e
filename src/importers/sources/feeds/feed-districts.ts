import type { Day } from '../../../base/dates.ts';
import { readTable } from '../../../base/words/read-table.ts';
import { type State, stateOfOcdid } from '../../../base/words/states.ts';
import type { ExternalId } from '../../exchange/import-rows.ts';
import { congressNumber } from '../../facts/congress-districts.ts';
import { countyOf } from '../../facts/counties.ts';
import { fullDistrictName } from '../../facts/full-names.ts';
import { houseDistrict } from '../../facts/house-seats.ts';
import { legislativeDistrict } from '../../facts/legislative-codes.ts';
import { displayName } from '../../facts/names.ts';
import { congressPlace, countyPlace, legislativePlace, type Place, statePlace } from '../../facts/places.ts';
import { COUNTRY_ROW } from '../../facts/state-rows.ts';
import type { KnownDistricts } from '../../results/known-districts.ts';
import { whyNoDistrict } from '../../results/place-contest.ts';
import { identifierOf, localText, textOf } from './elements.ts';
import type { Feed } from './feed.ts';
import type { XmlElement } from './xml-file.ts';

/**
 * The district types of names: of the types of a feed, of which those without one are areas in which votes are cast and counted; of
 * the last part of an OCD id, which is more specific; and of parts of the district before it in an OCD id.
 */
const TYPES = new Map(
  readTable<'of' | 'name' | 'type'>('district-types', import.meta.url).map(({ of, name, type }) => [
    `${of} ${name}`,
    type,
  ]),
);
const typeNamed = (name: string, of: 'feed' | 'OCD id' | 'part') => TYPES.get(`${of} ${name}`);

/** Types whose names are unique within a state; a `Ward 1`, by contrast, exists in every city. */
const NAMED_IN_STATE = ['City-town', 'School District', 'Judicial District', 'Special District'];

export interface FeedDistrict extends Place {
  readonly type: string;
  /** Undefined for the country. */
  readonly state: State | undefined;
  readonly ocdid: string | undefined;
}

/**
 * Returns the district that an element of a feed describes, the reason why it is not supported, or null if it is a
 * counting area.
 */
export function districtOf(
  feed: Feed,
  element: XmlElement,
  home: State | undefined,
  known: KnownDistricts,
): FeedDistrict | string | null {
  const given = (element.name === 'State' ? 'state' : textOf(element, 'Type')) ?? '';
  if (typeNamed(given, 'feed') === '') return null;
  const ocdid = identifierOf(element, 'ocd-id');
  if (ocdid !== undefined && !/^ocd-division\/country:us(\/|$)/.test(ocdid)) return 'is outside the United States';
  const state = (ocdid && stateOfOcdid(ocdid)) || (ocdid === 'ocd-division/country:us' ? undefined : home);
  const type = typeOf(given, ocdid, state);
  if (!type) return `districts of the type ${textOf(element, 'OtherType') ?? (given || '(none)')} are not supported`;
  const more = { type, state, ocdid };
  if (type === 'Country') return { ...more, ocdid: COUNTRY_ROW.ids?.[0]?.value, ...countryPlace };
  if (!state) return 'no OCD id contains its state';
  if (type === 'State') {
    const place = statePlace(state);
    return { ...more, ocdid: place.id.value, ...place };
  }
  const code = ocdid && congressNumber((/\/cd:([\w-]+)$/.exec(ocdid)?.[1] ?? '').replace('at-large', 'AL'));
  if (type === 'Congress' && typeof code === 'number') {
    const isSpecial = feed.elections[0]?.isSpecial ?? true;
    const number = houseDistrict(state, { date: electionDay(feed), isSpecial }, code);
    return typeof number === 'string' ? number : { ...more, ...congressPlace(state, number) };
  }
  const [, letter, division = ''] = /\/sld([ul]):([^/]+)$/.exec(ocdid ?? '') ?? [];
  if (letter) {
    const chamber = letter === 'u' ? 'Upper' : 'Lower';
    const { isListed, code: own } = legislativeDistrict(state, chamber, division.replaceAll('_', ' '));
    const named = { code: division, isListed: isListed && own === division };
    const found = whyNoDistrict(state, chamber, named, division, electionDay(feed), known);
    if (found) return typeof found === 'string' ? found : found.reason;
    const place = legislativePlace(state, chamber, division);
    const ids = [...(place.row.ids ?? []), feed.externalId(element)];
    return { ...more, id: place.id, row: { ...place.row, ids } };
  }
  const name = textOf(element, 'Name') ?? localText(element, 'InternationalizedName');
  if (!name) return 'has no name';
  const own = feed.externalId(element);
  if (type === 'County') {
    const geoid = identifierOf(element, 'fips');
    const county = countyOf(state, feed.day, { name, ocdId: ocdid, geoid });
    if (typeof county === 'string') return county;
    const place = countyPlace(state, county);
    return { ...more, ocdid: county.ocdId, id: place.id, row: { ...place.row, ids: [...(place.row.ids ?? []), own] } };
  }
  const best = ocdid ? { scheme: 'ocdid', value: ocdid } : own;
  const ids: ExternalId[] = ocdid ? [best, own] : [best];
  const values = {
    type,
    name: fullDistrictName(state, type, name === name.toUpperCase() ? displayName(name) : name),
    state: state.postal,
    ocdid,
  };
  const match = NAMED_IN_STATE.includes(type) ? { match: { by: 'district' as const } } : {};
  return { ...more, id: best, row: { table: 'districts', ids, values, ...match } };
}

const electionDay = (feed: Feed): Day => feed.elections[0]?.date ?? feed.day;

/** The country itself; offices elected by statewide contests may belong to it. */
export const countryPlace: Place = { id: { scheme: 'ocdid', value: 'ocd-division/country:us' }, row: COUNTRY_ROW };

function typeOf(given: string, ocdid: string | undefined, state: State | undefined): string | undefined {
  if (ocdid) {
    const parts = ocdid.split('/').slice(2);
    if (parts.length === 0) return 'Country';
    if (parts.length === 1) return 'State';
    const [kind = '', parent = ''] = [parts.at(-1), parts.at(-2)].map((part) => part?.split(':')[0]);
    const known =
      kind === 'borough' && parts.length === 2 && state?.postal === 'AK' ? 'County' : typeNamed(kind, 'OCD id');
    if (known) return known;
    const isPart = kind === 'ward' || kind === 'council_district' || kind === 'commissioner_district';
    const ofPart = isPart ? typeNamed(parent, 'part') : undefined;
    if (ofPart) return ofPart;
  }
  if (given === 'borough') return state?.postal === 'AK' ? 'County' : 'City-town';
  return typeNamed(given, 'feed');
}
