import { plainWords } from '../../src/base/words/address-words.ts';
import { DIRECTION_WORDS, SUFFIX_WORDS, WORDS } from '../../src/base/words/postal-words.ts';

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
  'two letters swapped': (address, random) => whole({ ...address, street: changed(address.street, random, swapped) }),
  'letter doubled': (address, random) =>
    whole({
      ...address,
      street: changed(address.street, random, (before, letter, after) => before + letter + letter + after),
    }),
  'letter missing': (address, random) =>
    whole({ ...address, town: changed(address.town, random, (before, _, after) => before + after) }),
  'unit after a comma': (address, random) =>
    `${address.number} ${address.street}, ${unit(random)}, ${placeOf(address)}`,
  'unit without comma': ({ number, street, town, state, zip }, random) =>
    `${number} ${street} ${unit(random)} ${town} ${state} ${zip}`,
  'unit and addressee first': (address, random) => `Jane Roe\n${unit(random)}\n${whole(address)}`,
  'commas between all parts': ({ number, street, town, state, zip }) => `${number},${street},${town},${state},${zip}`,
  'ZIP+4 and country': (address) => `${whole(address)}-1234, USA`,
  'nine digits': (address) => `${whole(address)}1234`,
  'town only': ({ number, street, town }) => `${number} ${street}, ${town}`,
  'ZIP code only': ({ number, street, zip }) => `${number} ${street} ${zip}`,
  'kind of town': ({ number, street, town, state }) => `${number} ${street}, Town of ${town}, ${state}`,
  'house number after street': ({ number, street, ...place }) =>
    `${street} ${number}, ${placeOf({ number, street, ...place })}`,
  'half a house number': (address) => whole({ ...address, number: `${digitsOf(address)}½` }),
  'another state, right ZIP code': (address) => whole({ ...address, state: 'NH' }),
};

/** Ways to type an address that must never be certain: they mean another place, or none. */
export const OTHER_PLACES: Readonly<Record<string, (address: KnownAddress) => string>> = {
  'another town': (address) => whole({ ...address, town: 'Burlington', zip: '05401' }),
  'another town without ZIP code': ({ number, street, state }) => `${number} ${street}, Burlington, ${state}`,
  'another state': ({ number, street, town }) => `${number} ${street}, ${town}, NH`,
  'another state and ZIP code': (address) => whole({ ...address, state: 'NH', zip: '03301' }),
  'post office box': (address) => `PO Box ${digitsOf(address)}, ${placeOf(address)}`,
  'house number that does not exist': (address) => whole({ ...address, number: `${digitsOf(address) + 50_000}` }),
  'no house number': ({ street, ...place }) => `${street}, ${placeOf({ street, ...place })}`,
};

function digitsOf({ number }: KnownAddress): number {
  return Number.parseInt(number, 10);
}

const UNITS = 'Apt 3|# 2|Unit B|Ste 100|Apt. 2C|Bldg A Apt 3|Lot 7|Fl 2|Apt #3|Rm 12|PH 1|Bsmt|Rear|Upper'.split('|');

function unit(random: () => number): string {
  return UNITS[Math.floor(random() * UNITS.length)] ?? '';
}

/** Returns a text with a change at one of its letters. */
function changed(
  text: string,
  random: () => number,
  change: (before: string, letter: string, after: string) => string,
): string {
  const places = [...text].flatMap((letter, index) => (/\p{L}/u.test(letter) ? [index] : []));
  const at = places[Math.floor(random() * places.length)];
  return at === undefined ? text : change(text.slice(0, at), text[at] ?? '', text.slice(at + 1));
}

function swapped(before: string, letter: string, after: string): string {
  return /^\p{L}/u.test(after) ? `${before}${after[0]}${letter}${after.slice(1)}` : `${before}${letter}${after}`;
}

function placeOf({ town, state, zip }: KnownAddress): string {
  return `${town}, ${state} ${zip}`;
}

function whole(address: KnownAddress): string {
  return `${address.number} ${address.street}, ${placeOf(address)}`;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Replaces, drops, doubles or swaps one letter. */
function oneLetterWrong(text: string, random: () => number): string {
  return changed(text, random, (before, letter, after) => {
    const other = LETTERS[Math.floor(random() * LETTERS.length)] ?? 'x';
    const ways = [
      () => `${before}${other === letter.toLowerCase() ? 'q' : other}${after}`,
      () => `${before}${after}`,
      () => `${before}${letter}${other}${after}`,
      () => (/^\p{L}/u.test(after) ? `${before}${after[0]}${letter}${after.slice(1)}` : `${before}${after}`),
    ];
    return (ways[Math.floor(random() * ways.length)] ?? ways[0])?.() ?? text;
  });
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
