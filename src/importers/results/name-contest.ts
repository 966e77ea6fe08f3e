import { normalName } from '../../base/words/normal-name.ts';
import type { State } from '../../base/words/states.ts';
import { type County, plainCountyName } from '../facts/counties.ts';
import { type Chamber, legislativeDistrict, ordinalsInDigits } from '../facts/legislative-codes.ts';
import { withoutFraction } from './cell-text.ts';
import { CONTEST_WORDS, officeWords } from './dialect.ts';
import type { FoundRow, OfficeRow, OfficeRows, Placeholders } from './office-rows.ts';

/** What the text of a contest and its column of the district say, by the row that declares the office. */
export interface NamedContest {
  readonly row: OfficeRow;
  /** The code of the district without zeros before it; empty for none. */
  readonly code: string;
  /** The district without the words for what it is, and as the source writes it. */
  readonly district: string;
  readonly written: string;
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

/** Takes phrases out of a text, as whole words. */
const without = (text: string, phrases: RegExp): string =>
  text.replace(phrases, ' ').split(' ').filter(Boolean).join(' ');

const { SEATS, SPECIAL, TERMS, SEAT_WORDS, DISTRICT_WORDS, DISTRICT_KINDS, CHAMBER_CODES, NO_DISTRICT } = CONTEST_WORDS;
/** The words that stand after an ordinal: `3rd circuit`, `3rd judicial district`. */
const AREAS = new Set(['district', 'circuit']);
/** A number with or without a letter, or a letter, without zeros before it. */
const CODE = /^0*(\d+[a-z]?|[a-z])$/;
const NUMBER = /^0*(\d+)(st|nd|rd|th)?$/;

/** The texts by which a file names a contest. */
export interface ContestText {
  readonly office: string;
  readonly district: string;
}

/**
 * Returns what a contest elects, as far as a row declares it; undefined if none does.
 * @param isOf which rows may be meant.
 */
export function nameContest(
  rows: OfficeRows,
  state: State,
  { office, district }: ContestText,
  isOf: (row: OfficeRow) => boolean = () => true,
): NamedContest | undefined {
  const column = columnOf(district);
  // `COUNTY COMMISSIONER` is an office of the county, or with a number one of a part of it.
  const fits = (row: OfficeRow) => isOf(row) && hasDistricts(row) === (column.code !== '');
  const find = (text: string) => rows.find(state, text, fits) ?? rows.find(state, text, isOf);
  const exact = find(office);
  let text = officeWords(ordinalsInDigits(office));
  const isSpecial = SPECIAL.test(text) || column.isSpecial;
  if (exact) return named(exact.row, exact.values, column, { isSpecial });
  const seats = Number(SEATS.exec(text)?.slice(1).find(Boolean)) || undefined;
  text = [SEATS, SPECIAL, TERMS].reduce(without, text);
  const facts = { isSpecial, ...(seats === undefined ? {} : { seats }) };
  // `NC STATE TREASURER`, `COLORADO GOVERNOR`
  const prefix = [state.postal, state.name].map((each) => `${normalName(each)} `).find((each) => text.startsWith(each));
  const bare = prefix ? text.slice(prefix.length) : text;
  const plain = find(text) ?? find(bare);
  if (plain) return named(plain.row, plain.values, column, facts);
  const words = bare.split(' ');
  const seat = seatAtEnd(words);
  const ofSeat = seat && find(seat.rest.join(' '));
  const more: Facts = { ...facts, position: seat?.position };
  if (ofSeat) return named(ofSeat.row, ofSeat.values, column, more);
  const rest = seat?.rest ?? words;
  for (const [title, code] of [...districtsIn(rest), [rest.join(' '), column.code] as const]) {
    let found = rows.find(state, title, (row) => hasDistricts(row) && isOf(row));
    if (!found && !seat && code !== '') {
      // `REPRESENTATIVE A`, where the chamber has such seats
      const last = title.lastIndexOf(' ');
      found = rows.find(state, title.slice(0, last), (row) => chamberOf(row) !== undefined && isOf(row));
      const chamber = found && chamberOf(found.row);
      more.position = chamber && legislativeDistrict(state, chamber, `${code}${title.slice(last)}`).position;
      if (more.position === undefined) continue;
    }
    if (!found) continue;
    const isSame = column.code === '' || column.code === code;
    // `3RD COURT OF APPEALS` with `PLACE 2` or `2` in the column: the column names a seat of it.
    const position = isSame || found.row.scope !== 'court' ? column.position : seatNamed(column.code);
    const contest = named(found.row, found.values, { code, district: code, written: code, position, isSpecial }, more);
    if (isSame || found.row.scope === 'court') return contest;
    return { ...contest, contradiction: `the text has the district ${code}, and the column ${column.district}` };
  }
  return namedDistrict(words, state, (title) => find(title), facts);
}

/** Returns a contest whose text ends with the name of a district: `STATE REPRESENTATIVE, THIRD BRISTOL DISTRICT`. */
function namedDistrict(
  words: readonly string[],
  state: State,
  find: (title: string) => FoundRow | undefined,
  facts: Facts,
): NamedContest | undefined {
  for (let length = words.length - 1; length > 0; length -= 1) {
    const found = find(words.slice(0, length).join(' '));
    const chamber = found && chamberOf(found.row);
    const district = words.slice(length).join(' ');
    if (chamber && legislativeDistrict(state, chamber, district).isListed)
      return named(found.row, found.values, { code: district, district, written: district, isSpecial: false }, facts);
  }
  return undefined;
}

/** Returns the chamber of a legislature to which a row elects. */
function chamberOf({ scope }: OfficeRow): Chamber | undefined {
  return scope === 'upper' ? 'Upper' : scope === 'lower' ? 'Lower' : undefined;
}

/** What the contests of an import elect. A file repeats their texts: each is looked up once. */
export class ContestNames {
  readonly #rows: OfficeRows;
  readonly #known = new Map<string, NamedContest | undefined>();

  constructor(rows: OfficeRows) {
    this.#rows = rows;
  }

  /** Names a contest by its text or, with the county of its rows, by the text without the name of the county. */
  of(state: State, contest: ContestText, county?: County): NamedContest | undefined {
    const key = `${state.postal}\n${contest.office}\n${contest.district}`;
    const found = this.#once(key, () => nameContest(this.#rows, state, contest));
    if (found || !county) return found;
    return this.#once(`${key}\n${county.name}`, () => this.#withoutCounty(state, contest, county));
  }

  #once(key: string, find: () => NamedContest | undefined): NamedContest | undefined {
    if (!this.#known.has(key)) this.#known.set(key, find());
    return this.#known.get(key);
  }

  #withoutCounty(state: State, { office, district }: ContestText, county: County): NamedContest | undefined {
    const text = ` ${normalName(office)} `;
    const bare = text.replace(` ${normalName(plainCountyName(county))} `, ' ');
    if (bare === text) return undefined;
    const isOf = ({ scope }: OfficeRow) => scope === 'county' || scope === 'county part';
    return (
      nameContest(this.#rows, state, { office: bare, district }, isOf) ??
      nameContest(this.#rows, state, { office: bare.replace(' county ', ' '), district }, isOf)
    );
  }
}

interface Column {
  readonly code: string;
  readonly district: string;
  readonly written: string;
  readonly position?: string | undefined;
  readonly isSpecial: boolean;
  readonly seats?: number | undefined;
}

interface Facts {
  readonly isSpecial: boolean;
  readonly seats?: number;
  position?: string | undefined;
}

function named(row: OfficeRow, values: Placeholders, column: Column, facts: Facts): NamedContest {
  const position = row.position ?? facts.position ?? (values.seat ? seatNamed(values.seat) : column.position);
  // `REPRESENTATIVE TO THE 114TH CONGRESS` with the number of the district in the column
  const isInText = values.n !== undefined && (column.code === '' || row.scope === 'court');
  return {
    row,
    values,
    code: isInText ? columnOf(values.n ?? '').code : column.code,
    district: isInText ? (values.n ?? '') : column.district,
    written: isInText ? (values.n ?? '') : column.written,
    ...(column.seats === undefined ? {} : { seats: column.seats }),
    ...facts,
    ...(position ? { position } : {}),
  };
}

/** Returns the code of a column of the district, and what else it has: `DISTRICT 4`, `SD 4`, `4TH CIRCUIT, 1ST DIVISION`. */
function columnOf(written: string): Column {
  // `BE 02 (4)`: the district elects four members.
  const [, district = written, members] = /^(.*\S) ?\((\d{1,2})\)$/.exec(written.trim()) ?? [];
  const seats = Number(members) || undefined;
  const all = normalName(ordinalsInDigits(`${withoutFraction(district)} DISTRICT`)).split(' ');
  const plain = withoutOrdinals(all.slice(0, -1)).join(' ');
  const isSpecial = SPECIAL.test(plain);
  const words = [SPECIAL, SEATS].reduce(without, plain).split(' ');
  if (words.length > 1 && words[0] === 'statewide') words.shift();
  const seat = seatAtEnd(['district', ...words]);
  const code = codeIn(seat ? seat.rest.slice(1) : words);
  if (NO_DISTRICT.has(words.join(' ')) || NO_DISTRICT.has(code))
    return { code: '', district: '', written: '', position: seat?.position, isSpecial, seats };
  const shown = seat || CODE.test(code) ? code : district.trim();
  return { code, district: shown, written: district, position: seat?.position, isSpecial, seats };
}

/** Returns the words of a column with `4th circuit` as 4, and `1st division` as division 1. */
function withoutOrdinals(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  if (words.length === 0) return [];
  const [, number, ending] = NUMBER.exec(first) ?? [];
  const kind = rest[0] ?? '';
  if (!number || !ending) return [first, ...withoutOrdinals(rest)];
  if (kind in SEAT_WORDS) return [kind, number, ...withoutOrdinals(rest.slice(1))];
  const area = rest.findIndex((word) => !DISTRICT_KINDS.has(word));
  if (AREAS.has(rest[area] ?? '')) return [number, ...withoutOrdinals(rest.slice(area + 1))];
  return [rest.length === 0 ? number : first, ...withoutOrdinals(rest)];
}

/** Returns the code in the words of a column without the words for what it is: `house district 4`, `hd4`. */
function codeIn(words: readonly string[]): string {
  const kind = words.findLastIndex((word, index) => DISTRICT_WORDS.has(word) && index < words.length - 1);
  const text = words.slice(kind + 1).join(' ');
  const chamber = CHAMBER_CODES.find((each) => {
    const rest = text.slice(each.length);
    return text.startsWith(each) && (rest.startsWith(' ') ? CODE : NUMBER).test(rest.trim());
  });
  const code = chamber ? text.slice(chamber.length).trim() : text;
  return CODE.exec(code)?.[1] ?? NUMBER.exec(code)?.[1] ?? code;
}

/** Takes a code and the word before it off the end: `… POSITION 3`, `… DISTRICT NO 3`. */
function codeAtEnd(
  words: readonly string[],
  isKind: (word: string) => boolean,
): { readonly rest: readonly string[]; readonly kind: string; readonly code: string } | undefined {
  const [, code] = CODE.exec(words.at(-1) ?? '') ?? [];
  const kind = ['no', 'number'].includes(words.at(-2) ?? '') && isKind(words.at(-3) ?? '') ? -3 : -2;
  const [word = '', rest] = [words.at(kind), words.slice(0, kind)];
  return code && isKind(word) && rest.length > 0 ? { rest, kind: word, code } : undefined;
}

function seatAtEnd(
  words: readonly string[],
): { readonly rest: readonly string[]; readonly position: string } | undefined {
  const found = codeAtEnd(words, (word) => word in SEAT_WORDS);
  return found && { rest: found.rest, position: `${SEAT_WORDS[found.kind]} ${found.code.toUpperCase()}` };
}

/** Yields the ways to take a district off a text: its title, and the code. */
function* districtsIn(words: readonly string[]): Generator<readonly [title: string, code: string]> {
  const marked = codeAtEnd(words, (word) => DISTRICT_WORDS.has(word));
  if (marked) yield* titlesOf(marked.rest, marked.code);
  // `JUDGE, 3RD JUDICIAL DISTRICT`, `SENATOR 3`
  const before = words.slice(0, AREAS.has(words.at(-1) ?? '') ? -1 : words.length);
  for (const rest of new Set([before, before.slice(0, DISTRICT_KINDS.has(before.at(-1) ?? '') ? -1 : before.length)])) {
    const [, number] = NUMBER.exec(rest.at(-1) ?? '') ?? [];
    if (number && rest.length > 1) yield* titlesOf(rest.slice(0, -1), number);
  }
  // `DISTRICT 3 JUDGE`, `LEGISLATIVE DISTRICT 3 SENATOR`, `3RD CIRCUIT JUDGE`, `3RD JUDICIAL DISTRICT ATTORNEY`
  const kinds = words.findIndex((word) => !DISTRICT_KINDS.has(word) && !DISTRICT_WORDS.has(word));
  const isArea = words.slice(0, kinds).some((word) => DISTRICT_WORDS.has(word));
  const [first = '', ...others] = isArea ? words.slice(kinds) : words;
  const [, number] = NUMBER.exec(first) ?? CODE.exec(isArea ? first : '') ?? [];
  if (!number || others.length === 0) return;
  const area = DISTRICT_KINDS.has(others[0] ?? '') ? 1 : 0;
  const title = AREAS.has(others[area] ?? '') ? others.slice(area + 1) : others;
  if (title.length > 0) yield [title.join(' '), number];
}

/** Yields a title, and the one without a last word for what the district is of: `JUDGE, JUDICIAL`. */
function* titlesOf(words: readonly string[], code: string): Generator<readonly [title: string, code: string]> {
  yield [words.join(' '), code];
  if (words.length > 1 && DISTRICT_KINDS.has(words.at(-1) ?? '')) yield [words.slice(0, -1).join(' '), code];
}

function hasDistricts({ scope }: OfficeRow): boolean {
  return ['congress', 'upper', 'lower', 'state part', 'county part', 'court', 'district'].includes(scope);
}

function seatNamed(text: string): string {
  const plain = normalName(text);
  const [, code] = CODE.exec(plain) ?? [];
  return code ? `Position ${code.toUpperCase()}` : plain.charAt(0).toUpperCase() + plain.slice(1);
}
