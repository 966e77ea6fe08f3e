import type { Point } from '../districts/districts.store.ts';
import type { Context } from '../graphql/context.ts';
import { plainWords, possibleCores, spellingsOf } from '../import/addresses/address-words.ts';
import { type Agreement, createComparison } from './compare-address.ts';
import {
  type AddressRow,
  addressesAt,
  addressesNear,
  hasAddresses,
  type PlaceRow,
  placesNamed,
  pointInZip,
  type StreetSearch,
  similarCores,
} from './geocode.store.ts';
import { type AddressReading, readAddress } from './read-address.ts';

export type GeocodeKind = 'ADDRESS' | 'INTERPOLATED' | 'ZIP' | 'PLACE';

/** A place that a text may mean. */
export interface GeocodeMatchRow {
  readonly label: string;
  readonly kind: GeocodeKind;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly point: Point;
  readonly sourceId?: number;
  /** The boundary of a PLACE. */
  readonly boundaryId?: number;
}

export interface GeocodingResult {
  /** The best first. */
  readonly matches: readonly GeocodeMatchRow[];
  readonly ambiguous: boolean;
}

/** A match with at least this confidence, and without a rival, is the one that the text means. */
export const CERTAIN = 0.8;
/** A match is a rival of a better one if its confidence is less by at most this. */
const MARGIN = 0.05;
/** The highest confidence of a match that has a rival. */
const MOST_WITH_RIVAL = 0.7;
/** The highest confidence of an address that was not typed: without a house number, or with another one. */
const MOST_WITHOUT_NUMBER = 0.35;
/** Matches below this are left out. */
const LEAST = 0.2;
/** Points of one address in several data sets are this close, in metres: such matches are no rivals. */
const SAME_PLACE = 100;
/** What an estimated point costs, and a suffix of the house number that differs. */
const INTERPOLATED_COST = 0.08;
const NUMBER_SUFFIX_COST = 0.1;

/** The longest name of a street, in words. */
const MOST_WORDS = 5;
/** The shortest beginning of a name that is searched. */
const SHORTEST_BEGINNING = 3;

export { hasAddresses };

/**
 * Returns the places that a text may mean: addresses, ZIP codes and districts. Nothing of the text is stored.
 * @param first the maximum number of matches.
 */
export async function geocode(context: Context, text: string, first: number): Promise<GeocodingResult> {
  const readings = readAddress(text);
  const [reading] = readings;
  if (!reading) return { matches: [], ambiguous: false };
  const found = await addressMatches(context, readings);
  const certain = found.some(({ confidence }) => confidence >= CERTAIN);
  const others = certain ? [] : await areaMatches(context, readings, found.length > 0);
  const ranked = [...found, ...others].sort((a, b) => b.confidence - a.confidence || compareText(a.label, b.label));
  const { matches, ambiguous } = withRivals(ranked);
  return { matches: matches.slice(0, first).map(withoutInternals), ambiguous };
}

interface Candidate extends GeocodeMatchRow {
  readonly agreement?: Agreement;
}

function withoutInternals({ agreement: _, ...match }: Candidate): GeocodeMatchRow {
  return { ...match, confidence: Math.round(match.confidence * 1000) / 1000 };
}

/** Lowers the confidence of matches of which the text may mean each. */
function withRivals(ranked: readonly Candidate[]): { matches: readonly Candidate[]; ambiguous: boolean } {
  const [best] = ranked;
  if (!best) return { matches: [], ambiguous: false };
  const isRival = (other: Candidate) =>
    other !== best &&
    metresBetween(best.point, other.point) > SAME_PLACE &&
    (isAsGood(other, best) || contradicts(other, best));
  const rivals = new Set(ranked.filter(isRival));
  if (rivals.size === 0) return { matches: ranked, ambiguous: best.confidence < CERTAIN };
  const matches = ranked.map((match) =>
    match === best || rivals.has(match) ? { ...match, confidence: Math.min(match.confidence, MOST_WITH_RIVAL) } : match,
  );
  return { matches, ambiguous: true };
}

function isAsGood(other: Candidate, best: Candidate): boolean {
  return other.confidence >= best.confidence - MARGIN;
}

/** The ZIP code contradicts the town: another address has the ZIP code, and its street is typed no worse. */
function contradicts(other: Candidate, best: Candidate): boolean {
  if (!other.agreement || !best.agreement) return false;
  return (
    best.agreement.zip === 'other' &&
    other.agreement.zip === 'same' &&
    other.agreement.streetPenalty <= best.agreement.streetPenalty
  );
}

async function addressMatches(context: Context, readings: readonly AddressReading[]): Promise<Candidate[]> {
  const [reading] = readings;
  if (!reading || readings.every(({ words }) => words.length === 0)) return [];
  const { number } = reading;
  const search = searchFor(readings);
  if (number !== undefined) {
    const found = compared(await addressesAt(context.db, search, number), readings);
    if (found.some(({ confidence }) => confidence > MOST_WITHOUT_NUMBER)) return found;
    const near = compared(await addressesNear(context.db, search, number), readings, MOST_WITHOUT_NUMBER);
    if (found.length + near.length > 0) return bestOfEach([...found, ...near]);
    return similarMatches(context, readings, search, number);
  }
  return compared(await addressesNear(context.db, search, undefined), readings, MOST_WITHOUT_NUMBER);
}

/** Finds streets whose names differ from the text by several letters. */
async function similarMatches(
  context: Context,
  readings: readonly AddressReading[],
  search: StreetSearch,
  number: number,
): Promise<Candidate[]> {
  const names = search.cores.filter((core) => core.length >= 4).slice(0, 3);
  const cores = names.length > 0 ? await similarCores(context.db, names) : [];
  if (cores.length === 0) return [];
  const found = await addressesAt(context.db, { ...search, cores, spellings: cores, beginning: undefined }, number);
  return compared(found, readings);
}

/** Returns how to find the streets of all readings of a text. */
function searchFor(readings: readonly AddressReading[]): StreetSearch {
  const cores = new Set<string>();
  const towns = new Set<string>();
  let beginning: string | undefined;
  for (const { words, spellings, wordsBeforeComma, isOpen } of readings) {
    const last = wordsBeforeComma ?? words.length;
    for (const start of [0, 1]) {
      for (let end = start + 1; end <= Math.min(last, start + MOST_WORDS); end++) {
        for (const each of spellings) for (const core of possibleCores(each.slice(start, end))) cores.add(core);
        towns.add(words.slice(end).join(' '));
      }
    }
    const typed = words.join(' ');
    if (isOpen && wordsBeforeComma === undefined && typed.length >= SHORTEST_BEGINNING) beginning = typed;
  }
  const states = new Set(readings.map(({ state }) => state));
  return {
    cores: [...cores],
    spellings: [...new Set([...cores].flatMap(spellingsOf))],
    beginning,
    towns: [...towns].filter(Boolean),
    // A state that may be a part of the name is no condition.
    state: readings.length === 2 && states.size === 2 && isCertainState(readings[0]) ? readings[0]?.state : undefined,
  };
}

/** Returns whether the words before a state are enough for street and town, and the state is not a direction or suffix. */
function isCertainState(reading: AddressReading | undefined): boolean {
  return reading?.zip !== undefined && reading.words.length > 2;
}

/** Compares addresses with all readings of a text; the best reading of each counts. */
function compared(rows: readonly AddressRow[], readings: readonly AddressReading[], most = 1): Candidate[] {
  const candidates: Candidate[] = [];
  const comparisons = readings.map((reading) => ({ reading, compare: createComparison(reading) }));
  for (const row of rows) {
    let best: Agreement | undefined;
    for (const { reading, compare } of comparisons) {
      if (reading.state !== undefined && reading.state !== row.state) continue;
      const agreement = compare(row);
      if (agreement && (!best || agreement.confidence > best.confidence)) best = agreement;
    }
    if (!best) continue;
    const suffixDiffers = row.number_suffix !== (readings[0]?.numberSuffix ?? '');
    const cost = (suffixDiffers ? NUMBER_SUFFIX_COST : 0) + (row.interpolated ? INTERPOLATED_COST : 0);
    const confidence = Math.min(best.confidence - cost, most);
    if (confidence < LEAST) continue;
    candidates.push({
      label: labelOf(row),
      kind: row.interpolated ? 'INTERPOLATED' : 'ADDRESS',
      confidence,
      point: { latitude: row.latitude, longitude: row.longitude },
      sourceId: row.source_id,
      agreement: best,
    });
  }
  return candidates;
}

function labelOf({ number, number_suffix, label, town_label, state, zip }: AddressRow): string {
  const suffix = /^\d/.test(number_suffix) ? ` ${number_suffix}` : number_suffix;
  const place = [town_label, `${state}${zip === null ? '' : ` ${zip}`}`].filter(Boolean).join(', ');
  return `${number}${suffix} ${label}, ${place}`;
}

/** The highest confidence of an area when the text has a house number: the address itself was not found. */
const MOST_INSTEAD_OF_ADDRESS = 0.3;

/** Finds the ZIP code and the districts that a text names. */
async function areaMatches(
  context: Context,
  readings: readonly AddressReading[],
  hasAddress: boolean,
): Promise<Candidate[]> {
  const [reading] = readings;
  if (!reading) return [];
  const matches: Candidate[] = [];
  const most = reading.number === undefined ? 1 : MOST_INSTEAD_OF_ADDRESS;
  const zip = reading.zip === undefined ? undefined : await pointInZip(context.db, reading.zip);
  const isZipAlone = readings.every(({ words }) => words.length === 0);
  if (zip) {
    const { code, latitude, longitude, source_id } = zip;
    const confidence = Math.min(isZipAlone ? 0.95 : 0.5, most);
    matches.push({ label: code, kind: 'ZIP', confidence, point: { latitude, longitude }, sourceId: source_id });
  }
  const seesDistricts = context.caller.grants.has('districts') || context.caller.grants.has('officeholders');
  if (isZipAlone || !seesDistricts || (hasAddress && reading.number !== undefined)) return matches;
  for (const { typed, wordsBeforeComma, number, state } of readings) {
    // After a house number, the place is what follows the street.
    const words = number === undefined ? typed : wordsBeforeComma === undefined ? [] : typed.slice(wordsBeforeComma);
    const name = words.join(' ');
    if (name.length < SHORTEST_BEGINNING) continue;
    for (const place of await placesNamed(context.db, name, state, context.today)) {
      const confidence = Math.min(placeConfidence(place, name, state), most);
      if (confidence >= LEAST) matches.push(placeMatch(place, confidence));
    }
  }
  return bestOfEach(matches).filter(
    ({ label, kind }) => kind !== 'PLACE' || !matches.some((other) => isCityOf(label, other.label)),
  );
}

/** Returns each match once, with its highest confidence. */
function bestOfEach(matches: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const match of matches) {
    const key = `${match.kind} ${match.label} ${match.boundaryId} ${match.point.latitude} ${match.point.longitude}`;
    if (match.confidence > (best.get(key)?.confidence ?? 0)) best.set(key, match);
  }
  return [...best.values()];
}

/** Returns whether a label is that of the same city as a county subdivision: `Barre city, VT` and `Barre, VT`. */
function isCityOf(label: string, other: string): boolean {
  return label !== other && label.replace(/ city(?=, |$)/, '') === other;
}

function placeMatch({ name, type, state, boundary_id, latitude, longitude }: PlaceRow, confidence: number): Candidate {
  const label = type === 'State' || state === null ? name : `${name}, ${state}`;
  return { label, kind: 'PLACE', confidence, point: { latitude, longitude }, boundaryId: boundary_id };
}

/** Returns how sure it is that a name means a district: the state makes a name certain, unless it is one of a state. */
function placeConfidence({ name, type }: PlaceRow, typed: string, state: string | undefined): number {
  const whole = plainWords(name).join(' ');
  const short = plainWords(name)
    .filter((word) => !PLACE_WORDS.has(word))
    .join(' ');
  const isNamed = typed === whole || typed === short;
  if (isNamed) return state !== undefined || type === 'State' ? 0.9 : 0.75;
  return whole.startsWith(typed) ? 0.5 : 0.4;
}

/** The kinds of districts in their names: `Barre city`, `Washington County`. */
const PLACE_WORDS = new Set(['city', 'town', 'village', 'township', 'borough', 'cdp', 'county', 'parish']);

const METRES_PER_DEGREE = 111_320;

function metresBetween(one: Point, other: Point): number {
  const north = (one.latitude - other.latitude) * METRES_PER_DEGREE;
  const east = (one.longitude - other.longitude) * METRES_PER_DEGREE * Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(north, east);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
