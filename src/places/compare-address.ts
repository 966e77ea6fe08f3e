import { coreOf, lettersApart, POSTAL_STATES, possibleCores, roadClassOf } from '../import/addresses/address-words.ts';
import { DIRECTION_WORDS, SPELLINGS, SUFFIX_WORDS, WORDS } from '../import/addresses/postal-words.ts';
import type { AddressReading } from './read-address.ts';

/** What a street or an address has that a text is compared with. */
export interface Comparable {
  /** The normal words of the street. */
  readonly words: string;
  readonly core: string;
  /** The normal words of the town; empty if it is not known. */
  readonly town: string;
  /** Two letters. */
  readonly state: string;
  readonly zip: string | null;
}

/** How well an address matches a text. */
export interface Agreement {
  /** From 0 to 1. */
  readonly confidence: number;
  /** What the street alone costs: 0 if it is typed as it is loaded. */
  readonly streetPenalty: number;
  readonly zip: ZipAgreement;
}

type ZipAgreement = 'same' | 'other' | 'unknown';
type TownAgreement = 'same' | 'one letter' | 'other' | 'missing' | 'unknown';

/**
 * The confidence by how town and ZIP code agree. Only a town as typed, or the ZIP code of the address with a town that is
 * not another one, makes an address certain: streets of one name exist in many towns, and not all of them are loaded.
 */
const CONFIDENCE: Readonly<Record<TownAgreement, Readonly<Record<ZipAgreement, number>>>> = {
  same: { same: 1, unknown: 0.95, other: 0.88 },
  'one letter': { same: 0.9, unknown: 0.7, other: 0.55 },
  missing: { same: 0.92, unknown: 0.7, other: 0.5 },
  unknown: { same: 0.9, unknown: 0.6, other: 0.3 },
  other: { same: 0.6, unknown: 0.3, other: 0.1 },
};

/** What differences of the street cost. */
const COST = {
  oneLetter: 0.08,
  twoLetters: 0.3,
  suffixMissing: 0.04,
  suffixAdded: 0.12,
  suffixOther: 0.25,
  directionMissing: 0.15,
  directionAdded: 0.2,
  directionOther: 0.4,
  directionMoved: 0.03,
  unknownWord: 0.1,
  /** More than `NUMBER_SUFFIX_COST`: a letter before the street is rather a part of the house number. */
  otherLetter: 0.13,
  begun: 0.25,
  townQualifier: 0.04,
  roadClassMissing: 0.02,
  roadClassOther: 0.25,
  /** The state is another one, but the ZIP code, of which each is in one state, agrees. */
  stateOther: 0.12,
  stateOtherWithoutZip: 0.45,
} as const;

const NO_MATCH = 1;
/** Words after the name of a town that people leave out. */
const QUALIFIERS = new Set(['city', 'town', 'village', 'township', 'borough', 'cdp']);

/**
 * Creates the function that compares a text with addresses. Where the text has no comma, every division of its words into
 * street and town is tried. The streets of one name in many towns are compared once.
 */
export function createComparison(reading: AddressReading): (address: Comparable) => Agreement | undefined {
  const { words, spellings, wordsBeforeComma, zip, state, isOpen } = reading;
  const ends = wordsBeforeComma === undefined ? words.map((_, index) => index + 1) : [wordsBeforeComma];
  const streetCosts = new Map<string, readonly number[]>();
  const townCosts = new Map<string, readonly TownComparison[]>();

  function compareStreets(address: Comparable): readonly number[] {
    const parts = partsOf(address.words.split(' '));
    return ends.map((end) => {
      const isBegun = isOpen && end === words.length;
      return Math.min(...spellings.map((each) => compareStreet(each.slice(0, end), address, parts, isBegun)));
    });
  }

  return function compare(address) {
    const streets = streetCosts.get(address.words) ?? compareStreets(address);
    streetCosts.set(address.words, streets);
    const place = `${address.town}|${address.state}`;
    const towns = townCosts.get(place) ?? ends.map((end) => compareTown(words.slice(end), address, reading));
    townCosts.set(place, towns);
    const zipAgreement = zip === undefined || address.zip === null ? 'unknown' : zip === address.zip ? 'same' : 'other';
    const stateCost =
      state === undefined || state === address.state
        ? 0
        : zipAgreement === 'same'
          ? COST.stateOther
          : COST.stateOtherWithoutZip;
    let best: Agreement | undefined;
    for (const [index, streetPenalty] of streets.entries()) {
      const town = towns[index];
      if (streetPenalty >= NO_MATCH || !town) continue;
      const confidence = Math.max(CONFIDENCE[town.agreement][zipAgreement] - town.cost - stateCost - streetPenalty, 0);
      if (!best || confidence > best.confidence) best = { confidence, streetPenalty, zip: zipAgreement };
    }
    return best;
  };
}

interface TownComparison {
  readonly agreement: TownAgreement;
  readonly cost: number;
}

interface StreetParts {
  readonly core: string;
  readonly suffix: string | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Of a numbered road. */
  readonly roadClass: string | undefined;
}

/** Returns what the differences between the words of a text and a street cost; 1 or more if it is another street. */
function compareStreet(typed: readonly string[], street: Comparable, loaded: StreetParts, isOpen: boolean): number {
  const text = typed.join(' ');
  if (text === street.words) return 0;
  const costs = [ofLetters(text, street.words), ofWords(typed, loaded)];
  for (const [index, word] of typed.entries()) {
    // A mistyped suffix or direction: `rb` for `rd`.
    if (typed.length > 1 && isMistyped(word, index, loaded))
      costs.push(
        (word.length > 1 ? COST.unknownWord : COST.otherLetter) + ofWords(typed.toSpliced(index, 1), loaded, true),
      );
  }
  if (isOpen && (street.words.startsWith(text) || street.core.startsWith(text))) costs.push(COST.begun);
  return Math.min(...costs);
}

/** Compares words with a street: with the last word as the suffix, and as a part of the name. */
function ofWords(typed: readonly string[], loaded: StreetParts, isGarbled = false): number {
  return Math.min(...possibleCores(typed).map((core) => ofParts(partsWith(typed, core), loaded, isGarbled)));
}

/**
 * Returns whether a word that is not in the tables differs by one letter from a spelling of the suffix or direction of a
 * street. A direction of one letter may be any other letter before the name.
 */
function isMistyped(word: string, index: number, { suffix, before, after }: StreetParts): boolean {
  if (WORDS.has(word)) return false;
  return [suffix, before, after].some((part) =>
    SPELLINGS.get(part ?? '')?.some(
      (spelling) =>
        (spelling.length > 1 || word.length > 1 || (index === 0 && part === before)) &&
        lettersApart(word, spelling, 1) === 1,
    ),
  );
}

function ofLetters(one: string, other: string): number {
  const most = Math.min(one.length, other.length) < 6 ? 1 : 2;
  const count = lettersApart(one, other, most);
  if (count === 0) return 0;
  if (count > most || Math.min(one.length, other.length) < 2) return NO_MATCH;
  return count === 1 ? COST.oneLetter : COST.twoLetters;
}

/** Compares core, suffix and directions. With `isGarbled`, a suffix or direction was typed but cannot be read. */
function ofParts(typed: StreetParts, loaded: StreetParts, isGarbled = false): number {
  const core = ofLetters(typed.core, loaded.core);
  if (core >= NO_MATCH) return NO_MATCH;
  return (
    core +
    ofSuffix(typed.suffix, loaded.suffix, isGarbled) +
    ofDirections(typed, loaded, isGarbled) +
    ofRoadClass(typed.roadClass, loaded.roadClass)
  );
}

/** Compares the classes of numbered roads: an interstate highway is not the state highway of the same number. */
function ofRoadClass(typed: string | undefined, loaded: string | undefined): number {
  if (typed === loaded) return 0;
  return typed === undefined || loaded === undefined ? COST.roadClassMissing : COST.roadClassOther;
}

function ofSuffix(typed: string | undefined, loaded: string | undefined, isGarbled: boolean): number {
  if (typed === loaded) return 0;
  if (typed === undefined) return isGarbled ? 0 : COST.suffixMissing;
  return loaded === undefined ? COST.suffixAdded : COST.suffixOther;
}

function ofDirections(typed: StreetParts, loaded: StreetParts, isGarbled: boolean): number {
  if (typed.before === loaded.before && typed.after === loaded.after) return 0;
  const [mine, theirs] = [typed, loaded].map(({ before, after }) => [before, after].filter(Boolean).sort().join(' '));
  if (mine === theirs) return COST.directionMoved;
  if (mine === '') return isGarbled ? 0 : COST.directionMissing;
  return theirs === '' ? COST.directionAdded : COST.directionOther;
}

function partsOf(words: readonly string[]): StreetParts {
  return partsWith(words, coreOf(words));
}

function partsWith(words: readonly string[], core: string): StreetParts {
  if (core.startsWith('route ')) {
    const after = DIRECTION_WORDS.has(words.at(-1) ?? '') ? words.at(-1) : undefined;
    return { core, suffix: undefined, before: undefined, after, roadClass: roadClassOf(words) };
  }
  const count = core.split(' ').length;
  const start = words.findIndex((_, index) => words.slice(index, index + count).join(' ') === core);
  const rest = words.slice(start + count);
  return {
    core,
    suffix: rest.find((word) => SUFFIX_WORDS.has(word)),
    before: words.slice(0, start).find((word) => DIRECTION_WORDS.has(word)),
    after: rest.find((word) => DIRECTION_WORDS.has(word)),
    roadClass: undefined,
  };
}

/** Compares the words after the street with the town of an address. A mistyped state may follow the town. */
function compareTown(
  typed: readonly string[],
  { town, state }: Comparable,
  { isOpen, state: typedState }: AddressReading,
): TownComparison {
  if (typed.length === 0) return { agreement: 'missing', cost: 0 };
  if (town === '') return { agreement: 'unknown', cost: 0 };
  const text = typed.join(' ');
  if (text === town) return { agreement: 'same', cost: 0 };
  if (withoutQualifier(typed) === withoutQualifier(town.split(' ')))
    return { agreement: 'same', cost: COST.townQualifier };
  if (town.length >= 4 && lettersApart(text, town, 1) === 1) return { agreement: 'one letter', cost: 0 };
  const stateLength = typedState === undefined ? mistypedState(typed, state) : 0;
  if (stateLength > 0) {
    const before = typed.slice(0, -stateLength);
    if (before.length === 0) return { agreement: 'missing', cost: COST.unknownWord };
    if (before.join(' ') === town) return { agreement: 'same', cost: COST.townQualifier };
  }
  if (isOpen && town.startsWith(text)) return { agreement: 'missing', cost: 0 };
  return { agreement: 'other', cost: 0 };
}

const STATES_BY_CODE = Map.groupBy(POSTAL_STATES, ({ postal }) => postal);

/** Returns how many of the last words are the name or the letters of a state with one letter wrong; 0 if none. */
function mistypedState(words: readonly string[], state: string): number {
  const code = state.toLowerCase();
  const last = words.at(-1) ?? '';
  if (!WORDS.has(last) && !STATES_BY_CODE.has(last) && lettersApart(last, code, 1) === 1) return 1;
  const names = STATES_BY_CODE.get(code) ?? [];
  const isName = (name: readonly string[]) => lettersApart(words.slice(-name.length).join(' '), name.join(' '), 1) <= 1;
  return names.find((each) => isName(each.words))?.words.length ?? 0;
}

/** Returns a town without the word for its kind: `Town of Barre` and `Barre town` are `Barre`. */
function withoutQualifier(words: readonly string[]): string {
  const rest = words[1] === 'of' && QUALIFIERS.has(words[0] ?? '') ? words.slice(2) : words;
  return (rest.length > 1 && QUALIFIERS.has(rest.at(-1) ?? '') ? rest.slice(0, -1) : rest).join(' ');
}
