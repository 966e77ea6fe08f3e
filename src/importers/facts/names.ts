import { pseudoCandidate } from './counted-words.ts';
import { capitalised } from './title-case.ts';

export { pseudoCandidate };

const suffixes = new Map([
  ['JR', 'Jr.'],
  ['SR', 'Sr.'],
  ['II', 'II'],
  ['III', 'III'],
  ['IV', 'IV'],
]);

/** Words for which capitalising the first letter is wrong. */
const spellings = new Map([
  ['LEPAGE', 'LePage'],
  ['TJ', 'TJ'],
]);

const isInitial = (word: string): boolean => /^(\p{Lu}\.?)+$/u.test(word) && word.replaceAll('.', '').length === 1;

const words = (name: string): string[] => name.replace(/^MS\.? /i, '').split(/\s+/);

function spell(word: string): string {
  if (isInitial(word)) return word.endsWith('.') ? word : `${word}.`;
  const known = suffixes.get(word) ?? spellings.get(word);
  if (known) return known;
  return word.replace(/[\p{L}\p{M}'’]+/gu, (part) => capitalised(part));
}

/** Returns a name in capitals with its usual capitalisation: `ALYSE S GALVIN` becomes Alyse S. Galvin. */
export const displayName = (capitals: string): string =>
  words(capitals)
    .map((word, index) => (isPairOfInitials(word, index === 0) ? word : spell(word)))
    .join(' ');

/** Returns whether a first name, or one in quotation marks, is a pair of initials: `JB`, `"MJ"`. */
function isPairOfInitials(word: string, isFirst: boolean): boolean {
  return /^["“(](?:[B-DF-HJ-NP-TV-XZ]{2}|[A-Z]J)["”)]$/.test(word) || (isFirst && INITIALS.test(word));
}

const INITIALS = /^(?!(?:DR|MR|MS|ST|NG)$)(?:[B-DF-HJ-NP-TV-XZ]{2}|[AEO]J)$/;

/**
 * Returns a source's name in its usual form: names in capitals get the usual capitalisation, `Peltola, Mary S.` is
 * reordered, others are unchanged.
 */
export function personName(name: string): string {
  const [last = '', ...rest] = name
    .replaceAll('\\', '')
    .replace(INCUMBENT, '')
    .replace(/""/g, '"')
    .trim()
    .split(/\s*,\s*/);
  const isWhole = rest.length === 0 || (rest.length === 1 && isSuffix(rest[0] ?? ''));
  // `DOE, JR., JOHN`, `DOE, JOHN JR.`
  const parts = rest.flatMap((part) => part.split(' '));
  const others = parts.filter((word) => !isSuffix(word));
  const ordered = (isWhole ? [last, ...rest] : [...others, last, ...parts.filter(isSuffix)]).join(' ');
  return ordered === ordered.toUpperCase() ? displayName(ordered) : ordered.replace(/\s+/g, ' ');
}

/** The mark of an incumbent after a name: `ANN ROE (I)`, `ANN ROE*`. */
const INCUMBENT = /\s*(\((I|INC|INCUMBENT)\)|\*+)\s*$/i;

/** Returns whether a word stands after last names: `Jr.`, `III`. */
export const isSuffix = (word: string): boolean => suffixes.has(word.toUpperCase().replaceAll('.', ''));

/**
 * Returns first and last name if the name is unambiguous: two words, optionally with initials between them and a
 * suffix. In a longer name, it is unclear whether the middle word belongs to the last name.
 */
export function splitName(name: string): { first_name?: string; last_name?: string } {
  const parts = words(name).filter((word) => !/^([JS]r\.|I+|IV)$/.test(word));
  const [first_name, ...rest] = parts.filter((word, index) => index === 0 || !/^(\p{Lu}\.)+$/u.test(word));
  const [last_name] = rest;
  return rest.length === 1 && first_name && !first_name.includes('.') ? { first_name, last_name } : {};
}

/**
 * Returns first and last word in plain capitals, which identify a person among the few candidates of one contest. Initials
 * count only in a name that has nothing else.
 */
export function nameKey(name: string): string {
  const all = words(name.replace(/["“][^"”]*["”]|\([^)]*\)|,/g, ' ').trim()).map((word) =>
    word.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase(),
  );
  const long = all.filter((word) => !suffixes.has(word.replace('.', '')) && !/^(\p{Lu}\.)+$|^\p{Lu}$/u.test(word));
  const counted = long.length > 0 ? long : all;
  return `${counted[0]} ${counted.at(-1)}`;
}

/** Returns whether a name means none of the candidates, a choice on ballots in Nevada. */
export function isNoneOfThese(name: string): boolean {
  return /^none of (these|the above|these candidates|the above candidates)( candidates)?$/i.test(name.trim());
}

const WRITTEN_IN =
  /^\(?(?:write[ -]?ins?|w\/i)\)?\s*[:,–-]?\s*(?<after>\S.*)$|^(?<before>.*\S)\s*[,:–-]?\s*(?:\(\s*(?:write[ -]?in|w\/?i)\s*\)|\bwrite[ -]?in)$/i;

/** Returns a name without the mark of a written-in name: `WRITE-IN: JANE ROE`, `JANE ROE (WRITE-IN)`. */
export function writtenInName(label: string): { readonly name: string; readonly isWriteIn: boolean } {
  const { after, before } = WRITTEN_IN.exec(label.trim())?.groups ?? {};
  const name = (after ?? before)?.replace(/^[\s,:–-]+|[\s,:–-]+$/g, '');
  if (!name || pseudoCandidate(label) !== null || pseudoCandidate(name) !== null)
    return { name: label, isWriteIn: false };
  return { name, isWriteIn: true };
}

/** The reason why votes without a candidate appear only in the report. */
export const WITHOUT_CANDIDATE = 'not attributed to a candidate';

/** Returns whether a file has the label of a party in place of a candidate's name. */
export function isPartyAsName(name: string): boolean {
  return /^(republican|democrat|democratic)$/i.test(name.trim());
}
