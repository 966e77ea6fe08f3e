import type { CongressDistrict, State } from './districts.ts';
import {
  congressId,
  countryId,
  houseOfficeId,
  personId,
  presidentId,
  senateOfficeId,
  stateId,
  vicePresidentId,
} from './ids.ts';
import { partyId } from './parties.ts';
import { required, type Source } from './source.ts';
import type { Dataset, Row } from './tables.ts';

const folder = 'officeholders/congress-legislators/2026-06-15';

/** The day of the snapshot: officeholders of that day are Current. */
export const asOf = '2026-06-15';

/** A term of office; the number of an at-large district is 0. */
export interface Term {
  type: 'prez' | 'viceprez' | 'sen' | 'rep';
  start: string;
  end: string;
  state: string;
  district?: number;
  class?: number;
  party: string;
  url?: string;
  how?: string;
  phone?: string;
}

/** A member of Congress, president or vice president, with the terms in chronological order. */
export interface Official {
  id: { govtrack: number; bioguide?: string; wikipedia?: string; fec?: string[] };
  name: { first: string; middle?: string; last: string; suffix?: string; nickname?: string; official_full?: string };
  terms: Term[];
}

type Network = 'twitter' | 'facebook' | 'instagram' | 'youtube_id' | 'youtube' | 'mastodon';

type Social = Partial<Record<Network, string | number>>;

/** The officeholders by office id. */
export type Officials = Map<number, Official>;

const partisan = { is_partisan: 'Partisan all' };

/**
 * Returns the offices of the country, two senators of each state, and the House seats of the given Congress districts.
 */
export function federalOffices(states: State[], congress: CongressDistrict[], officials: Officials): Row<'offices'>[] {
  const executive = { district_id: countryId, level: 'Federal', branch: 'Executive', ...partisan };
  const legislative = { level: 'Federal', branch: 'Legislative', ...partisan };
  const senators = states.flatMap(({ fips, name }) =>
    [1, 2, 3]
      .filter((senateClass) => officials.has(senateOfficeId(fips, senateClass)))
      .map((senateClass) => ({
        id: senateOfficeId(fips, senateClass),
        district_id: stateId(fips),
        name: `U.S. Senate ${name}`,
        type: 'Senator',
        ...legislative,
        chamber: 'Upper',
        seat: `Class ${senateClass}`,
      })),
  );
  const representatives = congress.map(({ geoid, postal, name }) => ({
    id: houseOfficeId(geoid),
    district_id: congressId(geoid),
    name: `U.S. House ${name}`,
    type: houseTitle(geoid, postal),
    ...legislative,
    chamber: 'Lower',
  }));
  return [
    { id: presidentId, name: 'President', ...executive },
    { id: vicePresidentId, name: 'Vice President', ...executive },
    ...senators,
    ...representatives,
  ];
}

function houseTitle(geoid: string, postal: string): string {
  if (!geoid.endsWith('98')) return 'Representative';
  return postal === 'PR' ? 'Resident Commissioner' : 'Delegate';
}

/** Reads the president, the vice president, the senators and the members of the House for the given districts. */
export function readOfficials(source: Source, states: State[], congress: CongressDistrict[]): Officials {
  const all = ['executive', 'legislators-current'].flatMap((name) => source.yaml<Official[]>(`${folder}/${name}.yaml`));
  const seats = new Set(congress.map(({ geoid }) => houseOfficeId(geoid)));
  const officials: Officials = new Map();
  for (const official of all) {
    const term = currentTerm(official);
    const office = term && officeOfTerm(term, states);
    if (!office || (term.type === 'rep' && !seats.has(office))) continue;
    if (officials.has(office)) throw new Error(`two people hold office ${office} on ${asOf}`);
    officials.set(office, official);
  }
  return officials;
}

const currentTerm = ({ terms }: Official): Term | undefined =>
  terms.findLast((term) => term.start <= asOf && asOf < term.end);

/** Returns the id of the office of a term. */
export function officeOfTerm(term: Term, states: State[]): number {
  if (term.type === 'prez') return presidentId;
  if (term.type === 'viceprez') return vicePresidentId;
  const state = required(
    states.find(({ postal }) => postal === term.state),
    `the state ${term.state}`,
  );
  if (term.type === 'sen') return senateOfficeId(state.fips, required(term.class, 'the class of a senator'));
  // The source numbers at-large districts and delegates 0; the Census has 98 for delegates.
  const number = term.district || (state.ocdid.includes('/state:') ? 0 : 98);
  return houseOfficeId(state.fips + String(number).padStart(2, '0'));
}

/** Returns the person, officeholder and contact rows of the officials; the officeholder has the id of the office. */
export function officialRows(
  source: Source,
  officials: Officials,
): Pick<Dataset, 'persons' | 'officeholders' | 'contacts'> {
  const accounts = readAccounts(source);
  const sorted = [...officials].sort(([a], [b]) => a - b);
  return {
    persons: sorted.map(([, official]) => officialPerson(official)),
    officeholders: sorted.map(([office, official]) => officeholderRow(office, official)),
    contacts: sorted.flatMap(([office, official]) =>
      contactRows(office, official, accounts.get(official.id.bioguide ?? '') ?? {}),
    ),
  };
}

/**
 * Reads the accounts by bioguide id. An account that the source gives to two people is left out: one of them is wrong.
 */
function readAccounts(source: Source): Map<string, Social> {
  const all = source.yaml<{ id: { bioguide: string }; social: Social }[]>(`${folder}/legislators-social-media.yaml`);
  const key = ([network, name]: [string, unknown]) => `${network} ${String(name).toLowerCase()}`;
  const keys = all.flatMap(({ social }) => Object.entries(social).map(key));
  const shared = new Set(keys.filter((each, index) => keys.indexOf(each) !== index));
  return new Map(
    all.map(({ id, social }) => [
      id.bioguide,
      Object.fromEntries(Object.entries(social).filter((entry) => !shared.has(key(entry)))),
    ]),
  );
}

/** Returns the person row of an official; the website is that of the office held on the day of the snapshot. */
export function officialPerson(official: Official): Row<'persons'> & { id: number; name: string } {
  const { first, middle, last, suffix, official_full: full } = official.name;
  return {
    id: personOf(official),
    name: full ?? [first, middle, last, suffix].filter(Boolean).join(' '),
    first_name: first,
    last_name: last,
    url: currentTerm(official)?.url,
  };
}

const personOf = ({ id }: Official): number => personId(`govtrack ${id.govtrack}`);

function officeholderRow(office: number, official: Official): Row<'officeholders'> {
  const { start, end, party, how } = required(currentTerm(official), 'a current term');
  return {
    id: office,
    office_id: office,
    person_id: personOf(official),
    status: how === 'appointment' ? 'Appointed' : 'Current',
    partisan_affiliation: partyId(party),
    start_date: start,
    end_date: end,
  };
}

function contactRows(office: number, official: Official, social: Social): Row<'contacts'>[] {
  const { phone, url } = required(currentTerm(official), 'a current term');
  const items: [collection: string, type: string, contact: string | number | null | undefined][] = [
    ['contact', 'Phone', phone],
    ['contact', 'Website', url],
    ['social', 'Twitter', social.twitter && `https://twitter.com/${social.twitter}`],
    ['social', 'Facebook', social.facebook && `https://facebook.com/${social.facebook}`],
    ['social', 'Instagram', social.instagram && `https://instagram.com/${social.instagram}`],
    ['social', 'YouTube', youtubeUrl(social)],
    ['social', 'Mastodon', social.mastodon && mastodonUrl(String(social.mastodon))],
  ];
  return items
    .filter(([, , contact]) => contact)
    .map(([collection, contact_type, contact]) => ({ officeholder_id: office, collection, contact_type, contact }));
}

/**
 * Returns a YouTube URL. A channel id (`UC` and 22 characters) is permanent; a name is a handle (`@name`) or an older
 * user name.
 */
function youtubeUrl({ youtube_id: channel, youtube }: Social): string | null {
  const name = String(channel ?? youtube ?? '');
  if (!name) return null;
  if (channel || /^UC[\w-]{22}$/.test(name)) return `https://youtube.com/channel/${name}`;
  return name.startsWith('@') ? `https://youtube.com/${name}` : `https://youtube.com/user/${name}`;
}

/** Returns the URL of the profile of `@user@server`. */
function mastodonUrl(handle: string): string {
  const [, user, server] = handle.split('@');
  return `https://${server}/@${user}`;
}
