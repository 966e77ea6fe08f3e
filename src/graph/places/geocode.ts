import { inPortion, inPortions } from '../../base/event-loop-turns.ts';
import { possibleCores, spellingsOf } from '../../base/words/address-words.ts';
import { DIRECTION_WORDS, SUFFIX_WORDS, WORDS } from '../../base/words/postal-words.ts';
import type { DistrictType } from '../../store/sql/tables.ts';
import type { Context } from '../builder/context.ts';
import { notIncluded } from '../builder/grants.ts';
import { isGranted } from '../builder/required-grants.ts';
import type { DistrictRow, Point } from '../districts/districts.store.ts';
import {
  type Agreement,
  beginningsOf,
  createComparison,
  createTypedStreets,
  leavesSuffixOpen,
} from './compare-address.ts';
import {
  type AddressRow,
  addressesAt,
  addressesNear,
  districtsOfZip,
  hasAddresses,
  hasStreetsIn,
  hasTownsOf,
  isTown,
  loadedStates,
  PLACES,
  type PlaceRow,
  type PlaceSearch,
  placesNamed,
  type StreetSearch,
  similarCores,
  sourceOfZip,
  statesByCode,
} from './geocode.store.ts';
import { compareName, isTownNamed, OTHER_FORMS, type PlaceReading, partsOfName, readPlace } from './place-names.ts';
import { type TownPointRow, townPoints, zipPoint } from './points.store.ts';
import { type AddressReading, MOST_NAME_WORDS, readAddress, withNumberFirst } from './read-address.ts';

export type GeocodeKind = 'ADDRESS' | 'INTERPOLATED' | 'ZIP' | 'PLACE' | 'LOCATED_ONLY';

/** A place that a text may mean. */
export interface GeocodeMatchRow {
  readonly label: string;
  readonly kind: GeocodeKind;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Where an address is; a ZIP code and a place are areas, and no point stands for one. */
  readonly point?: Point;
  /** Where to show a place that is LOCATED_ONLY on a map; districts are never looked up there. */
  readonly center?: Point;
  readonly sourceId?: number;
  /** The district of a PLACE. */
  readonly district?: DistrictRow;
  /** The boundary of a PLACE in effect today. */
  readonly boundaryId?: number;
}

/** What a text asks for and is not loaded. */
export type MissingLayer = 'ADDRESSES' | 'ZIP_CODES' | 'TOWNS';

export interface GeocodingResult {
  /** The best first. */
  readonly matches: readonly GeocodeMatchRow[];
  readonly ambiguous: boolean;
  readonly missing: readonly MissingLayer[];
  /** The states of which the missing layer is loaded. */
  readonly loadedStates: readonly string[];
  /** Why the text was not found, in one sentence; undefined if nothing is missing. */
  readonly reason?: string | undefined;
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

/** What a wrong letter in the name of a street costs. */
const MISTYPED = 0.08;

/** The shortest beginning of a name that is searched without its state. */
const SHORTEST_BEGINNING = 3;

export { hasAddresses };

/**
 * Returns the places that a text may mean: addresses, ZIP codes, districts, and the points of towns and ZIP codes without a
 * loaded area. Nothing of the text is stored.
 * @param first the maximum number of matches.
 */
export async function geocode(context: Context, text: string, first: number): Promise<GeocodingResult> {
  const readings = await inPortion(context, () => readAddress(text));
  const [reading] = readings;
  if (!reading) return { matches: [], ambiguous: false, missing: [], loadedStates: [] };
  const found = await withTownsElsewhere(context, await addressMatchesOf(context, text, readings), readings);
  const certain = found.some(({ confidence }) => confidence >= CERTAIN);
  const places = certain ? [] : await inPortion(context, () => placeReadings(text, readings));
  const areas = certain ? [] : await areaMatches(context, readings, places, found.length > 0);
  const towns = reading.number === undefined || certain ? [] : await townsOfAddress(context, text, reading.zip);
  const located = towns.filter(({ kind }) => kind === 'LOCATED_ONLY' && found.length === 0);
  const others = [...areas, ...located];
  // The sort is stable: places that agree as well remain in the order of their types and names.
  const ranked = [...found, ...others].sort((a, b) => b.confidence - a.confidence || compareAddresses(a, b));
  const { matches, ambiguous } = withRivals(ranked);
  const namesPlace = reading.number === undefined && readings.some(({ words }) => words.length > 0);
  const hidesPlace = namesPlace && !certain && !isGranted(context, OF_PLACES);
  const missing = hidesPlace ? [] : await missingLayers(context, readings, places, matches);
  const result = { matches: matches.slice(0, first).map(withoutInternals), ambiguous, missing };
  if (hidesPlace) return { ...result, loadedStates: [], reason: ONLY_WITHOUT_PLACES };
  const [layer] = missing;
  const [best] = matches;
  const elsewhere = [...matches, ...(found.length === 0 ? towns : [])].find(({ isElsewhere }) => isElsewhere);
  const isArea = (best?.kind === 'PLACE' || best?.kind === 'LOCATED_ONLY') && reading.number === undefined;
  const states = layer === undefined ? [] : await loadedStates(context.db, layer);
  if (elsewhere) return { ...result, missing: [], loadedStates: [], reason: elsewhereSentence(elsewhere, reading) };
  if (isArea && best.confidence < LEAST_NAMED && (layer === undefined || best.kind === 'LOCATED_ONLY'))
    return { ...result, loadedStates: states, reason: ONLY_SIMILAR };
  if (isArea && best.kind === 'LOCATED_ONLY' && (!best.town || best.confidence > LEAST_NAMED))
    return { ...result, loadedStates: states, reason: await locatedSentence(context, matches) };
  if (layer === undefined) return { ...result, loadedStates: [] };
  const townStates = layer === 'ADDRESSES' && towns.length === 0 ? await loadedStates(context.db, 'TOWNS') : [];
  const labels = towns.map(({ label }) => label);
  return { ...result, loadedStates: states, reason: missingSentence(layer, states, labels, townStates) };
}

/** The most words of the end of an address that are read as its town, with state and ZIP code. */
const MOST_TOWN_WORDS = 6;

/**
 * Returns the cities and towns with the name that an address ends with: by their outlines; if none is loaded, by their points. Those that the
 * ZIP code of the address contradicts are elsewhere, unless it agrees with another one.
 */
async function townsOfAddress(context: Context, text: string, zip: string | undefined): Promise<Candidate[]> {
  if (!isGranted(context, OF_PLACES)) return [];
  const towns = await townsNamedIn(context, text);
  if (zip === undefined || towns.length === 0) return towns;
  const { db, today } = context;
  const hasArea = (await sourceOfZip(db, zip)) !== undefined;
  const ofZip = await extentOfZip(context, zip, hasArea, await zipPoint(db, zip, today));
  const there = towns.filter((match) => !ofZip.excludes(match));
  return there.length > 0 ? there : towns.map((match) => ({ ...match, isElsewhere: true }));
}

async function townsNamedIn(context: Context, text: string): Promise<Candidate[]> {
  const words = text.trim().split(/\s+/);
  const isNamed = ({ confidence }: Candidate) => confidence > LEAST_NAMED;
  const ends: PlaceReading[][] = [];
  for (const index of beginningsOfTowns(words)) {
    const end = await inPortion(context, () => readPlace(words.slice(index).join(' ')));
    const towns = (await placeMatches(context, end)).filter((match) => isNamed(match) && isTown(match.district));
    if (towns.length > 0) return towns;
    ends.push(end);
  }
  const located = await locatedTowns(context, ends, []);
  const named = located.map((towns) => towns.filter(isNamed)).find((towns) => towns.length > 0) ?? [];
  const best = Math.max(...named.map(({ confidence }) => confidence));
  return named
    .filter(({ confidence }) => confidence === best)
    .map((match) => ({ ...match, confidence: MOST_INSTEAD_OF_ADDRESS }));
}

/**
 * Returns where the town may begin in the words of an address: after a comma, the suffix of a street, a direction or the number of a road
 * or unit; anywhere if there is none of them. `Gap` is not the town of `16 Cony St, Zzyzx Gap`.
 */
function beginningsOfTowns(words: readonly string[]): number[] {
  const last = [...words.keys()].filter((index) => index > 0 && index >= words.length - MOST_TOWN_WORDS);
  const follows = (index: number) => {
    const before = words[index - 1] ?? '';
    const normal = WORDS.get(before.toLowerCase().replace(/[.,]+$/, '')) ?? '';
    const isOfStreet = SUFFIX_WORDS.has(normal) || DIRECTION_WORDS.has(normal) || /\d/.test(before);
    return before.endsWith(',') || (index > 1 && isOfStreet);
  };
  // `Washington DC` is a town in a state as well.
  const isStateAlone = (index: number) => {
    const readings = readPlace(words.slice(index).join(' '));
    const isTownIn = readings.some(({ words: town, state }) => town.length > 0 && state !== undefined);
    return !isTownIn && readings.some(({ words: town }) => town.length === 0);
  };
  const known = last.filter((index) => follows(index) && !isStateAlone(index));
  return known.length > 0 ? known : last;
}

/** Any of these grants lets a caller find districts by their names. */
const OF_PLACES = ['districts', 'officeholders'] as const;
export const ONLY_WITHOUT_PLACES = `${notIncluded(OF_PLACES).replace('.', ':')} only addresses and ZIP codes are found.`;
const ONLY_SIMILAR = 'No place with this name is loaded: the matches have similar names.';

/** Says of places without a loaded area what they are, and what finds districts there. */
async function locatedSentence(context: Context, matches: readonly Candidate[]): Promise<string> {
  const [best] = matches;
  const alike = matches.filter(({ kind, confidence }) => kind === 'LOCATED_ONLY' && confidence === best?.confidence);
  if (alike.length > 1) return `${alike.length} places have this name. Name the state, or choose one.`;
  const place = best?.town ? best.label : `the ZIP code ${best?.label}`;
  const hasStreets = (await loadedStates(context.db, 'ADDRESSES')).includes(best?.town?.state ?? '');
  return `The data have a point on the map for ${place}, but not its area, so its districts are not known. Choose a point in it${hasStreets ? ', or give a street address' : ''}.`;
}

const elsewhereSentence = ({ label }: Candidate, { zip }: AddressReading) =>
  `${label} is not where the ZIP code ${zip} is. Correct one of them, or choose one.`;

const NOT_LOADED: Readonly<Record<MissingLayer, readonly [what: string, name: string]>> = {
  ADDRESSES: ['Neither the addresses nor the outline of this town are loaded on this server', 'addresses'],
  ZIP_CODES: ['This ZIP code is not loaded on this server', 'areas of ZIP codes'],
  TOWNS: ['The cities and towns there are not loaded on this server', 'cities and towns'],
};

/** @param townStates the states of which cities and towns are loaded, if that matters. */
function missingSentence(
  layer: MissingLayer,
  states: readonly string[],
  towns: readonly string[],
  townStates: readonly string[],
): string {
  const [what, name] = NOT_LOADED[layer];
  const named = towns.length > 3 ? `${towns.length} towns of this name` : towns.join(' and ');
  const known = `${named} ${towns.length === 1 ? 'is known, but its' : 'are known, but their'}`;
  const first = towns.length === 0 ? what : `${known} addresses are not loaded on this server`;
  const loaded = states.length === 0 ? `No ${name} are loaded` : `Loaded are ${name} of ${states.join(', ')}`;
  const others = townStates.length === 0 ? '' : `; cities and towns of ${townStates.join(', ')}`;
  return `${first}. ${loaded}${others}.`;
}

/** Returns the ways to read the place in a text: all of it, or what follows the street of an address. */
function placeReadings(text: string, [reading]: readonly AddressReading[]): PlaceReading[] {
  if (reading?.number === undefined) return readPlace(text);
  const comma = text.indexOf(',');
  return comma === -1 ? [] : readPlace(text.slice(comma + 1));
}

/** Returns the layers that a text asks for and that are not loaded, unless what it means was found. */
async function missingLayers(
  context: Context,
  readings: readonly AddressReading[],
  places: readonly PlaceReading[],
  [best]: readonly Candidate[],
): Promise<MissingLayer[]> {
  const [reading] = readings;
  if (!reading || (best && best.kind !== 'LOCATED_ONLY' && best.confidence >= CERTAIN)) return [];
  const { db } = context;
  if (reading.number !== undefined) {
    const { towns } = await inPortions(context, searchFor(readings));
    return best?.kind === 'ADDRESS' || best?.kind === 'INTERPOLATED' || (await hasStreetsIn(db, towns, reading.state))
      ? []
      : ['ADDRESSES'];
  }
  if (readings.every(({ words }) => words.length === 0) && reading.zip !== undefined)
    return best?.kind === 'ZIP' ? [] : ['ZIP_CODES'];
  const state = places.find((each) => each.state !== undefined)?.state;
  return (await hasTownsOf(db, state)) ? [] : ['TOWNS'];
}

interface Candidate extends GeocodeMatchRow {
  readonly agreement?: Agreement;
  readonly address?: AddressRow;
  readonly town?: TownPointRow;
  /** Whether it is not where the ZIP code of the text is. */
  readonly isElsewhere?: boolean;
}

function withoutInternals({
  agreement: _,
  address: __,
  town: ___,
  isElsewhere: ____,
  ...match
}: Candidate): GeocodeMatchRow {
  return { ...match, confidence: Math.round(match.confidence * 1000) / 1000 };
}

/** Lowers the confidence of matches of which the text may mean each. */
function withRivals(ranked: readonly Candidate[]): { matches: readonly Candidate[]; ambiguous: boolean } {
  const [best] = ranked;
  if (!best) return { matches: [], ambiguous: false };
  const isRival = (other: Candidate) =>
    other !== best &&
    isElsewhere(best, other) &&
    (isAsGood(other, best) || contradicts(other, best) || isOfOpenStreet(other, best));
  const rivals = new Set(ranked.filter(isRival));
  if (rivals.size === 0) return { matches: ranked, ambiguous: best.confidence < CERTAIN };
  const matches = ranked.map((match) =>
    match === best || rivals.has(match) ? { ...match, confidence: Math.min(match.confidence, MOST_WITH_RIVAL) } : match,
  );
  return { matches, ambiguous: true };
}

/** Returns whether two matches are different places; areas always are. */
function isElsewhere({ point: one }: Candidate, { point: other }: Candidate): boolean {
  return !one || !other || metresBetween(one, other) > SAME_PLACE;
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

/** Returns whether two addresses of one town agree with a street that was typed without its suffix: `4th` may be `4th Ave` and `N 4th St`. */
function isOfOpenStreet({ agreement: other, address: rival }: Candidate, { agreement, address }: Candidate): boolean {
  if (!other || !agreement || rival?.town_label !== address?.town_label) return false;
  return leavesSuffixOpen(agreement, other);
}

/**
 * Lowers the confidence of addresses if the text has neither state nor ZIP code, and a town of the same name is known in a state of
 * which no addresses are loaded: `500 Oak St, Springfield` may be there.
 */
async function withTownsElsewhere(
  context: Context,
  found: readonly Candidate[],
  readings: readonly AddressReading[],
): Promise<readonly Candidate[]> {
  const certain = found.filter(({ confidence }) => confidence >= CERTAIN);
  if (certain.length === 0 || readings.some(({ state, zip }) => state !== undefined || zip !== undefined)) return found;
  const loaded = new Set(await loadedStates(context.db, 'ADDRESSES'));
  const names = [...new Set(certain.flatMap(({ address }) => address?.town_label || []))];
  const lists = names.map((name) => readPlace(name).filter(({ state }) => state === undefined));
  const located = await locatedTowns(context, lists, []);
  const isOpen = (_: string, index: number) =>
    located[index]?.some(({ town, confidence }) => town && confidence > LEAST_NAMED && !loaded.has(town.state)) ??
    false;
  const open = new Set(names.filter(isOpen));
  return found.map((match) =>
    open.has(match.address?.town_label ?? '')
      ? { ...match, confidence: Math.min(match.confidence, MOST_WITH_RIVAL) }
      : match,
  );
}

/** Finds the addresses of a text that has its house number at the beginning, or elsewhere. */
async function addressMatchesOf(
  context: Context,
  text: string,
  readings: readonly AddressReading[],
): Promise<Candidate[]> {
  const rearranged = await inPortion(context, () => {
    const numberFirst = withNumberFirst(text);
    return numberFirst === undefined ? undefined : readAddress(numberFirst);
  });
  const found = rearranged === undefined ? [] : await addressMatches(context, rearranged);
  if (found.some(({ confidence }) => confidence > MOST_WITHOUT_NUMBER)) return found;
  const asTyped = await addressMatches(context, readings);
  return asTyped.length > 0 ? asTyped : found;
}

async function addressMatches(context: Context, readings: readonly AddressReading[]): Promise<Candidate[]> {
  const [reading] = readings;
  if (!reading || readings.every(({ words }) => words.length === 0)) return [];
  const { number } = reading;
  const search = await inPortions(context, searchFor(readings));
  if (number === undefined)
    return compared(context, await addressesNear(context.db, search, undefined), readings, true);
  // The state may be wrong: it is not required if no address is found in it.
  const searches = search.state === undefined ? [search] : [search, { ...search, state: undefined }];
  const all: Candidate[] = [];
  for (const each of searches) {
    const found = await compared(context, await addressesAt(context.db, each, number), readings);
    all.push(...found);
    if (found.some(({ confidence }) => confidence > MOST_WITHOUT_NUMBER))
      return withTypedStreet(context, bestOfEach(all), () => addressesNear(context.db, each, number), readings);
  }
  all.push(...(await compared(context, await addressesNear(context.db, search, number), readings, true)));
  return all.length > 0 ? bestOfEach(all) : similarMatches(context, readings, search, number);
}

/**
 * Lowers the confidence of addresses with a similar street if the street exists as it is typed, without the house number:
 * then `28 Hill St` is a wrong number rather than a mistyped `28 Mill St`.
 * @param near returns the addresses of the streets with the nearest house numbers.
 */
async function withTypedStreet(
  context: Context,
  found: readonly Candidate[],
  near: () => Promise<readonly AddressRow[]>,
  readings: readonly AddressReading[],
): Promise<Candidate[]> {
  const isMistyped = ({ confidence, agreement }: Candidate) =>
    confidence >= CERTAIN && agreement !== undefined && agreement.streetPenalty >= MISTYPED;
  if (!found.some(isMistyped)) return [...found];
  const others = await compared(context, await near(), readings, true);
  const agreementOf = ({ agreement }: Candidate) => agreement?.confidence ?? 0;
  const best = Math.max(...others.map(agreementOf));
  const isWorse = (match: Candidate) => isMistyped(match) && agreementOf(match) < best;
  if (!found.some(isWorse)) return [...found];
  const lowered = found.map((match) =>
    isWorse(match) ? { ...match, confidence: Math.min(match.confidence, MOST_WITH_RIVAL) } : match,
  );
  return bestOfEach([...lowered, ...others]);
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
  return compared(context, found, readings);
}

/** Returns how to find the streets of all readings of a text; yields between them. */
function* searchFor(readings: readonly AddressReading[]): Generator<void, StreetSearch> {
  const cores = new Set<string>();
  const towns = new Set<string>();
  let beginning: string | undefined;
  for (const { words, spellings, wordsBeforeComma, isOpen } of readings) {
    yield;
    const last = wordsBeforeComma ?? words.length;
    for (const start of [0, 1]) {
      for (let end = start + 1; end <= Math.min(last, start + MOST_NAME_WORDS); end++) {
        for (const each of beginningsOf(spellings, end, start)) for (const core of possibleCores(each)) cores.add(core);
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

/**
 * Compares addresses with all readings of a text; the best reading of each counts.
 * @param isOther whether the addresses have other house numbers than the text: their confidence is low, and those on the
 *   street that agrees best come first.
 */
function compared(
  context: Context,
  rows: readonly AddressRow[],
  readings: readonly AddressReading[],
  isOther = false,
): Promise<Candidate[]> {
  return inPortions(context, comparedInSteps(rows, readings, isOther));
}

function* comparedInSteps(
  rows: readonly AddressRow[],
  readings: readonly AddressReading[],
  isOther: boolean,
): Generator<void, Candidate[]> {
  const candidates: Candidate[] = [];
  const typedStreets = createTypedStreets();
  const comparisons: { readonly reading: AddressReading; readonly compare: ReturnType<typeof createComparison> }[] = [];
  if (rows.length === 0) return candidates;
  const state = readings.find((reading) => reading.state !== undefined)?.state;
  for (const reading of readings) {
    comparisons.push({ reading, compare: createComparison(reading, typedStreets) });
    yield;
  }
  for (const row of rows) {
    yield;
    let best: { readonly confidence: number; readonly agreement: Agreement } | undefined;
    for (const { reading, compare } of comparisons) {
      const agreement = compare(row);
      if (!agreement) continue;
      const cost = isOther ? 0 : ofNumberSuffix(reading.numberSuffix, row.number_suffix);
      const confidence = asOther(agreement.confidence - cost, isOther || cost >= OTHER_NUMBER_COST);
      if (!best || confidence > best.confidence) best = { confidence, agreement };
    }
    if (!best) continue;
    // The words of a state may be those of a town: `Delaware`.
    const { zip, town } = best.agreement;
    if (state !== undefined && state !== row.state && zip !== 'same' && town !== 'same') continue;
    const confidence = best.confidence - (row.interpolated ? INTERPOLATED_COST : 0);
    if (confidence < LEAST) continue;
    candidates.push({
      label: labelOf(row),
      kind: row.interpolated ? 'INTERPOLATED' : 'ADDRESS',
      confidence,
      point: { latitude: row.latitude, longitude: row.longitude },
      sourceId: row.source_id,
      agreement: best.agreement,
      address: row,
    });
  }
  return candidates;
}

/** Returns the confidence of an address with another house number, which is low, in the order of how well it agrees. */
function asOther(confidence: number, isOther: boolean): number {
  if (!isOther || confidence < LEAST) return confidence;
  return LEAST + (MOST_WITHOUT_NUMBER - LEAST) * confidence;
}

/** What a house number costs that is another one in spite of its digits, as `12-34` and `12-36`, or `12A` and `12B`. */
const OTHER_NUMBER_COST = 0.2;

/** Compares what follows the digits of house numbers. */
function ofNumberSuffix(typed: string, loaded: string): number {
  if (typed === loaded) return 0;
  // `45-10` is a number of its own, and not a part of 45.
  const isOther = (typed !== '' && loaded !== '') || /^-\d/.test(typed + loaded);
  return isOther ? OTHER_NUMBER_COST : NUMBER_SUFFIX_COST;
}

function labelOf({ number, number_suffix, label, town_label, state, zip }: AddressRow): string {
  const suffix = /^\d/.test(number_suffix) ? ` ${number_suffix}` : number_suffix;
  const place = [town_label, `${state}${zip === null ? '' : ` ${zip}`}`].filter(Boolean).join(', ');
  return `${number}${suffix} ${label}, ${place}`;
}

/** The highest confidence of an area when the text has a house number: the address itself was not found. */
const MOST_INSTEAD_OF_ADDRESS = 0.3;

/** Finds the ZIP code, the districts and the points of towns that a text names. */
async function areaMatches(
  context: Context,
  readings: readonly AddressReading[],
  places: readonly PlaceReading[],
  hasAddress: boolean,
): Promise<Candidate[]> {
  const [reading] = readings;
  if (!reading) return [];
  const matches: Candidate[] = [];
  const most = reading.number === undefined ? 1 : MOST_INSTEAD_OF_ADDRESS;
  const { zip } = reading;
  const sourceId = zip === undefined ? undefined : await sourceOfZip(context.db, zip);
  const point = zip === undefined ? undefined : await zipPoint(context.db, zip, context.today);
  const isZipAlone = readings.every(({ words }) => words.length === 0);
  if (zip !== undefined) {
    const match = { label: zip, confidence: Math.min(isZipAlone ? 0.95 : 0.5, most) };
    if (sourceId !== undefined) matches.push({ ...match, kind: 'ZIP', sourceId });
    else if (point) matches.push({ ...match, ...locatedAt(point) });
  }
  if (isZipAlone || !isGranted(context, OF_PLACES) || (hasAddress && reading.number !== undefined)) return matches;
  const ofZip = zip === undefined ? undefined : await extentOfZip(context, zip, sourceId !== undefined, point);
  const districts = await placeMatches(context, places);
  const located = reading.number === undefined ? await locatedTowns(context, [places], districts) : [];
  const all = [...districts, ...located.flat()];
  const there = all.filter((match) => !ofZip?.excludes(match));
  const isNamed = ({ confidence }: Candidate) => confidence > LEAST_NAMED;
  // A town and a ZIP code that contradict each other: neither is taken for the other.
  const found = there.some(isNamed) ? there : all.filter(isNamed).map((match) => ({ ...match, ...ELSEWHERE }));
  if (found.length === 0) found.push(...there);
  const best = Math.max(...found.map(({ confidence }) => confidence));
  // What was typed whole is no beginning of something else.
  const meant = best >= CERTAIN ? found.filter(({ confidence }) => confidence >= best - MARGIN) : found;
  return [...matches, ...meant.map((match) => ({ ...match, confidence: Math.min(match.confidence, most) }))];
}

/** What a town is that the ZIP code of the text contradicts: as sure as the ZIP code. */
const ELSEWHERE = { isElsewhere: true, confidence: 0.5 } as const;

/** The point of a ZIP code is at most this far from that of a town whose mail has it, in metres. */
const FAR = 50_000;

/** Returns which places a ZIP code excludes: by its area if it is loaded, otherwise by its point. */
async function extentOfZip(
  { db, today }: Context,
  code: string,
  hasArea: boolean,
  point: Awaited<ReturnType<typeof zipPoint>>,
): Promise<{ excludes(match: Candidate): boolean }> {
  const inArea = hasArea ? await districtsOfZip(db, code, today) : [];
  const states = new Set(hasArea ? inArea.map(({ state }) => state) : [point?.state ?? []].flat());
  const ids = new Set(inArea.map(({ id }) => id));
  return {
    excludes({ district, town, center }) {
      const state = district?.state ?? town?.state;
      if (states.size > 0 && typeof state === 'string' && !states.has(state)) return true;
      if (ids.size > 0 && district && (isTown(district) || district.type === 'County')) return !ids.has(district.id);
      return center !== undefined && point !== undefined && metresBetween(center, point) > FAR;
    },
  };
}

/** What a place is that only has a point. */
const locatedAt = ({
  latitude,
  longitude,
  source_id: sourceId,
}: Pick<TownPointRow, 'latitude' | 'longitude' | 'source_id'>) =>
  ({ kind: 'LOCATED_ONLY', center: { latitude, longitude }, sourceId }) as const;

/** Points of one town in several data sets are this close, in metres. */
const SAME_TOWN = 10_000;

/**
 * Finds the points of towns for several lists of readings in one statement.
 * @param places the districts that were found: a town whose area is one of them is not repeated by its point.
 * @returns the towns for each list.
 */
async function locatedTowns(
  context: Context,
  lists: readonly (readonly PlaceReading[])[],
  places: readonly Candidate[],
): Promise<Candidate[][]> {
  const searches = lists.flatMap((readings, list) =>
    readings.flatMap((reading) => {
      const search = searchOf(reading);
      return search ? [{ list, reading, search, mayNameState: namesStateElsewhere(reading, readings) }] : [];
    }),
  );
  if (searches.length === 0) return [];
  const rows = await townPoints(
    context.db,
    searches.map(({ search }) => search),
  );
  const isLoaded = ({ name, state }: TownPointRow) =>
    places.some(({ district }) => district?.state === state && isTownNamed(district, name));
  const found: Candidate[][] = lists.map(() => []);
  for (const [index, { list, reading, mayNameState }] of searches.entries()) {
    const towns = rows.filter((row) => row.ordinal === index + 1 && !isLoaded(row));
    const named = towns.map((town) => ({ ...town, type: 'City-town' as const, towns_loaded: true }));
    await inPortions(context, comparedPlaces(named, reading, found[list] ?? [], mayNameState, townMatch));
  }
  return found.map(withCounties);
}

const townMatch = (town: TownPointRow, confidence: number): Candidate => ({
  label: `${town.name}, ${town.state}`,
  confidence,
  ...locatedAt(town),
  town,
});

/** Returns each town once, and with its county if others of the state have its name. */
function withCounties(towns: readonly Candidate[]): Candidate[] {
  const isNear = (one: Candidate, other: Candidate) =>
    one.label === other.label && one.center && other.center && metresBetween(one.center, other.center) < SAME_TOWN;
  const once = bestOfEach(towns).filter(
    (match, index, all) => !all.slice(0, index).some((other) => isNear(match, other)),
  );
  const byLabel = Map.groupBy(once, ({ label }) => label);
  return once.map((match) => {
    const { name, county_name, state } = match.town ?? {};
    const isShared = (byLabel.get(match.label)?.length ?? 0) > 1 && typeof county_name === 'string';
    return isShared ? { ...match, label: `${name}, ${county_name}, ${state}` } : match;
  });
}

/** Returns how the name of a reading is searched; undefined if it is too short. */
function searchOf({ words, state }: PlaceReading): PlaceSearch | undefined {
  const name = partsOfName(words).base.join(' ');
  if (name === '' || (state === undefined && name.length < SHORTEST_BEGINNING)) return undefined;
  return { name, typed: words.join(' '), forms: OTHER_FORMS, state };
}

/** Returns whether the words of a reading may name a state, as another reading has them. */
const namesStateElsewhere = ({ state }: PlaceReading, readings: readonly PlaceReading[]) =>
  state === undefined && readings.some((other) => other.state !== undefined && other.words.length > 0);

async function placeMatches(context: Context, readings: readonly PlaceReading[]): Promise<Candidate[]> {
  const { db, today } = context;
  const matches: Candidate[] = [];
  const codes = readings.flatMap(({ words, state }) => (words.length === 0 && state !== undefined ? [state] : []));
  // The city has the area of the district.
  const capitals = readings.filter(({ words, state }) => state === 'DC' && words.join(' ') === 'washington');
  if (codes.length + capitals.length > 0) {
    const states = await statesByCode(db, [...codes, ...capitals.map(() => 'DC')], today);
    matches.push(...states.map((place) => placeMatch(place, CONFIDENCE_WITH_STATE)));
  }
  for (const reading of readings) {
    const search = searchOf(reading);
    if (!search) continue;
    const found = await placesNamed(db, search, today);
    const mayNameState = namesStateElsewhere(reading, readings);
    await inPortions(context, comparedPlaces(found, reading, matches, mayNameState, placeMatch));
  }
  return bestOfEach(matches).filter(
    (match) =>
      !matches.some((other) => isCityOf(match.label, other.label) || isAlike(match, other) || isStateOf(match, other)),
  );
}

/** Returns each match once, with its highest confidence. */
function bestOfEach(matches: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const match of matches) {
    const { kind, label, boundaryId, point = match.center } = match;
    const key = `${kind} ${label} ${boundaryId} ${point?.latitude} ${point?.longitude}`;
    if (match.confidence > (best.get(key)?.confidence ?? 0)) best.set(key, match);
  }
  return [...best.values()];
}

/** Returns whether a label is that of the same city as another one: `Barre city, VT` and `Barre, VT`. */
function isCityOf(label: string, other: string): boolean {
  return label !== other && label.replace(/ city(?=, |$)/, '') === other;
}

/** Returns whether a place has the label of a smaller one, as a city that is its own county. */
function isAlike({ label, district }: Candidate, other: Candidate): boolean {
  const [own, others] = [district?.type, other.district?.type].map((type) => PLACES.indexOf(type as DistrictType));
  return label.toLowerCase() === other.label.toLowerCase() && (own ?? 0) > (others ?? 0);
}

type NamedPlace = Pick<PlaceRow, 'name' | 'type' | 'towns_loaded'>;

/**
 * Adds the places that agree with a reading to the matches.
 * @param mayNameState whether the words of the reading may name a state, which a name that they only resemble contradicts.
 */
function* comparedPlaces<Row extends NamedPlace>(
  found: readonly Row[],
  reading: PlaceReading,
  matches: Candidate[],
  mayNameState: boolean,
  matchOf: (place: Row, confidence: number) => Candidate,
): Generator<void, void> {
  for (const place of found) {
    yield;
    const confidence = placeConfidence(place, reading);
    if (confidence === undefined || (mayNameState && confidence < LEAST_NAMED)) continue;
    if (place.type === 'School District' && !reading.words.some((word) => word.startsWith('school'))) continue;
    matches.push(matchOf(place, confidence));
  }
}

/** Returns whether a county is a state or territory of the same name, as the District of Columbia and Guam are. */
function isStateOf({ district }: Candidate, { district: other }: Candidate): boolean {
  return district?.type === 'County' && other?.type === 'State' && district.name === other.name;
}

function placeMatch(place: PlaceRow, confidence: number): Candidate {
  const { boundary_id: boundaryId, towns_loaded: _, ...district } = place;
  const { name, type, state } = district;
  const label = type === 'State' || state === null ? name : `${name}, ${state}`;
  return { label, kind: 'PLACE', confidence, district, boundaryId };
}

/** The least confidence of a name of which all words were typed, or its beginning. */
const LEAST_NAMED = 0.5;
/** The confidence of a name with its state, and with its kind too. */
const CONFIDENCE_WITH_STATE = 0.95;
/** The confidence of a name that may be that of another place. */
const CONFIDENCE_OF_NAME_ALONE = 0.75;

/**
 * Returns how sure it is that a name means a district; undefined if it does not. The state makes a name certain, unless it is
 * that of a county without its kind where no towns are loaded: the text may mean a town, and so it does if its letters differ.
 */
function placeConfidence(place: NamedPlace, { words, state }: PlaceReading): number | undefined {
  const agreement = compareName(place.name, place.type, words);
  if (agreement === undefined) return undefined;
  const mayBeTown = place.type === 'County' && partsOfName(words).kind === undefined && !place.towns_loaded;
  if (agreement === 'begun') return 0.5;
  if (agreement === 'letters' && mayBeTown) return undefined;
  if (agreement === 'words' || agreement === 'letters') return 0.4;
  // `New York, NY` may be the state, or a place in it.
  if (place.type === 'State') return state === undefined ? CONFIDENCE_WITH_STATE : CONFIDENCE_OF_NAME_ALONE;
  if (state === undefined) return CONFIDENCE_OF_NAME_ALONE;
  if (agreement === 'same') return CONFIDENCE_WITH_STATE;
  return mayBeTown ? CONFIDENCE_OF_NAME_ALONE : 0.88;
}

const METRES_PER_DEGREE = 111_320;

function metresBetween(one: Point, other: Point): number {
  const north = (one.latitude - other.latitude) * METRES_PER_DEGREE;
  const east = (one.longitude - other.longitude) * METRES_PER_DEGREE * Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(north, east);
}

/** Orders addresses by their labels. */
function compareAddresses(one: Candidate, other: Candidate): number {
  if (one.kind === 'PLACE' || other.kind === 'PLACE') return 0;
  return one.label < other.label ? -1 : one.label > other.label ? 1 : 0;
}
