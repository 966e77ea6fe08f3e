import { z } from 'zod';
import { isCalendarDate, isTimeZone } from '../../base/dates.ts';
import { printable } from '../../base/progress.ts';
import { isBrokenName, NAME_COLUMNS } from './broken-names.ts';
import type { Column, DatasetTable } from './format.ts';
import { isImageAddress, isSafeContact, isWebAddress, LONGEST_IMAGE_ADDRESS } from './web-address.ts';

/** A cell as it is sent to the database: integers as numbers, a list of ids as a PostgreSQL array literal. */
export type Value = string | number | boolean | null;

/** An invalid cell value, with a description of what is valid. */
export class BadCell {
  readonly column: string;
  readonly reason: string;

  constructor(column: string, reason: string) {
    this.column = column;
    this.reason = reason;
  }
}

const LARGEST_INTEGER = 2_147_483_647;
/** The largest number of votes: sums of thousands of them are exact in JSON. */
const LARGEST_COUNT = 999_999_999_999;
const LARGEST_ORDINAL = 32_767;
/** A rule counts the days of a year at most. */
const MOST_DAYS = 366;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const ID = /^[1-9]\d{0,9}$/;
const WHOLE = /^(0|[1-9]\d{0,11})$/;
/** Counting rules use at most six decimals. */
const TRANSFER = /^-?(0|[1-9]\d{0,11})(\.\d{1,6})?$/;
/** The decimal digits that a number of JavaScript always holds exactly. */
const EXACT_DIGITS = 15;
/** The bytes of an indexed name or identifier: the entry of an index holds 2,704. */
const LONGEST_NAME = 2_500;
const QUOTED_LENGTH = 40;
/**
 * Characters that are no part of a name: they command a terminal, turn the text beside them around, or make two names that look the same
 * differ. A NUL is an error of its own; line breaks and tabs are blanks.
 */
const INVISIBLE = /(?![\0\t\n\r])[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;

/** Text, which is read without the blanks around it: those are no part of a name. */
const TEXT = new Set<Column['type']>(['text', 'url', 'image', 'choice', 'state']);

/** Returns the value of a cell, or what is wrong with it. An empty cell is null. */
export function readCell(column: Column, written: string): Value | BadCell {
  if (written === '') return column.required ? new BadCell(column.name, 'is missing') : null;
  const cell = TEXT.has(column.type) ? written.trim() : written;
  if (cell.includes('\0')) return new BadCell(column.name, 'contains a NUL character');
  if (NAME_COLUMNS.has(column.name) && isBrokenName(cell))
    return new BadCell(
      column.name,
      `${quote(cell)} contains the text of a failed conversion, such as NaN or undefined`,
    );
  const { longest = LONGEST_NAME } = column;
  if (NAME_COLUMNS.has(column.name) && Buffer.byteLength(cell) > longest)
    return new BadCell(column.name, `${quote(cell)} is longer than ${longest} bytes`);
  if (visibleName(column, cell) !== cell)
    return new BadCell(column.name, `${shown(cell)} contains an invisible or control character`);
  const read = readers[column.type](cell, column);
  return read === undefined ? new BadCell(column.name, `${quote(written)} ${expected(column)}`) : read;
}

/** Returns the cell of a name without invisible and control characters; other cells as they are. */
export function visibleName(column: Column, cell: string): string {
  return NAME_COLUMNS.has(column.name) ? visibleText(cell) : cell;
}

/** Returns a text without invisible and control characters. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, '');
}

const readers: Record<Column['type'], (cell: string, column: Column) => Value | undefined> = {
  id: (cell) => (ID.test(cell) ? upTo(LARGEST_INTEGER, cell) : undefined),
  ids: (cell) => {
    const ids = cell.split(';').map((id) => id.trim());
    const good = ids.every((id) => ID.test(id) && Number(id) <= LARGEST_INTEGER) && new Set(ids).size === ids.length;
    return good ? `{${ids.join(',')}}` : undefined;
  },
  count: (cell) => (WHOLE.test(cell) ? upTo(LARGEST_COUNT, cell) : undefined),
  transfer: (cell) => (TRANSFER.test(cell) && digitsOf(cell) <= EXACT_DIGITS ? Number(cell) : undefined),
  ordinal: (cell) => (ID.test(cell) ? upTo(LARGEST_ORDINAL, cell) : undefined),
  year: (cell) => (/^[1-9]\d{3}$/.test(cell) ? Number(cell) : undefined),
  boolean: (cell) => (cell === 'true' ? true : cell === 'false' ? false : undefined),
  date: (cell) => (isCalendarDate(cell) ? cell : undefined),
  state: (cell) => (/^[A-Z]{2}$/.test(cell) ? cell : undefined),
  county: (cell) => (/^\d{3}$/.test(cell) ? cell : undefined),
  zip: (cell) => (/^\d{5}$/.test(cell) ? cell : undefined),
  longitude: (cell) => degrees(180, cell),
  latitude: (cell) => degrees(90, cell),
  text: (cell) => (cell === '' ? undefined : cell),
  url: (cell) => (isWebAddress(cell) ? cell : undefined),
  image: (cell) => (isImageAddress(cell) ? cell : undefined),
  days: (cell) => (WHOLE.test(cell) ? upTo(MOST_DAYS, cell) : undefined),
  time: (cell) => (TIME.test(cell) ? cell : undefined),
  // A region: abbreviations as EST have no daylight saving time.
  zone: (cell) => (cell.includes('/') && isTimeZone(cell) ? cell : undefined),
  language: (cell) => (isLanguage(cell) ? cell : undefined),
  intervals: (cell) => {
    const all = cell.split(';').map((each) => each.trim());
    return all.every(isInterval) ? `{${all.join(',')}}` : undefined;
  },
  translations: (cell) => (isTranslations(cell) ? cell : undefined),
  choice: (cell, column) => (column.choices?.includes(cell) ? cell : undefined),
};

/** Returns whether a text is two local times, of which the first is the earlier one: `2018-11-06T07:00/2018-11-06T19:00`. */
function isInterval(text: string): boolean {
  const ends = text.split('/');
  const areTimes = ends.every((end) => isCalendarDate(end.slice(0, 10)) && end[10] === 'T' && TIME.test(end.slice(11)));
  return ends.length === 2 && areTimes && String(ends[0]) < String(ends[1]);
}

function isLanguage(text: string): boolean {
  return isAccepted(() => Intl.getCanonicalLocales(text)) && Intl.getCanonicalLocales(text)[0] === text;
}

function isTranslations(text: string): boolean {
  return isAccepted(() =>
    z
      .record(
        z.string().refine(isLanguage),
        z.strictObject({ label: z.string().min(1).optional(), phrase: z.string().min(1) }),
      )
      .parse(JSON.parse(text)),
  );
}

function isAccepted(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function upTo(largest: number, digits: string): number | undefined {
  const number = Number(digits);
  return number <= largest ? number : undefined;
}

function degrees(most: number, cell: string): number | undefined {
  return /^-?\d{1,3}(\.\d{1,9})?$/.test(cell) && Math.abs(Number(cell)) <= most ? Number(cell) : undefined;
}

const digitsOf = (cell: string) => cell.replaceAll(/\D/g, '').length;

function expected(column: Column): string {
  switch (column.type) {
    case 'id':
      return `is not a whole number from 1 to ${LARGEST_INTEGER}`;
    case 'ids':
      return `is not a list of different whole numbers from 1 to ${LARGEST_INTEGER}, separated by ;`;
    case 'count':
      return `is not a whole number from 0 to ${LARGEST_COUNT}`;
    case 'transfer':
      return `is not a number of votes from -${LARGEST_COUNT} to ${LARGEST_COUNT} with at most six decimals and 15 digits in all`;
    case 'ordinal':
      return `is not a whole number from 1 to ${LARGEST_ORDINAL}`;
    case 'year':
      return 'is not a year of four digits';
    case 'boolean':
      return 'is neither true nor false';
    case 'date':
      return 'is not an existing day, YYYY-MM-DD';
    case 'state':
      return 'is not a state of two capital letters';
    case 'county':
      return 'is not the FIPS code of a county within its state, of three digits';
    case 'zip':
      return 'is not a ZIP code of five digits';
    case 'longitude':
      return 'is not a number of degrees from -180 to 180';
    case 'latitude':
      return 'is not a number of degrees from -90 to 90';
    case 'text':
      return 'is blank';
    case 'url':
      return 'is not an address that begins with http:// or https://, and names no user';
    case 'image':
      return `is not an address that begins with https://, names no user, and has at most ${LONGEST_IMAGE_ADDRESS} characters`;
    case 'days':
      return `is not a whole number from 0 to ${MOST_DAYS}`;
    case 'time':
      return 'is not a time from 00:00 to 23:59';
    case 'zone':
      return 'is not a time zone such as America/New_York';
    case 'language':
      return 'is not a language tag such as es or zh-Hans';
    case 'intervals':
      return 'is not a list of local times such as 2018-11-06T07:00/2018-11-06T19:00, separated by ;';
    case 'translations':
      return 'is not a JSON object such as {"es": {"label": "…", "phrase": "…"}}';
    case 'choice':
      return `is not one of: ${column.choices?.join(', ')}`;
  }
}

/** Returns the invalid cells of a row in the order of the table's columns, checked individually and together. */
export function errorsOfRow(table: DatasetTable, cells: readonly (Value | BadCell)[]): BadCell[] {
  const bad = cells.filter((cell) => cell instanceof BadCell);
  const together = bad.length === 0 ? checkTogether(table, cells as readonly Value[]) : undefined;
  return together ? [together] : bad;
}

function checkTogether(table: DatasetTable, values: readonly Value[]): BadCell | undefined {
  const value = (column: string) => values[table.columns.findIndex(({ name }) => name === column)] ?? null;
  if (table.name === 'contacts') {
    if ((value('officeholder_id') === null) === (value('person_id') === null)) {
      return new BadCell('officeholder_id', 'exactly one of officeholder_id and person_id is needed');
    }
    const contact = String(value('contact'));
    const isLink = value('collection') === 'social' || value('contact_type') === 'Website';
    if (!isSafeContact(contact, isLink)) {
      const right = isLink ? 'http, https or mailto' : 'http, https, mailto or tel';
      return new BadCell(
        'contact',
        `${quote(contact)} is an address with another scheme than ${right}, or with a user`,
      );
    }
  }
  if (table.name === 'boundaries' || table.name === 'officeholders') {
    const [start, end] = [value('start_date'), value('end_date')];
    if (start !== null && end !== null && end < start) {
      return new BadCell('end_date', `${end} is before the start, ${start}`);
    }
  }
  return undefined;
}

/** Returns text from a file with its invisible characters as codes, such as `\\u202e`. */
export function shown(cell: string): string {
  return printable(quote(cell));
}

/** Returns text from a file as a message shows it: shortened, with control characters escaped. */
export function quote(cell: string): string {
  return JSON.stringify(cell.length > QUOTED_LENGTH ? `${cell.slice(0, QUOTED_LENGTH)}…` : cell);
}
