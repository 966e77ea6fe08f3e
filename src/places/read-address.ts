import { normalWords, plainWords } from '../import/addresses/address-words.ts';
import { UNIT_WORDS } from '../import/addresses/postal-words.ts';
import { STATES } from '../import/states.ts';

/** One way to read a text that a person typed as an address or a place. */
export interface AddressReading {
  /** The house number; undefined if the text does not begin with one. */
  readonly number: number | undefined;
  /** What follows the digits of the house number: `A`, `1/2`, `-34`; mostly empty. */
  readonly numberSuffix: string;
  /** The normal words of street and town, without number, unit, state and ZIP code. */
  readonly words: readonly string[];
  /** How many of the words are before the first comma; undefined without one. */
  readonly wordsBeforeComma: number | undefined;
  /** The normal words, and the same with one abbreviation as it was typed, which may be a mistyped name. */
  readonly spellings: readonly (readonly string[])[];
  /** The same words as they were typed. */
  readonly typed: readonly string[];
  readonly state: string | undefined;
  readonly zip: string | undefined;
  /** Whether the last word may be the beginning of one. */
  readonly isOpen: boolean;
}

const NUMBER = /^\s*(\d{1,7})(?:\s?([a-z])|(-\d{1,5}[a-z]?)|\s+(\d\/\d))?(?=[\s,]|$)/i;
const ZIP = /^\d{5}$/;
const COUNTRY = [['usa'], ['united', 'states', 'of', 'america'], ['united', 'states']];
const STATE_NAMES = STATES.flatMap(({ name, postal }) => [
  { words: plainWords(name), postal },
  { words: [postal.toLowerCase()], postal },
]).sort((a, b) => b.words.length - a.words.length);

/**
 * Returns the ways to read a text, the most probable first: the last words may name a state, or be a part of the street or
 * town (`NE`, `CT`, `Washington`).
 */
export function readAddress(text: string): AddressReading[] {
  const { number, numberSuffix, rest } = readNumber(text);
  const segments = withoutUnits(rest.replace(/#\s*[\p{L}\p{N}-]+/gu, ' '))
    .map(plainWords)
    .filter((words) => words.length > 0);
  const words = segments.flat();
  const beforeComma = segments.length > 1 ? segments[0]?.length : undefined;
  const isOpen = !/[,\s]$/.test(text);
  const withoutCountry = dropEnd(words, COUNTRY) ?? words;
  const { zip, words: withoutZip } = readZip(withoutCountry);
  const readings: AddressReading[] = [];
  const add = (typed: readonly string[], state: string | undefined) => {
    const normal = normalWords(typed);
    const changed =
      typed.length === normal.length ? typed.flatMap((word, at) => (word === normal[at] ? [] : [at])) : [];
    readings.push({
      number,
      numberSuffix,
      words: normal,
      spellings: [normal, ...changed.map((at) => normal.with(at, typed[at] ?? ''))],
      wordsBeforeComma: beforeComma === undefined ? undefined : normalWords(typed.slice(0, beforeComma)).length,
      typed,
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

function readNumber(text: string) {
  const found = NUMBER.exec(text);
  const number = Number(found?.[1]);
  // Five digits alone are a ZIP code.
  if (!found || number === 0 || found[0].trim() === text.trim())
    return { number: undefined, numberSuffix: '', rest: text };
  const numberSuffix = (found[2] ?? found[3] ?? found[4] ?? '').toUpperCase();
  // A single letter may be a direction: 12 N Main St.
  if (found[2] !== undefined && /\d\s/.test(found[0])) {
    return { number, numberSuffix: '', rest: text.slice(found[0].length - 1) };
  }
  return { number, numberSuffix, rest: text.slice(found[0].length) };
}

/** Returns the parts of a text between commas without units: `Apt 4`, `Unit B`. */
function withoutUnits(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((part) =>
      part.replace(/(?<=^|\s)([\p{L}]+)\.?\s+([a-z]|\d+[a-z]?|[a-z]\d+)(?=\s|$)/giu, (whole, word: string) =>
        UNIT_WORDS.has(word.toLowerCase()) ? ' ' : whole,
      ),
    );
}

function readZip(words: readonly string[]): { zip: string | undefined; words: readonly string[] } {
  const last = words.at(-1) ?? '';
  if (/^\d{4}$/.test(last) && ZIP.test(words.at(-2) ?? '')) return { zip: words.at(-2), words: words.slice(0, -2) };
  return ZIP.test(last) ? { zip: last, words: words.slice(0, -1) } : { zip: undefined, words };
}

/** Returns the words without one of the endings; undefined if they have none of them. */
function dropEnd(words: readonly string[], endings: readonly (readonly string[])[]): readonly string[] | undefined {
  const ending = endings.find((each) =>
    each.every((word, index) => words[words.length - each.length + index] === word),
  );
  return ending && words.slice(0, words.length - ending.length);
}
