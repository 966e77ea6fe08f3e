import type { Day } from '../../base/dates.ts';
import { normalName } from '../../base/words/normal-name.ts';
import { readTable } from '../../base/words/read-table.ts';
import type { State } from '../../base/words/states.ts';
import { slug } from './places.ts';

export type Chamber = 'Upper' | 'Lower';

const UNITS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );
const TENS = ['twenty', 'thirty', 'forty', 'fifty'];
const ORDINALS = new Map([
  ...UNITS.map((word, index) => [word, ordinal(index + 1)] as const),
  ...TENS.flatMap((tens, index) => [
    [tens.replace(/y$/, 'ieth'), ordinal(10 * (index + 2))] as const,
    ...UNITS.slice(0, 9).map((unit, one) => [`${tens}-${unit}`, ordinal(10 * (index + 2) + one + 1)] as const),
  ]),
]);
const ORDINAL = new RegExp(
  `\\b(?:(?:${TENS.join('|')})[ -](?:${UNITS.slice(0, 9).join('|')})|${[...ORDINALS.keys()].filter((word) => !word.includes('-')).join('|')})\\b`,
  'g',
);

/** Returns a text in capitals with the numbers of districts in digits: `SECOND JUDICIAL CIRCUIT` becomes `2ND JUDICIAL CIRCUIT`. */
export function ordinalsInDigits(text: string): string {
  return text.replace(ORDINAL_OF_DISTRICT, (words) => inDigits(words.toLowerCase()).toUpperCase());
}

const ORDINAL_OF_DISTRICT = new RegExp(
  `${ORDINAL.source}(?= (?:(?:JUDICIAL|APPELLATE|CONGRESSIONAL|SENATORIAL|LEGISLATIVE|REPRESENTATIVE|COURT|SENATE|HOUSE|ASSEMBLY|COUNCIL) )?(?:DISTRICT|CIRCUIT|DEPARTMENT|DIVISION|WARD|PRECINCT)\\b)`,
  'gi',
);

function ordinal(number: number): string {
  const ending = number > 10 && number < 20 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}

const inDigits = (text: string): string =>
  text.replace(ORDINAL, (words) => ORDINALS.get(words.replace(' ', '-')) ?? words);

/** A legislative district as a text names it. */
export interface LegislativeDistrict {
  /** Its code in OCD ids: `1st_hampden_and_hampshire`, `belknap_1`, `grand_isle-chittenden`. */
  readonly code: string;
  /** The seat that the text names: `Seat A`. */
  readonly position?: string;
  /** A row of the table lists it. */
  readonly isListed: boolean;
}

interface ListedChamber {
  readonly districts: Map<string, LegislativeDistrict>;
  /** Its districts have names; a number alone is none. */
  isNamed: boolean;
  /** Its districts are numbered within a county, which another column may name. */
  isWithinCounty: boolean;
}

/** Words for what a district is, which are no part of its name. */
const NOT_NAMES = new Set(['', 'and', 'county', 'district', 'no', 'number']);
const ABBREVIATIONS = new Map(
  readTable<'state' | 'abbreviation' | 'words'>('legislative-abbreviations', import.meta.url).map((row) => [
    `${row.state} ${row.abbreviation.toLowerCase()}`,
    row.words,
  ]),
);

/** Returns a text as the names of districts are compared: words in their order, then numbers: `FIFTH BRISTOL DISTRICT`, `Bristol 5`. */
function keyOf(postal: string, text: string): string {
  const words = inDigits(normalName(text))
    .replace(/(?<=\d)(st|nd|rd|th)\b|(?<=\d)(?=\p{L})/gu, ' ')
    .split(' ')
    .flatMap((word) => (ABBREVIATIONS.get(`${postal} ${word}`) ?? word).split(' '))
    .filter((word) => !NOT_NAMES.has(word));
  const numbers = words.filter((word) => Number.isInteger(Number(word))).map(Number);
  return [...words.filter((word) => !Number.isInteger(Number(word))), ...numbers].join(' ');
}

type Column = 'state' | 'chamber' | 'code' | 'last' | 'text' | 'within' | 'position' | 'source';

/** The rows of `legislative-districts.csv`: a district, or one for each number up to the last. */
function readListed(): ReadonlyMap<string, ListedChamber> {
  const listed = new Map<string, ListedChamber>();
  for (const row of readTable<Column>('legislative-districts', import.meta.url)) {
    const key = `${row.state} ${row.chamber}`;
    const chamber = listed.get(key) ?? { districts: new Map(), isNamed: false, isWithinCounty: false };
    listed.set(key, chamber);
    if (row.code !== '{n}') chamber.isNamed = true;
    if (row.within !== '') chamber.isWithinCounty = true;
    for (let number = 1; number <= Number(row.last || 1); number += 1) {
      const fill = (form: string) => form.replace('{n}', String(number)).replace('{nth}', ordinal(number));
      const code = fill(row.code);
      const district = { code, isListed: true, ...(row.position ? { position: row.position } : {}) };
      chamber.districts.set(keyOf(row.state, fill(row.text) || code), district);
    }
  }
  return listed;
}

const LISTED = readListed();
const listedOf = ({ postal }: State, chamber: Chamber) => LISTED.get(`${postal} ${chamber.toLowerCase()}`);

/** Returns whether the districts of a chamber have names, of which `legislative-districts.csv` has a closed list. */
export function hasNamedDistricts(state: State, chamber: Chamber): boolean {
  return listedOf(state, chamber)?.isNamed ?? false;
}

/**
 * Returns the legislative district that a text names; one that no row lists has a code by the words of the text.
 * @param county the county whose votes they are: some chambers number their districts within it.
 */
export function legislativeDistrict(
  state: State,
  chamber: Chamber,
  text: string,
  county?: string,
): LegislativeDistrict {
  const listed = listedOf(state, chamber);
  const own = listed?.districts.get(keyOf(state.postal, text));
  if (own) return own;
  const inCounty = listed?.isWithinCounty && county ? keyOf(state.postal, `${county} ${text}`) : '';
  const code = slug(
    inDigits(text.toLowerCase().replaceAll('&', ' and '))
      .replace(/(?<=^|\s)0+(?=\d)/g, '')
      .trim(),
  );
  return listed?.districts.get(inCounty) ?? { code, isListed: false };
}

const LAST_DISTRICTS: ReadonlyMap<string, string> = new Map(
  readTable<'state' | 'chamber' | 'last' | 'source'>('chamber-districts', import.meta.url).map(
    ({ state, chamber, last }) => [`${state} ${chamber}`, last],
  ),
);
/** Earlier elections are not those of the districts in the table. */
const FIRST_DAY = '2012-01-01';

/** Returns the last number, or letter, of the districts of a chamber, if a code of one is beyond it. */
export function lastBefore({ postal }: State, chamber: Chamber, code: string, date: Day): string | undefined {
  const last = LAST_DISTRICTS.get(`${postal} ${chamber}`);
  return last && date >= FIRST_DAY && placeInOrder(code) > placeInOrder(last) ? last : undefined;
}

/** `12` and `12A` are 12, `C` is 3. */
function placeInOrder(code: string): number {
  return Number.parseInt(code, 10) || code.toUpperCase().charCodeAt(0) - 'A'.charCodeAt(0) + 1;
}
