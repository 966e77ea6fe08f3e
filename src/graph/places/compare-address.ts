import { coreOf, lettersApart, POSTAL_STATES, possibleCores, roadClassOf } from '../../base/words/address-words.ts';
import { DIRECTION_WORDS, SPELLINGS, SUFFIX_WORDS, WORDS } from '../../base/words/postal-words.ts';
import { type AddressReading, MOST_STREET_WORDS } from './read-address.ts';

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
  /** The suffix of the address. */
  readonly suffix: string | undefined;
  readonly zip: ZipAgreement;
  readonly town: TownAgreement;
}

type ZipAgreement = 'same' | 'other' | 'unknown';
type TownAgreement = 'same' | 'one letter' | 'other' | 'missing' | 'unknown';

/**
 * The confidence by how town and ZIP code agree. Only a town as typed, or the ZIP code of the address with a town that is
 * not another one, makes an address certain: streets of one name exist in many towns, and not all of them are loaded.
 */
const CONFIDENCE: Readonly<Record<TownAgreement, Readonly<Record<Exclude<ZipAgreement, 'other'>, number>>>> = {
  same: { same: 1, unknown: 0.95 },
  'one letter': { same: 0.9, unknown: 0.7 },
  missing: { same: 0.92, unknown: 0.7 },
  unknown: { same: 0.9, unknown: 0.6 },
  other: { same: 0.6, unknown: 0.3 },
};
/** The confidence of an address in the town that was typed whose ZIP code is another one. In any other town it is no match. */
const OTHER_ZIP = 0.88;

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
} as const;

const NO_MATCH = 1;
/** Words after the name of a town that people leave out. */
const QUALIFIERS = new Set(['city', 'town', 'village', 'township', 'borough', 'cdp']);

/**
 * Creates the function that compares a text with addresses. Where the text has no comma, every division of its words into
 * street and town is tried. What depends on the text alone is computed once, and the streets of one name in many towns are
 * compared once.
 * @param typedStreets the streets that the readings of the text have in common.
 */
export function createComparison(
  reading: AddressReading,
  typedStreets: TypedStreets,
): (address: Comparable) => Agreement | undefined {
  const { words, spellings, wordsBeforeComma, zip, state, isOpen } = reading;
  const ends = (wordsBeforeComma === undefined ? words.map((_, index) => index + 1) : [wordsBeforeComma]).filter(
    (end) => end <= MOST_STREET_WORDS,
  );
  const streets = ends.map((end) => {
    const isBegun = isOpen && end === words.length;
    return beginningsOf(spellings, end).map((typed) => ({ typed: typedStreets(typed), isBegun }));
  });
  const towns = ends.map((end) => typedTown(words.slice(end)));
  const streetCosts = new Map<string, { readonly suffix: string | undefined; readonly penalties: readonly number[] }>();
  const townCosts = new Map<string, readonly TownComparison[]>();

  function compareStreets(address: Comparable) {
    const loaded = partsOf(address.words.split(' '));
    const penalties = streets.map((each) =>
      Math.min(...each.map(({ typed, isBegun }) => compareStreet(typed, address, loaded, isBegun))),
    );
    return { suffix: loaded.suffix, penalties };
  }

  /** Returns whether a typed town is another one, with no word in common: `Dover` may mean West Dover. */
  function contradicts({ agreement }: TownComparison, index: number, address: Comparable): boolean {
    const loaded = address.town.split(' ');
    return agreement === 'other' && !words.slice(ends[index]).some((word) => loaded.includes(word));
  }

  return function compare(address) {
    const street = streetCosts.get(address.words) ?? compareStreets(address);
    streetCosts.set(address.words, street);
    const { suffix, penalties } = street;
    const place = `${address.town}|${address.state}`;
    const agreements = townCosts.get(place) ?? towns.map((town) => compareTown(town, address, reading));
    townCosts.set(place, agreements);
    const zipAgreement = zip === undefined || address.zip === null ? 'unknown' : zip === address.zip ? 'same' : 'other';
    const hasZip = zipAgreement === 'same';
    // A typed state or town that the ZIP code does not overrule excludes an address of another one, and so does a ZIP code,
    // unless the town is the typed one.
    if (state !== undefined && state !== address.state && !hasZip) return undefined;
    const stateCost = state === undefined || state === address.state ? 0 : COST.stateOther;
    let best: Agreement | undefined;
    for (const [index, streetPenalty] of penalties.entries()) {
      const town = agreements[index];
      if (streetPenalty >= NO_MATCH || !town || (!hasZip && contradicts(town, index, address))) continue;
      if (zipAgreement === 'other' && town.agreement !== 'same') continue;
      const agreed = zipAgreement === 'other' ? OTHER_ZIP : CONFIDENCE[town.agreement][zipAgreement];
      const confidence = Math.max(agreed - town.cost - stateCost - streetPenalty, 0);
      if (!best || confidence > best.confidence)
        best = { confidence, streetPenalty, suffix, zip: zipAgreement, town: town.agreement };
    }
    return best;
  };
}

/**
 * Returns whether a street that was typed without suffix and direction may be either of two: that which lacks only the suffix, or another
 * one with another suffix and a direction.
 */
export function leavesSuffixOpen(best: Agreement, other: Agreement): boolean {
  const isWithoutSuffix = best.streetPenalty === COST.suffixMissing && best.suffix !== other.suffix;
  return isWithoutSuffix && other.streetPenalty <= COST.suffixMissing + COST.directionMissing;
}

/** Returns the different beginnings of the spellings of a text, each of the same number of words. */
export function beginningsOf(
  spellings: readonly (readonly string[])[],
  end: number,
  start = 0,
): readonly (readonly string[])[] {
  const beginnings = spellings.map((each) => each.slice(start, end));
  return [...new Map(beginnings.map((each) => [each.join(' '), each])).values()];
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

/** Words of a text as a street, in each way to divide them into parts. */
interface TypedStreet {
  readonly text: string;
  readonly parts: readonly StreetParts[];
  /** The words without one that may be a mistyped suffix or direction. */
  readonly without: readonly {
    readonly index: number;
    readonly meant: MeantWords;
    readonly cost: number;
    readonly parts: readonly StreetParts[];
  }[];
}

/** Returns words of a text as a street. */
export type TypedStreets = (words: readonly string[]) => TypedStreet;

/** Creates the function that divides the words of one text into the parts of streets, the same words once. */
export function createTypedStreets(): TypedStreets {
  const known = new Map<string, TypedStreet>();
  const knownParts = new Map<string, readonly StreetParts[]>();
  const knownMeant = new Map<string, MeantWords>();

  function partsOfTyped(words: readonly string[]): readonly StreetParts[] {
    const text = words.join(' ');
    const parts = knownParts.get(text) ?? possibleCores(words).map((core) => partsWith(words, core));
    knownParts.set(text, parts);
    return parts;
  }

  function meantBy(word: string): MeantWords {
    const meant = knownMeant.get(word) ?? wordsMeantBy(word);
    knownMeant.set(word, meant);
    return meant;
  }

  function streetOf(words: readonly string[], text: string): TypedStreet {
    const without = words.flatMap((word, index) => {
      const meant = meantBy(word);
      if (words.length < 2 || meant.anywhere.size + meant.before.size === 0) return [];
      // A mistyped suffix or direction: `rb` for `rd`.
      const cost = word.length > 1 ? COST.unknownWord : COST.otherLetter;
      return [{ index, meant, cost, parts: partsOfTyped(words.toSpliced(index, 1)) }];
    });
    return { text, parts: partsOfTyped(words), without };
  }

  return (words) => {
    const text = words.join(' ');
    const street = known.get(text) ?? streetOf(words, text);
    known.set(text, street);
    return street;
  };
}

/** Returns what the differences between the words of a text and a street cost; 1 or more if it is another street. */
function compareStreet(typed: TypedStreet, street: Comparable, loaded: StreetParts, isOpen: boolean): number {
  const { text, parts, without } = typed;
  if (text === street.words) return 0;
  let least = Math.min(ofLetters(text, street.words), leastOfParts(parts, loaded));
  for (const { index, meant, cost, parts: others } of without) {
    if (isMistyped(meant, index, loaded)) least = Math.min(least, cost + leastOfParts(others, loaded, true));
  }
  if (isOpen && (street.words.startsWith(text) || street.core.startsWith(text))) least = Math.min(least, COST.begun);
  return least;
}

/** Compares words with a street: with the last word as the suffix, and as a part of the name. */
function leastOfParts(typed: readonly StreetParts[], loaded: StreetParts, isGarbled = false): number {
  let least = NO_MATCH;
  for (const parts of typed) least = Math.min(least, ofParts(parts, loaded, isGarbled));
  return least;
}

/** The suffixes and directions that a word may mean with one wrong letter. */
interface MeantWords {
  readonly anywhere: ReadonlySet<string>;
  /** Only before the name: a direction of one letter may be any other letter there. */
  readonly before: ReadonlySet<string>;
}

/** Returns the suffixes and directions with a spelling that differs by one letter from a word that is not in the tables. */
function wordsMeantBy(word: string): MeantWords {
  const [anywhere, before] = [new Set<string>(), new Set<string>()];
  if (!WORDS.has(word)) {
    for (const [meant, spelling] of STREET_SPELLINGS) {
      if (lettersApart(word, spelling, 1) === 1)
        (spelling.length > 1 || word.length > 1 ? anywhere : before).add(meant);
    }
  }
  return { anywhere, before };
}

const STREET_SPELLINGS = [...SPELLINGS]
  .filter(([word]) => SUFFIX_WORDS.has(word) || DIRECTION_WORDS.has(word))
  .flatMap(([word, spellings]) => spellings.map((spelling) => [word, spelling] as const));

/** Returns whether a word at an index means the suffix or a direction of a street. */
function isMistyped(meant: MeantWords, index: number, { suffix, before, after }: StreetParts): boolean {
  const isMeant = (part: string | undefined) => part !== undefined && meant.anywhere.has(part);
  return (
    isMeant(suffix) ||
    isMeant(before) ||
    isMeant(after) ||
    (index === 0 && before !== undefined && meant.before.has(before))
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
  // `S 200 E` and `E 200 S` are two streets of a grid.
  if (typed.before && typed.after && loaded.before && loaded.after) return COST.directionOther;
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

/** The words of a text after the street. */
interface TypedTown {
  readonly words: readonly string[];
  readonly text: string;
  readonly unqualified: string;
}

function typedTown(words: readonly string[]): TypedTown {
  return { words, text: words.join(' '), unqualified: withoutQualifier(words) };
}

/** Compares the words after the street with the town of an address. A mistyped state may follow the town. */
function compareTown(
  { words, text, unqualified }: TypedTown,
  { town, state }: Comparable,
  { isOpen, state: typedState }: AddressReading,
): TownComparison {
  if (words.length === 0) return { agreement: 'missing', cost: 0 };
  if (town === '') return { agreement: 'unknown', cost: 0 };
  if (text === town) return { agreement: 'same', cost: 0 };
  if (unqualified === withoutQualifier(town.split(' '))) return { agreement: 'same', cost: COST.townQualifier };
  if (town.length >= 4 && lettersApart(text, town, 1) === 1) return { agreement: 'one letter', cost: 0 };
  const stateLength = typedState === undefined ? mistypedState(words, state) : 0;
  if (stateLength > 0) {
    const before = words.slice(0, -stateLength);
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
