import { dictionary } from '../../base/dictionary.ts';
import { lettersApart, normalWords, POSTAL_STATES, plainWords, ROAD_CLASS } from '../../base/words/address-words.ts';
import {
  DIRECTION_WORDS,
  NUMBERED_UNIT_WORDS,
  SUFFIX_WORDS,
  UNNUMBERED_UNIT_WORDS,
  WORDS,
} from '../../base/words/postal-words.ts';

/** The longest name of a street without directions and suffix, in words. */
export const MOST_NAME_WORDS = 5;
/** The longest street, in words: its name with a direction before it, a suffix, and a direction after it. */
export const MOST_STREET_WORDS = MOST_NAME_WORDS + 3;

/** One way to read a text that a person typed as an address or a place. */
export interface AddressReading {
  /** The house number, the same in all readings of a text; undefined if the text does not begin with one. */
  readonly number: number | undefined;
  /** What follows the digits of the house number: `A`, `1/2`, `-34`; mostly empty. */
  readonly numberSuffix: string;
  /** The normal words of street and town, without number, unit, state and ZIP code. */
  readonly words: readonly string[];
  /** How many of the words are before the first comma; undefined without one. */
  readonly wordsBeforeComma: number | undefined;
  /** The normal words, and the same with one abbreviation of the street as it was typed, which may be a mistyped name. */
  readonly spellings: readonly (readonly string[])[];
  /** The two letters of a state or possession. */
  readonly state: string | undefined;
  readonly zip: string | undefined;
  /** Whether the last word may be the beginning of one. */
  readonly isOpen: boolean;
}

const NUMBER = /^\s*(\d{1,7})(?:\s?([a-z])|(-\d{1,5}[a-z]?)|[\s-]+(\d\/\d))?(?=[\s,]|$)/i;
const ZIP = /^\d{5}$/;
const ZIP_AND_FOUR = /^\d{9}$/;
const COUNTRY = [['usa'], ['us'], ['united', 'states', 'of', 'america'], ['united', 'states']];
const STATE_NAMES = POSTAL_STATES.flatMap(({ words, postal }) => [
  { words, postal: postal.toUpperCase() },
  { words: [postal], postal: postal.toUpperCase() },
]).sort((a, b) => b.words.length - a.words.length);

/**
 * Returns the ways to read a text, the most probable first: the last words may name a state, or be a part of the street or
 * town (`NE`, `CT`, `Washington`), and a word such as `Upper` a unit or a part of the street or town.
 */
export function readAddress(text: string): AddressReading[] {
  const plain = text.replace(/(?<=\d)\s*([¼½¾])/g, (_, sign: string) => ` ${FRACTIONS[sign]}`);
  return readNumber(plain).flatMap(({ number, numberSuffix, rest }) => {
    const parts = withoutMarkedUnits(rest).split(SEPARATOR);
    const stripped = withoutUnits(parts);
    const isChanged = stripped.join(',') !== parts.join(',');
    const isOpen = !/[,\s]$/.test(text);
    return (isChanged ? [stripped, parts] : [parts]).flatMap((each) => readPlace(number, numberSuffix, each, isOpen));
  });
}

const SEPARATOR = /[,;\n]/;
const FRACTIONS: Readonly<Record<string, string>> = dictionary({ '¼': '1/4', '½': '1/2', '¾': '3/4' });

/** Returns the readings of the parts of a text between commas, after the house number. */
function readPlace(
  number: number | undefined,
  numberSuffix: string,
  parts: readonly string[],
  isOpen: boolean,
): AddressReading[] {
  const segments = parts.map(plainWords).filter((words) => words.length > 0);
  const words = segments.flat();
  const beforeComma = segments.length > 1 ? segments[0]?.length : undefined;
  const withoutCountry = dropEnd(words, COUNTRY) ?? words;
  const { zip, words: withoutZip } = readZip(withoutCountry);
  const readings: AddressReading[] = [];
  const add = (typed: readonly string[], state: string | undefined) => {
    const normal = normalWords(typed);
    const street = typed.slice(0, MOST_STREET_WORDS);
    const changed =
      typed.length === normal.length ? street.flatMap((word, at) => (word === normal[at] ? [] : [at])) : [];
    readings.push({
      number,
      numberSuffix,
      words: normal,
      spellings: [normal, ...changed.map((at) => normal.with(at, typed[at] ?? '')), ...withSaint(normal)],
      wordsBeforeComma: beforeComma === undefined ? undefined : normalWords(typed.slice(0, beforeComma)).length,
      state,
      zip,
      isOpen: isOpen && zip === undefined && state === undefined,
    });
  };
  for (const { words: name, postal } of STATE_NAMES) {
    const before = dropEnd(withoutZip, [name]);
    // The words of a state alone are a place.
    if (before && before.length > 0) add(before, postal);
  }
  add(withoutZip, undefined);
  return readings;
}

/**
 * Returns the same address with the house number at the beginning, if a text has it elsewhere: `Maple St 12, Dover`,
 * `Apt 3, 12 Maple St`, `Jane Roe, 12 Maple St`, `No. 12 Maple St`; undefined otherwise.
 */
export function withNumberFirst(text: string): string | undefined {
  if (/^\s*\d/.test(text)) return undefined;
  const parts = text.split(SEPARATOR);
  const at = parts.findIndex((part, index) => index > 0 && /^\s*\d{1,6}[a-z]?\s+[\p{L}\d]/iu.test(part));
  const before = parts.slice(0, at).join(' ');
  if (at > 0 && !/\bbox\b/i.test(before)) return parts.slice(at).join(',').trim();
  const marked = /^\s*(?:#|no\.?|number)\s*(?=\d)/i.exec(text);
  if (marked) return text.slice(marked[0].length);
  const [street = '', next = ''] = parts;
  const alone = /^\s*(\d{1,4}(?:\s?[a-z])?)\s*$/i.exec(next)?.[1];
  if (alone !== undefined && isStreet(street)) return [`${alone} ${street.trim()}`, ...parts.slice(2)].join(',');
  const [, name = '', last] = /^(.*?\S)\s+(\d{1,4}(?:\s?[a-z])?)\s*$/iu.exec(street) ?? [];
  if (last !== undefined && isStreet(name)) return [`${last} ${name.trim()}`, ...parts.slice(1)].join(',');
  return undefined;
}

/** Returns whether a house number may follow words: not after the class of a numbered road or the designator of a unit. */
function isStreet(text: string): boolean {
  const words = normalWords(plainWords(text));
  return (
    words.length > 0 &&
    !words.includes('box') &&
    !words.every((word) => ROAD_CLASS.has(word) || STATE_CODES.has(word)) &&
    !NUMBERED_UNIT_WORDS.has(words.at(-1) ?? '')
  );
}

const STATE_CODES = new Set(POSTAL_STATES.map(({ postal }) => postal));

interface HouseNumber {
  readonly number: number | undefined;
  readonly numberSuffix: string;
  readonly rest: string;
}

/** Returns the ways to read the house number: a letter after it may be its suffix or a part of the street. */
function readNumber(text: string): HouseNumber[] {
  const found = NUMBER.exec(text);
  const number = Number(found?.[1]);
  // Five digits alone are a ZIP code.
  if (!found || number === 0 || found[0].trim() === text.trim())
    return [{ number: undefined, numberSuffix: '', rest: text }];
  const numberSuffix = (found[2] ?? found[3] ?? found[4] ?? '').toUpperCase();
  const rest = text.slice(found[0].length);
  if (found[2] === undefined || !/\d\s/.test(found[0])) return [{ number, numberSuffix, rest }];
  const asWord = { number, numberSuffix: '', rest: text.slice(found[0].length - 1) };
  const [street = '', ...others] = rest.split(SEPARATOR).map(plainWords);
  const [next = ''] = street;
  const hasName = others.length > 0 && street.length > 1;
  const isSuffix =
    rest.startsWith(',') ||
    (!DIRECTION_WORDS.has(WORDS.get(found[2].toLowerCase()) ?? '') &&
      next !== '' &&
      (hasName || !SUFFIX_WORDS.has(WORDS.get(next) ?? next)));
  return isSuffix ? [{ number, numberSuffix, rest: rest.replace(/^,/, '') }, asWord] : [asWord];
}

/** Returns the words with a mistyped `Saint` in the street as it is compared; nothing if there is none. */
function withSaint(words: readonly string[]): string[][] {
  return words
    .slice(0, MOST_STREET_WORDS)
    .flatMap((word, at) =>
      !WORDS.has(word) && lettersApart(word, 'saint', 1) === 1 ? [words.with(at, WORDS.get('saint') ?? word)] : [],
    );
}

/** Returns a text without units marked by `#`: `#4B`, `Apt # 4`. */
function withoutMarkedUnits(text: string): string {
  return text.replace(/([\p{L}]+\.?\s*)?#\s*[\p{L}\p{N}-]+/gu, (_, word: string = '') =>
    NUMBERED_UNIT_WORDS.has(word.trim().replace('.', '').toLowerCase()) ? ' ' : `${word} `,
  );
}

const UNIT = /(?<=^|\s)(\p{L}+)\.?\s+([a-z]|\d{1,4}(?:-?[a-z])?|[a-z]-?\d{1,4})(?=\s|$)/giu;
/** Designators that a letter may follow; after another one, such as `Lot`, it is rather a direction or a name. */
const LETTERED_UNITS = new Set('apartment apt building bldg room rm space spc suite ste trailer trlr unit'.split(' '));

/** Returns the parts of a text between commas without units: `Apt 4`, `Unit B`, `Rear`. */
function withoutUnits(parts: readonly string[]): string[] {
  return parts.map((part, index) => {
    const unnumbered = part.replace(UNIT, (whole, word: string, name: string) => {
      const unit = word.toLowerCase();
      return (/\d/.test(name) ? NUMBERED_UNIT_WORDS.has(unit) || unit === 'ph' : LETTERED_UNITS.has(unit))
        ? ' '
        : whole;
    });
    return withoutUnnumberedUnit(unnumbered, index === 0);
  });
}

/** Returns a part without a designator such as `Rear` that is all of it or, in the street, follows its suffix. */
function withoutUnnumberedUnit(part: string, isFirst: boolean): string {
  const words = part.trim().split(/\s+/);
  const isUnit = (word: string) => UNNUMBERED_UNIT_WORDS.has(word.toLowerCase().replace(/\.$/, ''));
  if (words.length === 1 && isUnit(words[0] ?? '')) return ' ';
  const at = words.findIndex(
    (word, index) => index > 1 && isUnit(word) && word.toLowerCase() !== 'side' && endsStreet(words[index - 1] ?? ''),
  );
  return isFirst && at > 0 ? words.toSpliced(at, 1).join(' ') : part;
}

/** Returns whether a word is the suffix of a street, a direction, or the number of a road. */
function endsStreet(text: string): boolean {
  const [word = ''] = plainWords(text);
  const normal = WORDS.get(word) ?? word;
  return SUFFIX_WORDS.has(normal) || DIRECTION_WORDS.has(normal) || /^\d{1,3}[a-z]?$/.test(word);
}

function readZip(words: readonly string[]): { zip: string | undefined; words: readonly string[] } {
  const last = words.at(-1) ?? '';
  if (/^\d{4}$/.test(last) && ZIP.test(words.at(-2) ?? '')) return { zip: words.at(-2), words: words.slice(0, -2) };
  const isZip = ZIP.test(last) || ZIP_AND_FOUR.test(last);
  return isZip ? { zip: last.slice(0, 5), words: words.slice(0, -1) } : { zip: undefined, words };
}

/** Returns the words without one of the endings; undefined if they have none of them. */
function dropEnd(words: readonly string[], endings: readonly (readonly string[])[]): readonly string[] | undefined {
  const ending = endings.find((each) =>
    each.every((word, index) => words[words.length - each.length + index] === word),
  );
  return ending && words.slice(0, words.length - ending.length);
}
