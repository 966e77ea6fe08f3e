import { GraphQLScalarType } from 'graphql';
import type { ResponseLimits } from '../config/limits.ts';
import { responseTooLarge } from './response-size.ts';

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
 * Serialises a value as `JSON.stringify` does, and copies the text of each `RawJson` as it is.
 * @param slack bytes that the text may have in addition to the limit.
 * @throws ServiceError RESPONSE_TOO_LARGE where the text has more bytes than `limits` allow, in most cases before it is built.
 */
export function stringifyJson(value: unknown, limits?: Pick<ResponseLimits, 'bytes'>, slack = 0): string {
  const most = limits ? limits.bytes + slack : Number.POSITIVE_INFINITY;
  const estimate = { left: most, hasRawJson: false };
  estimateLength(value, estimate);
  if (limits && estimate.left < 0) throw responseTooLarge(limits);
  const text = estimate.hasRawJson ? stringifyWithRawJson(value) : JSON.stringify(value);
  // A code unit of UTF-16 has three bytes at most.
  if (limits && text.length * 3 > most && Buffer.byteLength(text) > most) throw responseTooLarge(limits);
  return text;
}

interface Estimate {
  /** The code units that the text may have in addition to the least that what was seen so far takes. */
  left: number;
  hasRawJson: boolean;
}

function estimateLength(value: unknown, estimate: Estimate): void {
  if (estimate.left < 0) return;
  if (typeof value === 'string') estimate.left -= value.length + 2;
  else if (typeof value !== 'object' || value === null) estimate.left -= 1;
  else if (value instanceof RawJson) {
    estimate.hasRawJson = true;
    estimate.left -= value.length;
  } else if (Array.isArray(value)) {
    estimate.left -= value.length + 1;
    for (const item of value) estimateLength(item, estimate);
  } else if (!('toJSON' in value)) {
    for (const name in value) {
      const member = (value as Record<string, unknown>)[name];
      if (member === undefined || typeof member === 'function') continue;
      estimate.left -= name.length + 3;
      estimateLength(member, estimate);
    }
  }
}

/** Slower than `JSON.stringify`, for which a `RawJson` would have to be parsed. */
function stringifyWithRawJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(stringifyWithRawJson).join(',')}]`;
  let text = '';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function') continue;
    text += `${text && ','}${JSON.stringify(name)}:${stringifyWithRawJson(member)}`;
  }
  return `{${text}}`;
}
