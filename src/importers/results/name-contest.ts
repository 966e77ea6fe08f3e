import { normalName } from '../../base/words/normal-name.ts';
import type { State } from '../../base/words/states.ts';
import { ordinalsInDigits } from '../facts/legislative-codes.ts';
import type { OfficeRow, OfficeRows, Placeholders } from './office-rows.ts';

/** What the text of a contest and its column of the district say, by the row that declares the office. */
export interface NamedContest {
  readonly row: OfficeRow;
  /** The code of the district without zeros before it; empty for none. */
  readonly code: string;
  /** The district as the source writes it. */
  readonly district: string;
  /** The seat, where several are elected separately: `Position 3`. */
  readonly position?: string;
  /** The election is to the rest of a term. */
  readonly isSpecial: boolean;
  /** The number of members that the text states. */
  readonly seats?: number;
  readonly values: Placeholders;
  /** How the text and the column of the district contradict each other. */
  readonly contradiction?: string;
}

const SEATS = /\b(?:vote for|elect|choose|pick)(?: up to| any| no more than| not more than)? (\d{1,2})\b/;
const SPECIAL = /\b(?:un ?expired(?: term)?|special(?: election)?|to fill (?:a |the )?vacancy|short term|recall)\b/;
const TERM = /\b(?:full term|long term|\d+ ?(?:year|yr)s?(?: term)?|non ?partisan)\b/;
const SEAT =
  /^(.+?) (position|pos|seat|place|division|div|group|post|department|dept|branch|part|office|court) (?:no |number )?(\d+[a-z]?|[a-z])$/;
const SEAT_NAMES = new Map([
  ['pos', 'Position'],
  ['div', 'Division'],
  ['dept', 'Department'],
]);
const DISTRICT = /^(.+?) (?:district|dist|circuit|ward|no|number|precinct) (?:no |number )?0*(\d+[a-z]?|[a-z])$/;
/** A word for what a district is of, before the word for it: `JUDGE, 3RD JUDICIAL DISTRICT`. */
const KIND = / (?:judicial|legislative|congressional|senate|senatorial|house|council|county)$/;
const DISTRICT_AFTER =
  /^(.+?) 0*(\d+)(?:st|nd|rd|th)?(?: (?:judicial |legislative |congressional |senate |house )?(?:district|circuit))?$/;
const DISTRICT_BEFORE =
  /^(?:district )?0*(\d+)(?:st|nd|rd|th)? (?:(?:judicial |legislative |congressional )?(?:district|circuit) )?(.+)$/;
/** `4th circuit, 1st division` is the district 4, and the division 1. */
const ORDINAL_PART = /\b(\d+)(?:st|nd|rd|th) (division|department|place|position|branch)\b/;
const ORDINAL_DISTRICT = /\b(\d+)(?:st|nd|rd|th)(?: (?:judicial |appellate )?(?:district|circuit)(?= |$)|$)/;
/** A district column that names none. */
const NONE = /^(?:statewide|at large|na|nan|null|none|all|0*)$/;
/** `district 4`, `sd 4`, `4 position 2`, `4 unexpired term`: words of the kind, a code, and a seat. */
const IN_COLUMN = /^(?:.*\b)?(?:district|dist|circuit|ward|no|number|precinct) (?=\w)|^(?:hd|sd|ld|cd) ?(?=\d)/;

/**
 * Returns what a contest elects, as far as a row declares it; undefined if none does.
 * @param isOf which rows may be meant.
 */
export function nameContest(
  rows: OfficeRows,
  state: State,
  { office, district }: { readonly office: string; readonly district: string },
  isOf: (row: OfficeRow) => boolean = () => true,
): NamedContest | undefined {
  const column = columnOf(district);
  // `COUNTY COMMISSIONER` is an office of the county, or with a number one of a part of it.
  const fits = (row: OfficeRow) => isOf(row) && hasDistricts(row) === (column.code !== '');
  const find = (text: string) => rows.find(state, text, fits) ?? rows.find(state, text, isOf);
  const exact = find(office);
  let text = normalName(ordinalsInDigits(office));
  const isSpecial = SPECIAL.test(text) || column.isSpecial;
  if (exact) return named(exact.row, exact.values, column, { isSpecial });
  const seats = Number(SEATS.exec(text)?.[1]) || undefined;
  text = text.replace(SEATS, ' ').replace(SPECIAL, ' ').replace(TERM, ' ').replace(/\s+/g, ' ').trim();
  const facts = { isSpecial, ...(seats === undefined ? {} : { seats }) };
  // `NC STATE TREASURER`, `COLORADO GOVERNOR`
  const prefix = [state.postal, state.name].map((each) => `${normalName(each)} `).find((each) => text.startsWith(each));
  const bare = prefix ? text.slice(prefix.length) : text;
  const plain = find(text) ?? find(bare);
  if (plain) return named(plain.row, plain.values, column, facts);
  const [, before = '', kind = '', number = ''] = SEAT.exec(bare) ?? [];
  const position = kind && `${SEAT_NAMES.get(kind) ?? capitalised(kind)} ${number.toUpperCase()}`;
  const ofSeat = kind ? find(before) : undefined;
  if (ofSeat) return named(ofSeat.row, ofSeat.values, column, { ...facts, position });
  const rest = kind ? before : bare;
  const more = kind ? { ...facts, position } : facts;
  for (const [title, code] of districtsIn(rest)) {
    const found = rows.find(state, title, (row) => hasDistricts(row) && isOf(row));
    if (!found) continue;
    const isSame = column.code === '' || column.code === code;
    // `3RD COURT OF APPEALS` with `PLACE 2` or `2` in the column: the column names a seat of it.
    const seat = isSame || found.row.scope !== 'court' ? column.position : `Position ${column.code.toUpperCase()}`;
    const contest = named(found.row, found.values, { code, district: code, position: seat, isSpecial }, more);
    if (isSame || found.row.scope === 'court') return contest;
    return { ...contest, contradiction: `the text has the district ${code}, and the column ${column.district}` };
  }
  return undefined;
}

interface Column {
  readonly code: string;
  readonly district: string;
  readonly position?: string | undefined;
  readonly isSpecial: boolean;
  readonly seats?: number | undefined;
}

function named(
  row: OfficeRow,
  values: Placeholders,
  column: Column,
  facts: { readonly isSpecial: boolean; readonly seats?: number; readonly position?: string },
): NamedContest {
  const position = row.position ?? facts.position ?? (values.seat ? seatNamed(values.seat) : column.position);
  // `REPRESENTATIVE TO THE 114TH CONGRESS` with the number of the district in the column
  const isInText = values.n !== undefined && (column.code === '' || row.scope === 'court');
  const code = normalName(ordinalsInDigits(`${values.n} DISTRICT`)).replace(/ district$|(?<=\d)(?:st|nd|rd|th)\b/g, '');
  return {
    row,
    values,
    code: isInText ? code : column.code,
    district: isInText ? (values.n ?? '') : column.district,
    ...(column.seats === undefined ? {} : { seats: column.seats }),
    ...facts,
    ...(position ? { position } : {}),
  };
}

/** Returns the code of a column of the district, and what else it has. */
function columnOf(written: string): Column {
  // `BE 02 (4)`: the district elects four members.
  const [, district = written, members] = /^(.*\S) ?\((\d{1,2})\)$/.exec(written.trim()) ?? [];
  const seats = Number(members) || undefined;
  const plain = normalName(ordinalsInDigits(`${district.replace(/\.0+$/, '')} DISTRICT`))
    .replace(/(?:^| )district$/, '')
    .replace(ORDINAL_PART, '$2 $1')
    .replace(ORDINAL_DISTRICT, '$1');
  const isSpecial = SPECIAL.test(plain);
  const text = plain
    .replace(SPECIAL, ' ')
    .replace(SEATS, ' ')
    .replace(/^statewide (?=.)|\s+(?=\s)/g, '')
    .trim();
  if (NONE.test(text)) return { code: '', district: '', isSpecial, seats };
  const [, before = '', kind = '', number = ''] = SEAT.exec(`district ${text}`) ?? [];
  const position = kind ? `${SEAT_NAMES.get(kind) ?? capitalised(kind)} ${number.toUpperCase()}` : undefined;
  const code = (kind ? before.replace(/^district ?/, '') : text).replace(IN_COLUMN, '').replace(/^0+(?=.)/, '');
  const shown = kind || /^\d+[a-z]?$/.test(code) ? code : district.trim();
  return { code: NONE.test(code) ? '' : code, district: NONE.test(code) ? '' : shown, position, isSpecial, seats };
}

/** Yields the ways to take a district off a text: its title, and the code. */
function* districtsIn(text: string): Generator<readonly [title: string, code: string]> {
  for (const form of [DISTRICT, DISTRICT_AFTER]) {
    const [, title, code] = form.exec(text) ?? [];
    if (!title || !code) continue;
    yield [title, code];
    if (KIND.test(title)) yield [title.replace(KIND, ''), code];
  }
  const [, code, title] = DISTRICT_BEFORE.exec(text) ?? [];
  if (title && code) yield [title, code];
}

function hasDistricts({ scope }: OfficeRow): boolean {
  return ['congress', 'upper', 'lower', 'state part', 'county part', 'court', 'district'].includes(scope);
}

function seatNamed(text: string): string {
  const plain = normalName(text);
  return /^(\d+|[a-z])$/.test(plain) ? `Position ${plain.toUpperCase()}` : capitalised(plain);
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
