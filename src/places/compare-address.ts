import { coreOf, lettersApart, possibleCores } from '../import/addresses/address-words.ts';
import { DIRECTION_WORDS, SUFFIX_WORDS, WORDS } from '../import/addresses/postal-words.ts';
import type { AddressReading } from './read-address.ts';

/** What a street or an address has that a text is compared with. */
export interface Comparable {
  /** The normal words of the street. */
  readonly words: string;
  readonly core: string;
  /** The normal words of the town; empty if it is not known. */
  readonly town: string;
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
  begun: 0.25,
  townQualifier: 0.04,
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
    const towns =
      townCosts.get(address.town) ??
      ends.map((end) => compareTown(words.slice(end), address.town, isOpen, state === undefined));
    townCosts.set(address.town, towns);
    const zipAgreement = zip === undefined || address.zip === null ? 'unknown' : zip === address.zip ? 'same' : 'other';
    let best: Agreement | undefined;
    for (const [index, streetPenalty] of streets.entries()) {
      const town = towns[index];
      if (streetPenalty >= NO_MATCH || !town) continue;
      const confidence = Math.max(CONFIDENCE[town.agreement][zipAgreement] - town.cost - streetPenalty, 0);
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
}

/** Returns what the differences between the words of a text and a street cost; 1 or more if it is another street. */
function compareStreet(typed: readonly string[], street: Comparable, loaded: StreetParts, isOpen: boolean): number {
  const text = typed.join(' ');
  if (text === street.words) return 0;
  const costs = [ofLetters(text, street.words), ofWords(typed, loaded)];
  for (const [index, word] of typed.entries()) {
    // A word that is none of the abbreviations in place of a suffix or direction: `rb` for `rd`.
    if (typed.length > 1 && isUnknownWord(word))
      costs.push(COST.unknownWord + ofWords(typed.toSpliced(index, 1), loaded, true));
  }
  if (isOpen && (street.words.startsWith(text) || street.core.startsWith(text))) costs.push(COST.begun);
  return Math.min(...costs);
}

/** Compares words with a street: with the last word as the suffix, and as a part of the name. */
function ofWords(typed: readonly string[], loaded: StreetParts, isGarbled = false): number {
  return Math.min(...possibleCores(typed).map((core) => ofParts(partsWith(typed, core), loaded, isGarbled)));
}

/** A short word that is not in the tables, such as a mistyped abbreviation. */
function isUnknownWord(word: string): boolean {
  return word.length <= 4 && !WORDS.has(word);
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
  return core + ofSuffix(typed.suffix, loaded.suffix, isGarbled) + ofDirections(typed, loaded, isGarbled);
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
    return { core, suffix: undefined, before: undefined, after };
  }
  const count = core.split(' ').length;
  const start = words.findIndex((_, index) => words.slice(index, index + count).join(' ') === core);
  const rest = words.slice(start + count);
  return {
    core,
    suffix: rest.find((word) => SUFFIX_WORDS.has(word)),
    before: words.slice(0, start).find((word) => DIRECTION_WORDS.has(word)),
    after: rest.find((word) => DIRECTION_WORDS.has(word)),
  };
}

/** Compares the words after the street with a town. A mistyped state may follow the town. */
function compareTown(typed: readonly string[], town: string, isOpen: boolean, mayHaveState: boolean): TownComparison {
  if (typed.length === 0) return { agreement: 'missing', cost: 0 };
  if (town === '') return { agreement: 'unknown', cost: 0 };
  const text = typed.join(' ');
  if (text === town) return { agreement: 'same', cost: 0 };
  if (withoutQualifier(typed) === withoutQualifier(town.split(' ')))
    return { agreement: 'same', cost: COST.townQualifier };
  if (town.length >= 4 && lettersApart(text, town, 1) === 1) return { agreement: 'one letter', cost: 0 };
  const last = typed.at(-1) ?? '';
  if (mayHaveState && isUnknownWord(last)) {
    if (typed.length === 1) return { agreement: 'missing', cost: COST.unknownWord };
    if (typed.slice(0, -1).join(' ') === town) return { agreement: 'same', cost: COST.townQualifier };
  }
  if (isOpen && town.startsWith(text)) return { agreement: 'missing', cost: 0 };
  return { agreement: 'other', cost: 0 };
}

function withoutQualifier(words: readonly string[]): string {
  return (words.length > 1 && QUALIFIERS.has(words.at(-1) ?? '') ? words.slice(0, -1) : words).join(' ');
}
