import { areForms } from '../../base/words/first-names.ts';
import { normalName } from '../../base/words/normal-name.ts';

/** A person's name in parts: lower case, without accents and punctuation. */
export interface PersonName {
  /** The given names before the last name, in order; initials are single letters. */
  readonly given: readonly string[];
  /** Names in quotes or parentheses: `William Z. "Zack" Fields`. */
  readonly nicknames: readonly string[];
  readonly last: string;
  /** Generation: `jr`, `sr`, `ii` and so on; empty if the name has none. */
  readonly suffix: string;
}

const SUFFIX = /^(jr|sr|ii|iii|iv|v)$/;
const TITLE = /^(mr|mrs|ms|dr|hon|rev|honorable|md|phd|esq)$/;
const NICKNAME = /["“”«]([^"“”»]+)["“”»]|\(([^)]+)\)|(?<=\s)['‘’]([^'‘’]+)['‘’](?=\s)/gu;

/**
 * Splits a name. The last name is the last word, unless the source has supplied a longer one with which the name ends:
 * `Michelle Lujan Grisham` with the last name Lujan Grisham. Returns undefined if there is no given name or no last
 * name.
 */
export function parsePersonName(name: string, knownLast?: string | null): PersonName | undefined {
  const nicknames = [...name.matchAll(NICKNAME)].flatMap(([, ...found]) => wordsOf(found.find(Boolean) ?? ''));
  const words = wordsOf(name.replace(NICKNAME, ' ')).filter((word) => !TITLE.test(word));
  const suffix = words.length > 2 && SUFFIX.test(words.at(-1) ?? '') ? (words.pop() ?? '') : '';
  const known = knownLast ? wordsOf(knownLast).filter((word) => !SUFFIX.test(word)) : [];
  const isKnown =
    known.length > 0 && words.length > known.length && words.slice(-known.length).join(' ') === known.join(' ');
  const count = isKnown ? known.length : 1;
  const last = words.slice(-count).join('');
  const given = words.slice(0, -count);
  if (last === '' || (given.length === 0 && nicknames.length === 0)) return undefined;
  return { given, nicknames, last, suffix };
}

/** Splits a name into words. An apostrophe joins (`O'Connell`), a hyphen separates. */
function wordsOf(text: string): string[] {
  return normalName(text.replace(/(?<=\p{L})['‘’`](?=\p{L})/gu, ''))
    .split(' ')
    .filter(Boolean);
}

/** How the first names of two names agree, from the strongest to the weakest. */
export type FirstNames =
  /** Equal, or forms of one name in the table of short forms; a nickname in quotes counts as a first name. */
  | 'same'
  /** One is an initial of the other. */
  | 'initial'
  /** One is the beginning of the other, or one of its middle names. */
  | 'loose';

export interface Agreement {
  readonly first: FirstNames;
  /** True if only one of the names has a generation suffix. */
  readonly suffixInOne: boolean;
}

/**
 * Compares two names of persons: they agree if the last names are equal, the first names compatible, and neither middle
 * names nor suffixes contradict each other. Returns undefined if they do not agree.
 */
export function compareNames(one: PersonName, other: PersonName): Agreement | undefined {
  const [a, b] = withSameLast(one, other) ?? [];
  if (!a || !b) return undefined;
  if (a.suffix !== '' && b.suffix !== '' && a.suffix !== b.suffix) return undefined;
  const first = compareFirst(a, b);
  if (first === undefined || contradict(a, b)) return undefined;
  return { first, suffixInOne: (a.suffix === '') !== (b.suffix === '') };
}

/**
 * Returns both names with equal last names, or undefined. If only one of them has a double last name, the other may
 * have its first part among the given names.
 */
function withSameLast(a: PersonName, b: PersonName): [PersonName, PersonName] | undefined {
  if (a.last === b.last) return [a, b];
  const [long, short] = a.last.length > b.last.length ? [a, b] : [b, a];
  for (let count = 1; count < short.given.length; count++) {
    if (short.given.slice(-count).join('') + short.last !== long.last) continue;
    return [long, { ...short, last: long.last, given: short.given.slice(0, -count) }];
  }
  return undefined;
}

/** The shortest beginning of a name that identifies it. */
const SHORTEST = 3;

function compareFirst(a: PersonName, b: PersonName): FirstNames | undefined {
  const [namesA, namesB] = [calledBy(a), calledBy(b)];
  if (namesA.some((one) => namesB.some((other) => isWord(one) && isWord(other) && areForms(one, other)))) return 'same';
  const [one = '', other = ''] = [a.given[0], b.given[0]];
  if ((one.length === 1 || other.length === 1) && sameInitial(one, other)) return 'initial';
  const begins = (long: string, short: string) => short.length >= SHORTEST && long.startsWith(short);
  if (begins(one, other) || begins(other, one)) return 'loose';
  const isMiddle = (name: string, { given }: PersonName) =>
    isWord(name) && given.slice(1).some((middle) => isWord(middle) && areForms(middle, name));
  return isMiddle(one, b) || isMiddle(other, a) ? 'loose' : undefined;
}

/** Returns the names that a person may use: nicknames, the first name, and the second name after an initial. */
function calledBy({ given: [first = '', second], nicknames }: PersonName): string[] {
  return [...nicknames, first, ...(first.length === 1 && second !== undefined ? [second] : [])];
}

/** Returns whether both names have middle names, none of which are equal or an initial of the other. */
function contradict(a: PersonName, b: PersonName): boolean {
  const [one, other] = [a.given.slice(1), b.given.slice(1)];
  if (one.length === 0 || other.length === 0) return false;
  return !one.some((x) => b.given.some((y) => alike(x, y))) && !other.some((x) => a.given.some((y) => alike(x, y)));
}

function alike(one: string, other: string): boolean {
  return isWord(one) && isWord(other) ? areForms(one, other) : sameInitial(one, other);
}

function sameInitial(one: string, other: string): boolean {
  return one !== '' && one[0] === other[0];
}

function isWord(name: string): boolean {
  return name.length > 1;
}
