import { isGivenName } from '../../base/words/first-names.ts';
import { parsePersonName } from '../facts/person-name.ts';

/** The names that must show the order, and how many times as many as those that show the other one. */
const FEWEST_NAMES = 10;
const TIMES = 2;

/** A name of a contest. */
interface NameOfContest {
  readonly contest: number;
  readonly candidate: string;
}

/**
 * Returns the names of a file that have the last name first without a comma, as `Young Don`. Their second words are given
 * names, and their first ones are not; or they end with an initial. Such a file may have contests with names in the usual
 * order: a name that does not end with an initial has the order that most names of its contest show.
 */
export function lastNamesFirst(names: readonly NameOfContest[]): ReadonlySet<string> {
  const orders = new Map(names.map(({ candidate }) => [candidate, orderOf(candidate)]));
  const count = (order: Order, of: Iterable<Order | undefined>) => [...of].filter((each) => each === order).length;
  const [given, last] = [count('given name first', orders.values()), count('last name first', orders.values())];
  if (last < FEWEST_NAMES || last < given * TIMES) return new Set();
  const ofContest = Map.groupBy(names, ({ contest }) => contest);
  const isMostly = (contest: number) => {
    const of = (ofContest.get(contest) ?? []).map(({ candidate }) => orders.get(candidate));
    return count('last name first', of) >= count('given name first', of);
  };
  const reversed = names.filter(({ contest, candidate }) => endsWithGivenName(candidate) || isMostly(contest));
  return new Set(reversed.map(({ candidate }) => candidate));
}

type Order = 'given name first' | 'last name first';

/** Returns the order that the words of a name show; undefined if they may be of either order. */
function orderOf(name: string): Order | undefined {
  const words = firstOf(name);
  const [one = '', other = ''] = words;
  if (words.length < 2) return undefined;
  if (endsWithGivenName(name)) return 'last name first';
  if (one.length === 1 || (other.length === 1 && words.length > 2)) return 'given name first';
  if (isGivenName(one) === isGivenName(other)) return undefined;
  return isGivenName(one) ? 'given name first' : 'last name first';
}

/** Returns whether a name ends with an initial, or begins with a last name like `De La Fuente`. */
function endsWithGivenName(name: string): boolean {
  const words = firstOf(name);
  return (
    (words.length > 1 && words.at(-1)?.length === 1) ||
    (words.length > 3 && /^(de|van|von) (la|las|los|der|den)$/.test(words.slice(0, 2).join(' ')))
  );
}

/** Returns the words of a name, or of the first name of a ticket. */
function firstOf(name: string): string[] {
  return wordsOf(name.split('/')[0] ?? '');
}

/** Words that begin a last name of several words. */
const PARTICLE = /^(von|van|de|del|della|la|le|mac|mc|di|da|dos|san|st\.?|saint)$/i;

/**
 * Returns a name with the last name first in the usual order: `Young Don` is Don Young, `Gray Danny Jr.` Danny Gray Jr. A
 * comma without a space is within a double last name. Names of running mates, `A / B`, are each put in order.
 */
export function usualOrder(name: string): string {
  if (name.includes('/')) return name.split('/').map(usualOrder).join(' / ');
  const words = name.trim().split(/\s+/);
  if (words.length < 2 || /,\s|&|\band\b/i.test(name)) return name;
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
