import { plainWords } from '../../src/import/addresses/address-words.ts';
import { DIRECTION_WORDS, SUFFIX_WORDS, WORDS } from '../../src/import/addresses/postal-words.ts';

/** An address as it is loaded. */
export interface KnownAddress {
  readonly number: string;
  readonly street: string;
  readonly town: string;
  readonly state: string;
  readonly zip: string;
}

/** The ways in which people type an address differently from how it is loaded; `random` returns numbers from 0 to 1. */
export const FORMS: Readonly<
  Record<string, (address: KnownAddress, random: () => number, otherZip: string) => string>
> = {
  'one letter wrong': ({ number, street, town, state, zip }, random) =>
    `${number} ${oneLetterWrong(`${street}, ${town}`, random)}, ${state} ${zip}`,
  'lower case, no punctuation': (address) => plainWords(whole(address)).join(' '),
  'other abbreviations': (address) => `${address.number} ${otherForms(address.street)}, ${placeOf(address)}`,
  'suffix missing': (address) => `${address.number} ${withoutSuffix(address.street)}, ${placeOf(address)}`,
  'wrong ZIP code': (address, _, zip) => whole({ ...address, zip }),
  'state only': ({ number, street, state }) => `${number} ${street}, ${state}`,
};

function placeOf({ town, state, zip }: KnownAddress): string {
  return `${town}, ${state} ${zip}`;
}

function whole(address: KnownAddress): string {
  return `${address.number} ${address.street}, ${placeOf(address)}`;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Replaces, drops, doubles or swaps one letter. */
function oneLetterWrong(text: string, random: () => number): string {
  const places = [...text].flatMap((letter, index) => (/\p{L}/u.test(letter) ? [index] : []));
  const at = places[Math.floor(random() * places.length)] ?? 0;
  const [before, letter, after] = [text.slice(0, at), text[at] ?? '', text.slice(at + 1)];
  const other = LETTERS[Math.floor(random() * LETTERS.length)] ?? 'x';
  const ways = [
    () => `${before}${other === letter.toLowerCase() ? 'q' : other}${after}`,
    () => `${before}${after}`,
    () => `${before}${letter}${other}${after}`,
    () => (/^\p{L}/u.test(after) ? `${before}${after[0]}${letter}${after.slice(1)}` : `${before}${after}`),
  ];
  return (ways[Math.floor(random() * ways.length)] ?? ways[0])?.() ?? text;
}

/** The long forms of abbreviated suffixes and directions, and the abbreviations of the long ones. */
function otherForms(street: string): string {
  const words = plainWords(street);
  return words
    .map((word, index) => {
      const isLast = index >= words.length - 2;
      const long = WORDS.get(word) ?? word;
      if (!DIRECTION_WORDS.has(long) && !(isLast && SUFFIX_WORDS.has(long))) return word;
      if (word !== long) return long;
      return [...WORDS].find(([short, full]) => full === long && short !== long)?.[0] ?? word;
    })
    .join(' ');
}

function withoutSuffix(street: string): string {
  const words = plainWords(street);
  const at = words.findLastIndex((word, index) => index > 0 && SUFFIX_WORDS.has(WORDS.get(word) ?? word));
  return words.filter((_, index) => index !== at).join(' ');
}
