const suffixes = new Map([
  ['JR', 'Jr.'],
  ['II', 'II'],
  ['III', 'III'],
]);

/** Words that the rule "first letter large" gets wrong. */
const spellings = new Map([
  ['LEPAGE', 'LePage'],
  ['TJ', 'TJ'],
]);

/** Two spellings of one person's name, where the state, the office and the party say that it is one person. */
const sameName = new Map([['MICHAEL DUNLEAVY', 'MIKE DUNLEAVY']]);

const isInitial = (word: string): boolean => /^(\p{Lu}\.?)+$/u.test(word) && word.replaceAll('.', '').length === 1;

const words = (name: string): string[] => name.replace(/^MS\.? /i, '').split(/\s+/);

function spell(word: string): string {
  if (isInitial(word)) return word.endsWith('.') ? word : `${word}.`;
  const known = suffixes.get(word) ?? spellings.get(word);
  if (known) return known;
  return word
    .toLowerCase()
    .replace(/\p{L}+/gu, (part) => part.charAt(0).toUpperCase() + part.slice(1))
    .replace(/^Mc\p{Ll}/u, (start) => `Mc${start.slice(2).toUpperCase()}`);
}

/** A name in capitals as it is usually written: `ALYSE S GALVIN` becomes Alyse S. Galvin. */
export const displayName = (capitals: string): string => words(capitals).map(spell).join(' ');

/**
 * First and last name, where the name leaves no doubt: two words, with initials between them and a suffix behind.
 * A name of more words does not tell whether the middle one belongs to the last name.
 */
export function splitName(name: string): { first_name?: string; last_name?: string } {
  const parts = words(name).filter((word) => !/^(Jr\.|I+)$/.test(word));
  const [first_name, ...rest] = parts.filter((word, index) => index === 0 || !/^(\p{Lu}\.)+$/u.test(word));
  const [last_name] = rest;
  return rest.length === 1 && first_name && !first_name.includes('.') ? { first_name, last_name } : {};
}

/** First and last word in plain capitals, by which one person is recognised within a state in several sources. */
export function nameKey(name: string): string {
  const plain = words(name.replace(/"[^"]*"|\([^)]*\)|,/g, ' ').trim())
    .map((word) => word.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase())
    .filter((word) => !suffixes.has(word.replace('.', '')) && !/^(\p{Lu}\.)+$|^\p{Lu}$/u.test(word));
  const key = `${plain[0]} ${plain.at(-1)}`;
  return sameName.get(key) ?? key;
}
