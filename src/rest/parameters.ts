import { z } from 'zod';
import { isCalendarDate } from '../calendar.ts';
import { type ParameterFault, ServiceError } from '../errors.ts';
import { namedWrongly } from './misspellings.ts';

/** A query as the server parses it: a repeated parameter is a list. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** No exponent, no sign but minus, no other digits than these: what a map or a geocoder gives (contract, Parameters). */
const DECIMAL = /^-?\d{1,3}(\.\d{1,15})?$/;
const MOST_VALUES = 32;

function degrees(bound: number, example: number) {
  const problem = `must be a decimal number of degrees from -${bound} to ${bound}, for example ${example}`;
  return z.string().regex(DECIMAL, problem).transform(Number).pipe(z.number().min(-bound, problem).max(bound, problem));
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

/** An existing day. PostgreSQL would take `today`, `infinity` and `20240203` too. */
export function day(about: { readonly title: string; readonly description: string; readonly example: string }) {
  return z
    .string()
    .refine(isCalendarDate, `must be an existing day as YYYY-MM-DD, for example ${about.example}`)
    .meta({ format: 'date', ...about });
}

/** A comma-separated list of values of a closed set, in any letter case; a value given twice counts once. */
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

/**
 * Reads the parameters of a schema out of a query, and nothing else: a parameter that the schema does not know is
 * ignored, an empty value counts as missing (contract, Parameters).
 * @throws ServiceError INVALID_PARAMETER that names every parameter that is missing, repeated or wrong, and repeats
 * nothing of what was sent.
 */
export function readParameters<Schema extends z.ZodObject>(schema: Schema, query: Query): z.output<Schema> {
  const names = Object.keys(schema.shape);
  const repeated = names.filter((name) => isRepeated(query, name));
  const given = Object.fromEntries(
    names.filter((name) => !repeated.includes(name) && isGiven(query[name])).map((name) => [name, query[name]]),
  );
  const missing = requiredOf(schema).filter((name) => !(name in given) && !repeated.includes(name));
  const parsed = schema.safeParse(given);
  if (parsed.success && repeated.length === 0) return parsed.data;

  const faults = new Map<string, ParameterFault>();
  for (const name of missing) {
    const hint = namedWrongly(name, Object.keys(query));
    faults.set(name, { name, reason: `must be supplied${hint ? `; ${hint}` : ''}` });
  }
  for (const name of repeated) faults.set(name, { name, reason: 'must be given once' });
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    if (!faults.has(name)) faults.set(name, { name, reason: issue.message });
  }
  throw new ServiceError('INVALID_PARAMETER', messageOf(schema, missing, faults), [...faults.values()]);
}

/** The names of the parameters that must be given, in order. */
export function requiredOf(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape)
    .filter(([, parameter]) => !(parameter instanceof z.ZodOptional))
    .map(([name]) => name);
}

function isGiven(value: Query[string]): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** Twice, or in the form of PHP and others: `lat[]=1`. */
function isRepeated(query: Query, name: string): boolean {
  return Array.isArray(query[name]) || Object.keys(query).some((key) => key.startsWith(`${name}[`));
}

function messageOf(
  schema: z.ZodObject,
  missing: readonly string[],
  faults: ReadonlyMap<string, ParameterFault>,
): string {
  const wrong = [...faults.values()].filter(({ name }) => !missing.includes(name));
  const required = requiredOf(schema).map((name) => titleOf(schema, name));
  return [
    ...(missing.length > 0 ? [`${capitalised(listed(required))} must be supplied`] : []),
    ...missing.flatMap((name) => faults.get(name)?.reason.split('; ').slice(1) ?? []).map(capitalised),
    ...wrong.map(({ name, reason }) => `${name} ${reason}`),
  ]
    .map((sentence) => `${sentence}.`)
    .join(' ');
}

function titleOf(schema: z.ZodObject, name: string): string {
  return (schema.shape[name] as z.ZodType | undefined)?.meta()?.title ?? name;
}

/** `a, b and c` */
function listed(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(words);
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
