import { readTable } from './read-table.ts';

/**
 * The abbreviations of the Postal Service: Publication 28, "Postal Addressing Standards"
 * (https://pe.usps.com/text/pub28/welcome.htm), appendix B (states and directions), appendix C1 (street suffixes),
 * appendix C2 (secondary unit designators). Each entry has the word and then its standard abbreviation and the other
 * spellings in common use. Words with the same standard abbreviation, such as `park` and `parks`, are one entry; `mdw` is
 * `meadow`, though the publication lists it for `meadows` too.
 */
const ENTRIES = readTable<'kind' | 'word' | 'spellings'>('postal-words', import.meta.url);

/**
 * Returns the word of each spelling of a kind. `other` are words that name-givers spell differently, and the numbers that
 * streets are named by. A number or a letter follows a numbered unit; `no` and `number` are in common use and not of the
 * publication.
 */
function wordsOf(kind: 'suffix' | 'direction' | 'numbered unit' | 'unnumbered unit' | 'other'): [string, string][] {
  const entries = ENTRIES.filter((entry) => entry.kind === kind);
  return entries.flatMap(({ word, spellings }) =>
    [word, ...spellings.split(' ').filter(Boolean)].map((spelling): [string, string] => [spelling, word]),
  );
}

export const SUFFIX_WORDS: ReadonlySet<string> = new Set(wordsOf('suffix').map(([, word]) => word));
export const DIRECTION_WORDS: ReadonlySet<string> = new Set(wordsOf('direction').map(([, word]) => word));
export const NUMBERED_UNIT_WORDS: ReadonlySet<string> = new Set(wordsOf('numbered unit').map(([spelling]) => spelling));
export const UNNUMBERED_UNIT_WORDS: ReadonlySet<string> = new Set(
  wordsOf('unnumbered unit').map(([spelling]) => spelling),
);

/**
 * The entries of appendix B that have no districts: the freely associated states, and the armed forces abroad. A text that
 * names one of them means no address elsewhere.
 */
export const OTHER_POSTAL_STATES: readonly { readonly postal: string; readonly name: string }[] = [
  { postal: 'FM', name: 'Federated States of Micronesia' },
  { postal: 'MH', name: 'Marshall Islands' },
  { postal: 'PW', name: 'Palau' },
  { postal: 'AA', name: 'Armed Forces Americas' },
  { postal: 'AE', name: 'Armed Forces Europe' },
  { postal: 'AP', name: 'Armed Forces Pacific' },
];

/**
 * The word of each abbreviation and spelling. Abbreviations of several words have one of them, on both sides of a
 * comparison: `st` and `saint` are `street`, `dr` and `doctor` are `drive`.
 */
export const WORDS: ReadonlyMap<string, string> = new Map([
  ...wordsOf('other'),
  ...wordsOf('direction'),
  ...wordsOf('suffix'),
  ['saint', 'street'],
  ['doctor', 'drive'],
]);

/** The spellings of each word: the inverse of `WORDS`. */
export const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(WORDS, ([, word]) => word)].map(([word, entries]) => [word, entries.map(([spelling]) => spelling)]),
);
