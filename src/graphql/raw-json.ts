import { GraphQLScalarType } from 'graphql';
import { type ResponseLimits, responseTooLarge } from './response-size.ts';

/** A part of a result that PostgreSQL has already serialised as JSON. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get isEmptyList(): boolean {
    return this.text === '[]';
  }

  /** In UTF-16 code units: never more than the number of bytes. */
  get length(): number {
    return this.text.length;
  }

  /** Called by `JSON.stringify`: correct, but slower than `stringifyJson`. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** The type of fields whose value is `RawJson`. It is not part of the public schema. */
export const RawJsonScalar = new GraphQLScalarType({ name: 'RawJson', serialize: (value) => value });

/**
 * Serialises a value as `JSON.stringify` does, and copies the text of each `RawJson` unchanged.
 * @param slack bytes by which the text may exceed the limit.
 * @throws ServiceError RESPONSE_TOO_LARGE before a text is built that has more bytes than `limits` allow.
 */
export function stringifyJson(value: unknown, limits?: Pick<ResponseLimits, 'bytes'>, slack = 0): string {
  if (!limits) return stringifyWithin(value, { left: Number.POSITIVE_INFINITY });
  const most = limits.bytes + slack;
  const budget = { left: most };
  const text = stringifyWithin(value, budget);
  // A UTF-16 code unit has at most three bytes in UTF-8.
  const isLonger = budget.left < 0 || (text.length * 3 > most && Buffer.byteLength(text) > most);
  if (isLonger) throw responseTooLarge(limits);
  return text;
}

/**
 * Serialises a value within a budget.
 * @param budget the remaining number of code units. Once it is negative, the text is incomplete.
 */
function stringifyWithin(value: unknown, budget: { left: number }): string {
  if (budget.left < 0) return '';
  if (typeof value === 'object' && value !== null && !(value instanceof RawJson) && !('toJSON' in value)) {
    return Array.isArray(value) ? stringifyList(value, budget) : stringifyObject(value, budget);
  }
  const text = value instanceof RawJson ? value.text : (JSON.stringify(value) ?? 'null');
  budget.left -= text.length;
  return text;
}

function stringifyList(list: readonly unknown[], budget: { left: number }): string {
  let text = '';
  for (const item of list) text += `${text && ','}${stringifyWithin(item, budget)}`;
  budget.left -= list.length + 1;
  return `[${text}]`;
}

function stringifyObject(object: object, budget: { left: number }): string {
  let text = '';
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined || typeof member === 'function') continue;
    const key = `${text && ','}${JSON.stringify(name)}:`;
    budget.left -= key.length;
    text += `${key}${stringifyWithin(member, budget)}`;
  }
  budget.left -= 2;
  return `{${text}}`;
}
