import { parsePersonName } from '../persons/person-name.ts';
import { isGivenName } from '../persons/short-forms.ts';

/** The names that must show the order, and how many times as many as those that show the other one. */
const FEWEST_NAMES = 10;
const TIMES = 9;

/**
 * Returns whether the names of a file have the last name first without a comma, as `Young Don`: then their second words
 * are given names, and their first ones are not.
 */
export function hasLastNamesFirst(names: readonly string[]): boolean {
  let [first, second] = [0, 0];
  for (const name of names) {
    const words = wordsOf(name);
    if (words.length < 2) continue;
    const [one, other] = [isGivenName(words[0] ?? ''), isGivenName(words[1] ?? '')];
    if (one && !other) first++;
    if (other && !one) second++;
  }
  return second >= FEWEST_NAMES && second >= first * TIMES;
}

/** Words that begin a last name of several words. */
const PARTICLE = /^(von|van|de|del|della|la|le|mac|mc|di|da|dos|san|st\.?|saint)$/i;

/**
 * Returns a name with the last name first in the usual order: `Young Don` is Don Young, `Gray Danny Jr.` Danny Gray Jr. A
 * comma without a space is within a double last name.
 */
export function usualOrder(name: string): string {
  const words = name.trim().split(/\s+/);
  if (words.length < 2 || /,\s|[/&]|\band\b/i.test(name)) return name;
  const suffix = /^([JS]r\.?|I{2,3}|IV)$/i.test(words.at(-1) ?? '') ? words.splice(-1) : [];
  const given = words.findIndex((word, index) => index > 0 && isGivenName(word.toLowerCase()));
  const isDouble = given === 2 && !/^\p{Lu}\.?$/u.test(words[1] ?? '');
  const particles = words.findIndex((word) => !PARTICLE.test(word));
  const count = Math.min(words.length - 1, particles > 0 ? particles + 1 : isDouble ? 2 : 1);
  return [...words.slice(count), ...words.slice(0, count), ...suffix].join(' ').replaceAll(',', ' ');
}

function wordsOf(name: string): string[] {
  if (/,\s|[/&]|\band\b/i.test(name)) return [];
  const parsed = parsePersonName(name);
  return parsed ? [...parsed.given, parsed.last] : [];
}
