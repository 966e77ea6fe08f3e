import { z } from 'zod';
import { isCalendarDate } from '../../base/dates.ts';
import { DISTRICT_TYPES } from '../../graph/districts/district-type.ts';
import { namesMeant } from '../names/similar-names.ts';

/** Returns the input of a tool. An error about an unknown name says what may be meant by it, or which names there are. */
export function toolInput<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  const textOf = (unknown: string) => {
    const meant = namesMeant(unknown, names).map((name) => `"${name}"`);
    if (meant.length === 0 && names.includes('latitude') && namesMeant(unknown, ['text']).length > 0)
      return `Unknown input "${unknown}". Ask find_place for the point of an address, a town or a ZIP code.`;
    return `Unknown input "${unknown}". ${meant.length > 0 ? `Did you mean ${listed('disjunction', meant)}?` : `The inputs are ${listed('conjunction', names)}.`}`;
  };
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? issue.keys.map(textOf).join(' ') : undefined),
  });
}

const listed = (type: 'conjunction' | 'disjunction', names: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type }).format(names);

/** A calendar day as `YYYY-MM-DD`. */
export const day = z.string().refine(isCalendarDate, 'a calendar day as YYYY-MM-DD, for example 2024-11-05');

export const latitude = z.number().min(-90).max(90).describe('Degrees north of the equator (WGS 84).');
export const longitude = z
  .number()
  .min(-180)
  .max(180)
  .describe('Degrees east of Greenwich (WGS 84): negative in the Americas.');

export const state = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'two letters, for example VT')
  .describe('Two-letter abbreviation of the state.');

const TYPES = DISTRICT_TYPES.map(([name]) => name);

export const districtTypes = z
  .array(z.enum(TYPES))
  .optional()
  .describe('Only districts of these types; all if missing.');

/** The status of an election in a result. */
export const electionStatus = z
  .string()
  .optional()
  .describe(
    'SCHEDULED, POSTPONED, CANCELLED or CERTIFIED; missing if no source says so. POSTPONED and CANCELLED: not held.',
  );

/** Returns whether an election is held on its day, as far as it is known. */
export function isHeld(status: string | null): boolean {
  return status !== 'POSTPONED' && status !== 'CANCELLED';
}

/** The name of a race in a result. */
export const RACE_NAME =
  'The race: its office, with what tells it from other races for the office, such as the party of a primary.';

/** The status of an officeholder in a result. */
export const holderStatus = z
  .string()
  .describe(
    'As of today: Current, Former, Upcoming, or the word of the source for a person in office, such as Acting.',
  );
