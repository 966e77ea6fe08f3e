import type { Office } from './offices.ts';
import type { Place } from './places.ts';

/** Returns a text with the capitals of some of its words as the source writes them. */
export type Capitals = (text: string) => string;

const WORD = /[\p{L}\p{M}\d'’]+/gu;

/**
 * Returns what restores the capitals that a source writes within words: `BART Director`, `DeKalb County`. A text in capitals
 * shows none, nor one in which most words are in capitals.
 */
export function capitalsOf(written: string): Capitals {
  const words = written.match(WORD) ?? [];
  const acronyms = acronymsIn(words);
  if (!acronyms) return (text) => text;
  const isWithin = (word: string) => /^\p{L}.*\p{Ll}.*\p{Lu}|^\p{Lu}\p{L}*\p{Ll}+\p{Lu}/u.test(word);
  const spelled = new Map([...acronyms, ...words.filter(isWithin)].map((word) => [word.toLowerCase(), word]));
  if (spelled.size === 0) return (text) => text;
  return (text) => text.replace(WORD, (word) => spelled.get(word.toLowerCase()) ?? word);
}

/** Returns the words in capitals of a text in which other words are not. */
export function acronymsOf(written: string): readonly string[] {
  return acronymsIn(written.match(WORD) ?? []) ?? [];
}

/** Returns the words in capitals; undefined if their capitals show nothing. */
function acronymsIn(words: readonly string[]): readonly string[] | undefined {
  const inCapitals = (word: string) => word.length > 1 && /\p{L}/u.test(word) && word === word.toUpperCase();
  const others = words.filter((word) => word.length > 1 && word !== word.toUpperCase());
  const acronyms = words.filter(inCapitals);
  // Words such as `DISTRICT` and `OF` are in capitals in a text of which a part is in capitals.
  if (acronyms.some((word) => word.length > 6 || /^(OF|THE|AND|FOR)$/.test(word))) return undefined;
  return others.length === 0 || acronyms.length > others.length ? undefined : acronyms;
}

/** Returns an office with the capitals of the source in its name and that of its district; the ids are the same. */
export function officeInCapitals(office: Office, capitals: Capitals): Office {
  return { ...office, place: placeInCapitals(office.place, capitals), values: named(office.values, capitals) };
}

/** Returns a place with the capitals of the source in its name. */
export function placeInCapitals({ id, row }: Place, capitals: Capitals): Place {
  return { id, row: { ...row, values: named(row.values, capitals) } };
}

function named<T extends Readonly<Record<string, unknown>>>(values: T, capitals: Capitals): T {
  return typeof values.name === 'string' ? { ...values, name: capitals(values.name) } : values;
}
