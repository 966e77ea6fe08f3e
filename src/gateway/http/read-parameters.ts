import { z } from 'zod';
import { dictionary } from '../../base/dictionary.ts';
import { type InvalidParameter, ServiceError } from '../../base/errors.ts';
import { namesMeant, plainName } from '../names/similar-names.ts';

/** A query string as parsed by the server: a parameter that is repeated by name has an array. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Creates the function that reads the parameters of a schema from a query. Parameters that are not in the schema are
 * ignored, and an empty value counts as missing. A list may be divided into several parameters of its name: `a=1&a=2` and
 * `a[]=1&a[]=2` are `a=1,2` (contract, Parameters). What depends on the schema alone is found once: for each request, it takes
 * four times as long as zod.
 * @returns the function; it throws ServiceError INVALID_PARAMETER that names every missing, repeated or invalid parameter
 * without repeating any value that was sent.
 */
export function createParameterReader<Schema extends z.ZodObject>(schema: Schema): (query: Query) => z.output<Schema> {
  const parameters = Object.entries<z.ZodType>(schema.shape);
  const lists = new Set(parameters.filter(([, parameter]) => takesList(parameter)).map(([name]) => name));
  const names = parameters.map(([name]) => name);

  return (query) => {
    // The array syntax of PHP and others: `lat[]=1`.
    const bracketed = Object.keys(query).filter((key) => key.includes('['));
    const repeated = new Map<string, InvalidParameter>();
    const present = dictionary<string>();
    for (const name of names) {
      const given = query[name];
      if (bracketed.length === 0 && typeof given !== 'object') {
        if (given !== undefined && isPresent(given)) present[name] = given;
        continue;
      }
      const isList = lists.has(name);
      // Several clients write a list as `name[]=a&name[]=b`.
      const values = [given ?? [], (isList && query[`${name}[]`]) || []].flat();
      if (bracketed.some((key) => key.startsWith(`${name}[`) && !(isList && key === `${name}[]`)))
        repeated.set(name, { name, reason: withoutBrackets(isList) });
      else if (values.length > 1 && !isList) repeated.set(name, { name, reason: GIVEN_ONCE });
      else if (values.some(isPresent)) present[name] = values.filter(isPresent).join(',');
    }
    const parsed = schema.safeParse(present);
    if (parsed.success && repeated.size === 0) return parsed.data;

    const missing = requiredOf(schema).filter((name) => !(name in present) && !repeated.has(name));
    const invalid = new Map<string, InvalidParameter>();
    for (const name of missing) {
      const hint = namedWrongly(name, Object.keys(query));
      invalid.set(name, { name, reason: `must be supplied${hint ? `; ${hint}` : ''}` });
    }
    for (const [name, problem] of repeated) invalid.set(name, problem);
    for (const issue of parsed.error?.issues ?? []) {
      const name = String(issue.path[0]);
      if (!invalid.has(name)) invalid.set(name, { name, reason: issue.message });
    }
    throw new ServiceError('INVALID_PARAMETER', messageOf(schema, missing, invalid), [...invalid.values()]);
  };
}

/** Returns a hint if a missing parameter was sent under a similar name (contract, Parameters); undefined otherwise. */
function namedWrongly(name: string, sent: readonly string[]): string | undefined {
  const alias = sent.find((other) => other !== name && namesMeant(other, [name]).length > 0);
  const isText = name === 'lat' && sent.some((other) => namesMeant(other, ['text']).length > 0);
  if (alias === undefined) return isText ? '/data/geocode finds the point of an address, town or ZIP code' : undefined;
  const plain = plainName(alias);
  return plain === plainName(name) ? `the name is ${name}, in exactly this form` : `use ${name} instead of ${plain}`;
}

/** Returns the names of the required parameters, in order. */
export function requiredOf(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape)
    .filter(([, parameter]) => !(parameter instanceof z.ZodOptional))
    .map(([name]) => name);
}

const GIVEN_ONCE = 'must be given once: send one request for each value';

function withoutBrackets(isList: boolean): string {
  return `must be given ${isList ? 'without brackets: several values are separated by commas' : 'once, without brackets'}`;
}

/** Returns whether the value of a parameter is a list, separated by commas. */
function takesList(parameter: z.ZodType): boolean {
  if (parameter instanceof z.ZodOptional) return takesList(parameter.unwrap() as z.ZodType);
  return parameter instanceof z.ZodPipe && parameter.out instanceof z.ZodArray;
}

function isPresent(value: string): boolean {
  return value.trim() !== '';
}

function messageOf(
  schema: z.ZodObject,
  missing: readonly string[],
  invalid: ReadonlyMap<string, InvalidParameter>,
): string {
  const others = [...invalid.values()].filter(({ name }) => !missing.includes(name));
  const required = requiredOf(schema).map((name) => titleOf(schema, name));
  return [
    ...(missing.length > 0 ? [`${capitalised(listed(required))} must be supplied`] : []),
    ...missing.flatMap((name) => invalid.get(name)?.reason.split('; ').slice(1) ?? []).map(capitalised),
    ...others.map(({ name, reason }) => `${name} ${reason}`),
  ]
    .map((sentence) => `${sentence}.`)
    .join(' ');
}

function titleOf(schema: z.ZodObject, name: string): string {
  return (schema.shape[name] as z.ZodType | undefined)?.meta()?.title ?? name;
}

/** Joins words as `a, b and c`. */
function listed(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(words);
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
