import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { dictionary } from '../../base/dictionary.ts';
import { normalName } from '../../base/words/normal-name.ts';

/** The columns to which a publisher's own are mapped. */
export const COLUMNS = [
  'state',
  'date',
  'stage',
  'special',
  'office',
  'district',
  'magnitude',
  'county',
  'county_fips',
  'town',
  'town_fips',
  'precinct',
  'candidate',
  'party',
  'write_in',
  'mode',
  'votes',
] as const;

export type Column = (typeof COLUMNS)[number];

const texts = z.array(z.string());
const publisher = z.object({
  name: z.string(),
  source: z.url(),
  columns: z.partialRecord(z.enum(COLUMNS), texts),
  optional: z.array(z.enum(COLUMNS)),
  modes: texts.default([]),
  missing: texts,
  total_mode: z.string(),
});
const common = z.object({
  hidden: texts,
  not_counted: texts,
  totals: texts,
  marks: z.record(z.string(), z.enum(['incumbent', 'withdrew', 'disqualified', 'deceased', 'write-in', 'note'])),
  party_endings: texts,
  titles: texts,
  stated_totals: texts,
  choices: texts,
  no_contests: texts,
  without_votes: texts,
  contests: z.object({
    seats: texts,
    special: texts,
    terms: texts,
    seat_words: z.record(z.string(), z.string()),
    district_words: texts,
    district_kinds: texts,
    chamber_codes: texts,
    words: z.record(z.string(), z.string()),
    no_district: texts,
  }),
});

/** How a publisher writes its tables: the names of its columns, and its marks. */
export type Dialect = z.infer<typeof publisher>;

function read<T extends z.ZodType>(name: string, schema: T): z.infer<T> {
  return schema.parse(parse(readFileSync(new URL(`dialects/${name}.yaml`, import.meta.url), 'utf8')));
}

/** Returns the dialect of a publisher: `dialects/NAME.yaml`. */
export function dialect(name: 'medsl' | 'openelections'): Dialect {
  return read(name, publisher);
}

const COMMON = read('common', common);
const normal = (list: readonly string[]) => new Set(list.map(normalName));
const HIDDEN = new Set(COMMON.hidden);
const NOT_COUNTED = new Set(COMMON.not_counted);
const TOTALS = normal(COMMON.totals);
const STATED_TOTALS = normal(COMMON.stated_totals);
const NO_CONTESTS = COMMON.no_contests.map(normalName);
const CHOICES = normal(COMMON.choices);
const MARKS = dictionary(COMMON.marks);

/** The codes of parties that stand after a name as a word. */
export const PARTY_ENDINGS: ReadonlySet<string> = new Set(COMMON.party_endings);

/** Returns what finds any of the phrases as whole words, the longest one first; `{n}` is a number of up to two digits, `{y}` a year. */
function anyOf(phrases: readonly string[], flags = ''): RegExp {
  const longest = phrases
    .toSorted((a, b) => b.length - a.length)
    .map((each) => each.replaceAll('{n}', '(\\d{1,2})').replace('{y}', '\\d{4}'));
  return new RegExp(`\\b(?:${longest.join('|')})\\b`, flags);
}

/** The words in the text of a contest and in the column of the district. */
export const CONTEST_WORDS = {
  SEATS: anyOf(COMMON.contests.seats),
  SPECIAL: anyOf(COMMON.contests.special),
  TERMS: anyOf(COMMON.contests.terms),
  SEAT_WORDS: dictionary(COMMON.contests.seat_words),
  DISTRICT_WORDS: new Set(COMMON.contests.district_words),
  DISTRICT_KINDS: new Set(COMMON.contests.district_kinds),
  CHAMBER_CODES: COMMON.contests.chamber_codes,
  NO_DISTRICT: new Set(COMMON.contests.no_district),
};

const OFFICE_WORDS = dictionary(COMMON.contests.words);
const WRITTEN_WORDS = anyOf(Object.keys(OFFICE_WORDS), 'g');

/** Returns the text of an office as it is compared: in one spelling of each of its words, without `For` before it. */
export function officeWords(text: string): string {
  const words = normalName(text).replaceAll(WRITTEN_WORDS, (word) => OFFICE_WORDS[word] ?? word);
  return words.startsWith('for ') ? words.slice('for '.length) : words;
}

/** The titles that stand before names, the longest ones first. */
export const TITLES: readonly string[] = COMMON.titles.map(normalName).sort((a, b) => b.length - a.length);

const WITHOUT_VOTES = new Set(COMMON.without_votes);

/** Returns whether a column that is not read has no votes. */
export const hasNoVotes = (column: string): boolean => WITHOUT_VOTES.has(column);

/** Returns whether a text stands for a count that the publisher hides. */
export const isHiddenCount = (text: string): boolean => HIDDEN.has(text.toLowerCase());

/** Returns whether a text stands for no count: if all candidates of a contest have it, the unit does not vote on the contest. */
export const isNoCount = (text: string): boolean => NOT_COUNTED.has(text.toLowerCase());

/** Returns whether the name of a unit says that it adds up others; only the numbers show whether it does. */
export function isTotalName(text: string): boolean {
  const plain = normalName(text);
  return TOTALS.has(plain) || plain.endsWith(' total') || plain.endsWith(' totals');
}

/** Returns the meaning of a mark after a name; undefined for another text. */
export const markOf = (text: string): z.infer<typeof common>['marks'][string] | undefined => MARKS[normalName(text)];

/** Returns whether a text in the column of the candidate stands for the votes of the whole contest. */
export const isStatedTotal = (text: string): boolean => STATED_TOTALS.has(normalName(text));

/** Returns whether a text is a choice on the ballot that is no person: `None of these candidates`, `Uncommitted`. */
export const isNoPerson = (text: string): boolean => CHOICES.has(normalName(text));

/** Returns whether a text in the column of the office is no contest: a count of ballots, or votes for all candidates of a party. */
export function isNoContest(text: string): boolean {
  const plain = normalName(text);
  return NO_CONTESTS.some((each) => plain === each || plain.startsWith(`${each} `));
}
