import { dictionary } from '../../base/dictionary.ts';
import { lettersApart, POSTAL_STATES } from '../../base/words/address-words.ts';
import type { DistrictType } from '../../store/sql/tables.ts';

/** One way to read a text as the name of a place. */
export interface PlaceReading {
  /** The words of the name as they are compared; empty if the text names the state itself. */
  readonly words: readonly string[];
  /** The two letters of the state that the text names; undefined if it names none. */
  readonly state: string | undefined;
}

/** What people and sources write for an apostrophe, and the okina of Hawaii. */
const APOSTROPHES = /['’‘‛ʼʻʹ´′`]/g;
/** The words of abbreviations in the names of places, on both sides of a comparison. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    st: 'saint',
    ste: 'sainte',
    mt: 'mount',
    ft: 'fort',
    twp: 'township',
    co: 'county',
    cnty: 'county',
    '&': 'and',
  }),
);

/**
 * Other forms by word, as `words_query` takes them (migration 0039): with `st`, districts that are named `Saint` are found
 * too.
 */
export const OTHER_FORMS: Readonly<Record<string, readonly string[]>> = dictionary(
  [...ABBREVIATIONS]
    .filter(([short]) => /^\p{L}+$/u.test(short))
    .flatMap(([short, long]): [string, string[]][] => [
      [short, [`'${long}':*`]],
      [long, [`'${short}'`]],
    ]),
);

const plainWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(APOSTROPHES, '')
    .replace(/\b(\p{L})\.(?=\p{L}\b)/gu, '$1')
    .replace(/[^\p{L}\p{N}&]+/gu, ' ')
    .trim()
    .split(' ')
    .filter(Boolean);

const inFull = (words: readonly string[]) => words.map((word) => ABBREVIATIONS.get(word) ?? word);

/** The kinds of counties and of towns, as they end names: `Los Angeles County`, `Barre city`. */
const COUNTY_KINDS = [
  ...['county', 'parish', 'borough', 'municipality', 'municipio', 'census area', 'city and borough'],
  ...['planning region', 'district'],
];
const TOWN_KINDS = ['city', 'town', 'village', 'township', 'borough', 'cdp', 'plantation'];
const KINDS = [...new Set([...COUNTY_KINDS, ...TOWN_KINDS])]
  .map((kind) => kind.split(' '))
  .sort((one, other) => other.length - one.length);
/** What may stand before a name: `City of Augusta`, `the State of Maine`. */
const KIND_OF = /^(?:the )?(\p{L}+) of (?:the )?(?=\p{L})/u;
const STATE_KINDS = new Set(['state', 'commonwealth', 'territory']);
/** `District of Columbia` is a name. */
const KINDS_BEFORE = new Set([...TOWN_KINDS, 'county', 'parish', 'municipality']);

interface NameParts {
  /** The words without the kind. */
  readonly base: readonly string[];
  /** The kind of the place; undefined if the name does not end with one. */
  readonly kind: string | undefined;
}

/** Divides a name into its words and the kind that ends it; a kind alone is a name. */
export function partsOfName(words: readonly string[]): NameParts {
  const kind = KINDS.find(
    (each) => words.length > each.length && each.every((word, at) => words[words.length - each.length + at] === word),
  );
  return kind ? { base: words.slice(0, -kind.length), kind: kind.join(' ') } : { base: words, kind: undefined };
}

/** The names and codes of the states and territories, and other names that are in use. */
const STATE_NAMES = [
  ...POSTAL_STATES.flatMap(({ words, postal }) => [
    { words, postal },
    { words: [postal], postal },
  ]),
  { words: ['usvi'], postal: 'vi' },
  { words: ['cnmi'], postal: 'mp' },
  { words: ['northern', 'marianas'], postal: 'mp' },
  // The city has the area of the district.
  { words: ['washington', 'dc'], postal: 'dc' },
  { words: ['washington', 'district', 'of', 'columbia'], postal: 'dc' },
].map(({ words, postal }) => ({ words, postal: postal.toUpperCase() }));

/** The longest text that is read as a place, in words: the longest names of districts have ten. */
const MOST_WORDS = 16;

const COUNTRY = new Set(['usa', 'us', 'united states', 'united states of america']);

/**
 * Returns the ways to read a text as the name of a place: with the state at the end (`Augusta, ME`), at the beginning
 * (`Maine Augusta`), or nowhere, since the word of a state may be a part of the name (`Washington County`). A ZIP code at
 * the end and the country are left out.
 */
export function readPlace(text: string): PlaceReading[] {
  const words = withoutCountry(plainWords(text.replace(/\b\d{5}(?:-?\d{4})?\s*$/, '')));
  const readings: PlaceReading[] = [];
  if (words.length > MOST_WORDS) return readings;
  const add = (name: readonly string[], state: string | undefined) => {
    const read = inFull(kindLast(name));
    if (read.length === 0 && state === undefined) return;
    const isStateItself = read.length === 0 || (read.length === 1 && STATE_KINDS.has(read[0] ?? ''));
    if (isStateItself && state === undefined) return;
    readings.push({ words: isStateItself ? [] : read, state });
  };
  for (const { words: name, postal } of STATE_NAMES) {
    const rest = words.length - name.length;
    if (rest < 0) continue;
    if (name.every((word, at) => words[rest + at] === word)) add(words.slice(0, rest), postal);
    if (rest === 0 || !name.every((word, at) => words[at] === word)) continue;
    // `Oklahoma City` is no city of Oklahoma: a name is more than its kind.
    const after = words.slice(name.length);
    const kind = inFull(after).join(' ');
    if (!KINDS.some((each) => each.join(' ') === kind)) add(after, postal);
  }
  add(words, undefined);
  return readings;
}

function withoutCountry(words: readonly string[]): readonly string[] {
  const lengths = [4, 2, 1].filter((length) => length < words.length);
  const found = lengths.find((length) => COUNTRY.has(words.slice(-length).join(' ')));
  return found ? words.slice(0, -found) : words;
}

/** Returns the words of a name with the kind that is before it at its end: `augusta city` for `city of augusta`. */
function kindLast(words: readonly string[]): readonly string[] {
  const [before, kind = ''] = KIND_OF.exec(words.join(' ')) ?? [];
  if (before === undefined || !(STATE_KINDS.has(kind) || KINDS_BEFORE.has(kind))) return words;
  const name = words.join(' ').slice(before.length).split(' ');
  return STATE_KINDS.has(kind) ? name : [...name, kind];
}

/** How the name of a district agrees with one that was typed, from the best to the least. */
export type NameAgreement =
  /** It has the name and the kind that were typed. */
  | 'same'
  /** It has the name; the text has no kind, or another word for the same: `Orleans County` for Orleans Parish. */
  | 'name'
  /** Its name begins with the text. */
  | 'begun'
  /** Its name has the words, in any order and among others. */
  | 'words'
  /** One letter of its name is another one, or two in a long name. */
  | 'letters';

/** From this length, two letters of a name may be wrong. */
const LONG_NAME = 9;

/**
 * Returns how the name of a district agrees with the words of a reading; undefined if it is another name, or that of a
 * place of another kind.
 */
export function compareName(name: string, type: DistrictType, typed: readonly string[]): NameAgreement | undefined {
  const words = inFull(plainWords(name));
  const own = partsOfName(words);
  const asked = partsOfName(typed);
  const [whole, text] = [words.join(' '), typed.join(' ')];
  if (whole === text) return asked.kind === undefined ? 'name' : 'same';
  if (asked.kind !== undefined && !isOfKind(type, own.kind, asked.kind)) {
    return whole.startsWith(`${text} `) ? 'begun' : undefined;
  }
  const [base, askedBase] = [own.base.join(''), asked.base.join('')];
  if (base === askedBase || base === typed.join('')) return 'name';
  if (whole.startsWith(text)) return 'begun';
  if (asked.base.every((word) => own.base.some((each) => each.startsWith(word)))) return 'words';
  const most = askedBase.length < LONG_NAME ? 1 : 2;
  return lettersApart(askedBase, base, most) <= most ? 'letters' : undefined;
}

/** Returns whether a district is the city or town of a name: a county is, if it is a city of its own. */
export function isTownNamed(
  { name, type }: { readonly name: string; readonly type: DistrictType },
  town: string,
): boolean {
  const [own, other] = [name, town].map((each) => partsOfName(inFull(plainWords(each))));
  const isCounty = type === 'County' && own?.kind !== undefined && own.kind !== 'city';
  return !isCounty && type !== 'School District' && type !== 'State' && own?.base.join(' ') === other?.base.join(' ');
}

/** Returns whether a kind that was typed may mean a district: another word for a county, but not a city for a county. */
function isOfKind(type: DistrictType, own: string | undefined, typed: string): boolean {
  if (type === 'State' || type === 'School District') return false;
  if (type !== 'County') return TOWN_KINDS.includes(typed) && (own === undefined || own === typed);
  const isCity = own === 'city';
  return isCity ? typed === 'city' : COUNTY_KINDS.includes(typed);
}
