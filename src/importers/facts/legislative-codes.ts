import { readTable } from '../../base/words/read-table.ts';
import type { State } from '../../base/words/states.ts';
import { slug } from './places.ts';

/** The abbreviations of counties in the names of Vermont's districts, in the two forms that results use. */
const VERMONT_COUNTIES: ReadonlyMap<string, string> = new Map(
  readTable<'abbreviation' | 'code'>('vermont-counties', import.meta.url).map(({ abbreviation, code }) => [
    abbreviation,
    code,
  ]),
);

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
  return text.replace(ORDINAL_OF_DISTRICT, (words) => {
    const number = ORDINALS.get(words.toLowerCase().replace(' ', '-'));
    return number?.toUpperCase() ?? words;
  });
}

const ORDINAL_OF_DISTRICT = new RegExp(
  `${ORDINAL.source}(?= (?:(?:JUDICIAL|APPELLATE|CONGRESSIONAL|SENATORIAL|LEGISLATIVE|REPRESENTATIVE|COURT|SENATE|HOUSE|ASSEMBLY|COUNCIL) )?(?:DISTRICT|CIRCUIT|DEPARTMENT|DIVISION|WARD|PRECINCT)\\b)`,
  'gi',
);

function ordinal(number: number): string {
  const ending = number > 10 && number < 20 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}

/** Vermont districts with a space in the name, within one county, whose OCD ids have a dash. */
const WRITTEN_WITH_DASH = /^(chittenden) (central|north|southeast)$/;

/**
 * Returns the code in OCD ids of a legislative district that has a name: `First Hampden & Hampshire` becomes
 * `1st_hampden_and_hampshire`, `Belknap County No. 1` `belknap_1`, `Grand Isle-Chittenden` `grand_isle-chittenden`.
 */
export function districtCode(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/\bcounty (no\.? ?)?(?=\d)/, '')
    .replace(ORDINAL, (words) => ORDINALS.get(words.replace(' ', '-')) ?? words)
    .replace(/(?<=^|\s)0+(?=\d)/g, '')
    .replace(/^grand-isle(?=-)/, 'grand isle')
    .trim();
  return slug(plain.replace(WRITTEN_WITH_DASH, '$1-$2'));
}

/**
 * Splits the code of a legislative district into that of the district and a seat. Idaho's House elects two members in
 * each district, for the seats A and B (Idaho Code 34-614); a letter after a number is a district in all other states.
 */
export function seatOfDistrict(
  { postal }: State,
  chamber: 'Upper' | 'Lower',
  code: string,
): { readonly code: string; readonly position?: string } {
  const [, number, letter] = /^(\d+)([ab])$/.exec(code) ?? [];
  if (postal !== 'ID' || chamber !== 'Lower' || !number || !letter) return { code };
  return { code: number, position: `Seat ${letter.toUpperCase()}` };
}

/**
 * Returns the code of a legislative district in its OCD id. New Hampshire's House numbers its districts within their
 * county; Vermont names districts after counties.
 */
export function legislativeCode(
  state: State,
  chamber: 'Upper' | 'Lower',
  district: string,
  county: string | undefined,
): string | undefined {
  if (state.postal === 'NH' && chamber === 'Lower')
    return county ? `${slug(county)}_${numberWithin(district, county).toLowerCase()}` : undefined;
  // `BARNSTABLE 3` is the third Barnstable district.
  const [, named, number] = (state.postal === 'MA' ? /^([A-Z][A-Z ,&-]*?),? (\d+)$/.exec(district) : undefined) ?? [];
  if (named && number) return districtCode(`${ordinal(Number(number))} ${named}`);
  if (state.postal !== 'VT') return districtCode(district);
  const words = district
    .split(/[ -]/)
    .map((word) => VERMONT_COUNTIES.get(word) ?? (/^\d+$/.test(word) ? word : undefined));
  if (words.includes(undefined)) return undefined;
  // The file of 2022 numbers Senate districts that have no number.
  return (chamber === 'Upper' ? words.filter((word) => !/^\d+$/.test(word ?? '')) : words).join('-');
}

/** Returns the number of a district whose name repeats the county, or its first two letters: `HILLSBOROUGH 5`, `HI 05`. */
function numberWithin(district: string, county: string): string {
  const name = [county.toUpperCase(), county.slice(0, 2).toUpperCase()].find((each) => district.startsWith(`${each} `));
  return name ? district.slice(name.length + 1).replace(/^0+(?=.)/, '') : district;
}

/** Returns whether a table declares a code that is no number: Vermont's districts of counties, New Hampshire's of a county by number. */
export function isDeclaredCode({ postal }: State, code: string): boolean {
  if (postal === 'NH') return /^[a-z]+_\d+$/.test(code);
  const counties = new Set(VERMONT_COUNTIES.values());
  return postal === 'VT' && code.split('-').every((part) => counties.has(part) || /^\d+$/.test(part));
}
