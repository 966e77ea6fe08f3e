import { z } from 'zod';
import { isCalendarDate } from '../../base/dates.ts';
import { ServiceError } from '../../base/errors.ts';
import { stateByPostal } from '../../base/words/states.ts';
import { DECIMAL_DEGREES } from '../../graph/builder/scalars.ts';

/** A value that people copy: blanks around it have no meaning. */
const copied = z.string().trim();
const MOST_VALUES = 32;
const LAST_PAGE = 1_000_000;

function degrees(bound: number, example: number) {
  const problem = `must be a decimal number of degrees from -${bound} to ${bound}, for example ${example}`;
  return copied
    .regex(DECIMAL_DEGREES, problem)
    .transform(Number)
    .pipe(z.number().min(-bound, problem).max(bound, problem));
}

export const lat = degrees(90, 44.2601).meta({
  title: 'latitude',
  description: 'Degrees north of the equator (WGS 84), as a plain decimal.',
  example: 44.2601,
});

export const long = degrees(180, -72.5754).meta({
  title: 'longitude',
  description: 'Degrees east of Greenwich (WGS 84), as a plain decimal: negative in the Americas.',
  example: -72.5754,
});

/** A calendar day. PostgreSQL would also accept `today`, `infinity` and `20240203`. */
export function day(about: { readonly title: string; readonly description: string; readonly example: string }) {
  return copied
    .refine(isCalendarDate, `must be an existing day as YYYY-MM-DD, for example ${about.example}`)
    .meta({ format: 'date', ...about });
}

/** A comma-separated list of values of a closed set, case-insensitive and without duplicates. */
export function listOf<const Value extends string>(
  values: readonly [Value, ...Value[]],
  about: { readonly description: string; readonly example?: Value },
) {
  const known = new Map(values.map((value) => [value.toLowerCase(), value]));
  return z
    .string()
    .transform((text, { addIssue }) => {
      const items = text.split(',').map((item) => known.get(item.trim().toLowerCase()));
      const found = items.filter((item) => item !== undefined);
      if (items.length > MOST_VALUES) {
        addIssue(`takes at most ${MOST_VALUES} values`);
      } else if (found.length < items.length) {
        addIssue(`takes one or more of these, separated by commas: ${values.join(', ')}`);
      }
      return [...new Set(found)];
    })
    .pipe(z.array(z.enum(values)).min(1).max(MOST_VALUES))
    .meta(about);
}

export const electionDate = day({
  title: 'election date',
  description: 'The day of the election, past or coming.',
  example: '2022-11-08',
});

/** The first day of the election dates (specification, Limits: earliest data 2018). */
export const FIRST_DAY = '2018-01-01';

/** Two letters, case-insensitive. */
export const state = copied
  .regex(/^[A-Za-z]{2}$/, 'must be the two-letter abbreviation of a state, for example VT')
  .transform((text) => text.toUpperCase())
  .pipe(z.string().length(2))
  .meta({ title: 'state', description: 'Two-letter abbreviation of the state, in any letter case.', example: 'VT' });

/** Returns whether a code is that of one of the 50 states, DC, a territory or US (contract, Parameters). */
export function isState(code: string): boolean {
  return code === 'US' || stateByPostal(code) !== undefined;
}

/**
 * Checks the state of a request that finds nothing on any page. Data of other areas, which an operator may have loaded,
 * is found without this check.
 * @throws ServiceError INVALID_PARAMETER if it is not a state.
 */
export function checkState(code: string | undefined): void {
  if (code === undefined || isState(code)) return;
  const reason = 'must be one of the 50 states, DC, a territory, or US, for example VT';
  throw new ServiceError('INVALID_PARAMETER', `state ${reason}.`, [{ name: 'state', reason }]);
}

export const year = wholeNumber(/^\d{4}$/, 1, 9999, 'must be a year of four digits, for example 2022').meta({
  title: 'year',
  description: 'Only elections of this calendar year.',
  example: 2022,
});

export const page = wholeNumber(/^\d{1,7}$/, 1, LAST_PAGE, `must be a whole number from 1 to ${LAST_PAGE}`).meta({
  title: 'page',
  description: 'Number of the page to return, from 1; the first one if omitted.',
  example: 1,
});

const LONGEST_TEXT = 200;

/** A text without the characters that the database cannot store. */
export const text = z
  .string()
  .max(LONGEST_TEXT, `must have at most ${LONGEST_TEXT} characters`)
  .refine((value) => !value.includes('\0') && value.isWellFormed(), 'must be Unicode without the character NUL')
  .meta({
    title: 'text',
    description: `A street address, a ZIP code or the name of a place, at most ${LONGEST_TEXT} characters.`,
    example: 'Washington County, VT',
  });

export const first = wholeNumber(/^\d{1,2}$/, 1, 20, 'must be a whole number from 1 to 20').meta({
  title: 'first',
  description: 'The maximum number of matches; 5 if omitted.',
  example: 5,
});

export const pageSize = wholeNumber(/^\d{1,3}$/, 1, 100, 'must be a whole number from 1 to 100').meta({
  title: 'first',
  description: 'The maximum number of changes; 25 if omitted.',
  example: 100,
});

/** The maximum number of seconds for which a response waits for changes. */
export const LONGEST_WAIT_S = 25;

export const wait = wholeNumber(
  /^\d{1,2}$/,
  0,
  LONGEST_WAIT_S,
  `must be a whole number of seconds from 0 to ${LONGEST_WAIT_S}`,
).meta({
  title: 'wait',
  description: `Seconds to wait for a change if there is none yet, at most ${LONGEST_WAIT_S}; 0 if omitted.`,
  example: LONGEST_WAIT_S,
});

function wholeNumber(format: RegExp, smallest: number, largest: number, problem: string) {
  return copied.regex(format, problem).transform(Number).pipe(z.int().min(smallest, problem).max(largest, problem));
}
