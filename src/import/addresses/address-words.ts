import { STATES } from '../states.ts';
import { DIRECTION_WORDS, SUFFIX_WORDS, WORDS } from './postal-words.ts';

/** The words of the names of states, by their number of words, longest first. */
const STATE_NAMES = STATES.map(({ name, postal }) => ({
  words: name.toLowerCase().replaceAll('.', '').split(' '),
  postal: postal.toLowerCase(),
})).sort((a, b) => b.words.length - a.words.length);

/** The words of a text: lower case, without accents and punctuation, as they are written. */
export function plainWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/\b(\p{L})\.(?=\p{L}\b)/gu, '$1')
    .replace(/[^\p{L}\p{N}&/]+/gu, ' ')
    .trim()
    .split(' ')
    .filter(Boolean);
}

/**
 * Returns the words of a name as they are compared: abbreviations and spellings replaced by one word each, and the names
 * of states by their two letters. The same for what is loaded and what is searched.
 */
export function normalWords(words: readonly string[]): string[] {
  const normal: string[] = [];
  for (let at = 0; at < words.length; ) {
    const state = STATE_NAMES.find(({ words: name }) => name.every((word, index) => words[at + index] === word));
    const word = words[at] ?? '';
    normal.push(state ? state.postal : (WORDS.get(word) ?? word));
    at += state ? state.words.length : 1;
  }
  return normal;
}

/** Returns the normal words of a text, joined by spaces. */
export function normalText(text: string): string {
  return normalWords(plainWords(text)).join(' ');
}

/** Numbered roads, however their class is written: VT Route 100, State Hwy 100, US-7. */
const ROAD_NUMBER = /^\d{1,4}[a-z]?$/;
const ROAD_CLASS = new Set(['route', 'highway', 'road', 'state', 'us', 'county', 'interstate']);
const STATE_CODES = new Set(STATES.map(({ postal }) => postal.toLowerCase()));

/**
 * Returns the core of the normal words of a street: without the directions before and after it and the suffix, unless
 * nothing else is left; for a numbered road `route` and the number.
 */
export function coreOf(words: readonly string[]): string {
  let core = [...words];
  if (core.length > 1 && DIRECTION_WORDS.has(core.at(-1) ?? '')) core = core.slice(0, -1);
  const number = core.at(-1) ?? '';
  const before = core.slice(0, -1).filter((word) => !DIRECTION_WORDS.has(word));
  if (
    ROAD_NUMBER.test(number) &&
    before.length > 0 &&
    before.every((word) => ROAD_CLASS.has(word) || STATE_CODES.has(word))
  )
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
  return [...new Set([coreOf(words), whole.join(' ')])];
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
