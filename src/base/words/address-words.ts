import { DIRECTION_WORDS, OTHER_POSTAL_STATES, SUFFIX_WORDS, WORDS } from './postal-words.ts';
import { STATES } from './states.ts';

/** The states and possessions of postal addresses: the words of their names, the longest first, and their two letters. */
export const POSTAL_STATES = [...STATES, ...OTHER_POSTAL_STATES, { name: 'Virgin Islands', postal: 'VI' }]
  .map(({ name, postal }) => ({
    words: name.toLowerCase().replaceAll('.', '').split(' '),
    postal: postal.toLowerCase(),
  }))
  .sort((a, b) => b.words.length - a.words.length);
const STATE_CODES = new Set(POSTAL_STATES.map(({ postal }) => postal));

/** Numbered roads whose class and number are written as one word: VT100, US7, I91. */
const JOINED_ROAD = new RegExp(
  `(?<![\\p{L}\\p{N}])(${[...STATE_CODES, 'us', 'sr', 'cr', 'rt', 'rte', 'hwy', 'i'].join('|')})(\\d{1,3}[a-z]?)(?![\\p{L}\\p{N}])`,
  'gu',
);

/** The words of a text: lower case, without accents and punctuation, as they are written. */
export function plainWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/\b(\p{L})\.(?=\p{L}\b)/gu, '$1')
    .replace(/[^\p{L}\p{N}&/]+/gu, ' ')
    .replace(JOINED_ROAD, '$1 $2')
    .trim()
    .split(' ')
    .filter(Boolean);
}

/** The words of abbreviated classes of numbered roads. */
const ABBREVIATED_CLASSES: ReadonlyMap<string, readonly string[]> = new Map([
  ['i', ['interstate']],
  ['ih', ['interstate']],
  ['sr', ['state', 'route']],
  ['sh', ['state', 'highway']],
  ['cr', ['county', 'road']],
]);
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const ORDINAL = /^([2-9])([1-9])(?:st|nd|rd|th)$/;
const ONES = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th', '9th'];

/**
 * Returns the words of a name as they are compared: abbreviations and spellings replaced by one word each, and before the
 * number of a road the name of the state by its two letters. The same for what is loaded and what is searched.
 */
export function normalWords(words: readonly string[]): string[] {
  const normal: string[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at] ?? '';
    const state = ROAD_STATES.find(
      ({ words: name }) =>
        name.every((part, index) => words[at + index] === part) && isRoadNumbered(words.slice(at + name.length)),
    );
    const [, ten, one] = ORDINAL.exec(word) ?? [];
    const road = ROAD_NUMBER.test(words[at + 1] ?? '') ? ABBREVIATED_CLASSES.get(word) : undefined;
    if (state) normal.push(state.postal);
    else if (road) normal.push(...road);
    else if (ten && one) normal.push(TENS[Number(ten) - 2] ?? '', WORDS.get(ONES[Number(one) - 1] ?? '') ?? '');
    else normal.push(WORDS.get(word) ?? word);
    at += state ? state.words.length : 1;
  }
  return normal;
}

/** Returns whether words begin with the number of a road, or with its class and number. */
function isRoadNumbered([first = '', second = '']: readonly string[]): boolean {
  return ROAD_NUMBER.test(first) || (ROAD_CLASS.has(WORDS.get(first) ?? first) && ROAD_NUMBER.test(second));
}

/** Returns the normal words of a text, joined by spaces. */
export function normalText(text: string): string {
  return normalWords(plainWords(text)).join(' ');
}

/** Numbered roads, however their class is written: VT Route 100, State Hwy 100, US-7. */
const ROAD_NUMBER = /^\d{1,4}[a-z]?$/;
export const ROAD_CLASS: ReadonlySet<string> = new Set([
  ...['route', 'highway', 'road', 'state', 'us', 'county', 'interstate'],
]);
const ROAD_STATES = [...POSTAL_STATES, { words: ['united', 'states'], postal: 'us' }];

/** Returns what a word before the number of a road says about its class: null for nothing, undefined if it is no class. */
function classOf(word: string): string | null | undefined {
  if (word === 'interstate' || word === 'us' || word === 'county') return word;
  if (word === 'state' || STATE_CODES.has(word)) return 'state';
  return ROAD_CLASS.has(word) ? null : undefined;
}

/**
 * Returns the class of a numbered road by its normal words: `interstate`, `us`, `state` or `county`; undefined if they do not
 * name it, as in `Route 7`.
 */
export function roadClassOf(words: readonly string[]): string | undefined {
  return words.map(classOf).find((each) => each != null);
}

/**
 * Returns the core of the normal words of a street: without the directions before and after it and the suffix, unless
 * nothing else is left; for a numbered road `route` and the number.
 */
export function coreOf(words: readonly string[]): string {
  let core = [...words];
  if (core.length > 1 && DIRECTION_WORDS.has(core.at(-1) ?? '')) core = core.slice(0, -1);
  const number = core.at(-1) ?? '';
  const before = core.slice(0, -1).filter((word) => !DIRECTION_WORDS.has(word));
  if (ROAD_NUMBER.test(number) && before.length > 0 && before.every((word) => classOf(word) !== undefined))
    return `route ${number}`;
  if (core.length > 1 && SUFFIX_WORDS.has(core.at(-1) ?? '')) core = core.slice(0, -1);
  if (core.length > 1 && DIRECTION_WORDS.has(core.at(-1) ?? '')) core = core.slice(0, -1);
  if (core.length > 1 && DIRECTION_WORDS.has(core[0] ?? '')) core = core.slice(1);
  return core.join(' ');
}

/**
 * Returns the cores that the words of a street may have as they are typed: without its suffix, and with all words but the
 * directions, as the last word may be a part of the name of which the suffix was left out (`Gove Hill` for Gove Hill Rd).
 */
export function possibleCores(words: readonly string[]): string[] {
  const whole = [...words];
  if (whole.length > 1 && DIRECTION_WORDS.has(whole.at(-1) ?? '')) whole.pop();
  if (whole.length > 1 && DIRECTION_WORDS.has(whole[0] ?? '')) whole.shift();
  return [...new Set([coreOf(words), whole.join(' '), coreOf(words.map(withRoadClass))])];
}

/** The shortest class of a road in which a wrong letter is recognised. */
const SHORTEST_CLASS = 5;

/** Returns the class of a road that a word means with one wrong letter; other words unchanged. */
function withRoadClass(word: string): string {
  if (word.length < SHORTEST_CLASS - 1 || WORDS.has(word)) return word;
  return [...ROAD_CLASS].find((each) => each.length >= SHORTEST_CLASS && lettersApart(word, each, 1) === 1) ?? word;
}

/** The shortest name that is compared by spellings: of a shorter one nearly every other is one letter away. */
const SHORTEST = 3;

/**
 * Returns a name with each of its letters left out, and the name itself. Two names of which one has one letter more,
 * fewer, different or swapped with its neighbour have a spelling in common.
 */
export function spellingsOf(name: string): string[] {
  if (name.length < SHORTEST) return [name];
  const shorter = Array.from({ length: name.length }, (_, index) => name.slice(0, index) + name.slice(index + 1));
  return [...new Set([name, ...shorter])];
}

/**
 * Returns in how many letters two words differ, counting two swapped neighbours once (optimal string alignment), up to
 * `most`; more than `most` if it is more.
 */
export function lettersApart(one: string, other: string, most: number): number {
  if (one === other) return 0;
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      row.push(best);
    }
    if (Math.min(...row) > most) return most + 1;
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? most + 1;
}
