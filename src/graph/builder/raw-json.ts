import { setImmediate as nextTurn } from 'node:timers/promises';
import { GraphQLScalarType } from 'graphql';
import type { ResponseLimits } from '../../base/config/limits.ts';
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
export function stringifyJson(value: unknown, limits?: ByteLimit, slack = 0): string {
  const text = partsOf(value, limits, slack).join('');
  const most = limits ? limits.bytes + slack : Number.POSITIVE_INFINITY;
  // A code unit of UTF-16 has three bytes at most.
  if (limits && text.length * 3 > most && Buffer.byteLength(text) > most) throw responseTooLarge(limits);
  return text;
}

/**
 * Serialises a value as `stringifyJson` does. Large texts are copied once in UTF-8, over several turns of the event loop:
 * one string of them all takes ten times as long, in one turn.
 * @returns a text, without a promise, if none is large.
 */
export function encodeJson(value: unknown, limits?: ByteLimit): string | Promise<Buffer> {
  const parts = partsOf(value, limits);
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  if (limits && bytes > limits.bytes) throw responseTooLarge(limits);
  return parts.length === 1 ? (parts[0] as string) : encodeParts(parts, bytes);
}

async function encodeParts(parts: readonly string[], bytes: number): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(bytes);
  let [written, writtenBefore] = [0, 0];
  for (const part of parts) {
    written += body.write(part, written);
    if (written - writtenBefore < BYTES_PER_TURN) continue;
    writtenBefore = written;
    await nextTurn();
  }
  return body;
}

type ByteLimit = Pick<ResponseLimits, 'bytes'>;
/** Bytes written in one turn of the event loop: about a millisecond of work. */
const BYTES_PER_TURN = 512 * 1024;
/** The code units from which the text of a `RawJson` is a part of its own. */
const LEAST_PART = 16 * 1024;

/**
 * Returns the parts of the text of a value.
 * @throws ServiceError RESPONSE_TOO_LARGE where the text certainly has more bytes than allowed.
 */
function partsOf(value: unknown, limits: ByteLimit | undefined, slack = 0): readonly string[] {
  const estimate = { left: limits ? limits.bytes + slack : Number.POSITIVE_INFINITY, hasRawJson: false };
  estimateLength(value, estimate);
  if (limits && estimate.left < 0) throw responseTooLarge(limits);
  if (!estimate.hasRawJson) return [JSON.stringify(value)];
  const parts: string[] = [];
  const last = addParts(value, '', parts);
  return parts.length === 0 ? [last] : [...parts, last];
}

/** Returns whether a value serialises itself, as a date does. A response name `toJSON` is no such method. */
function isSerialisable(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function';
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
  } else if (!isSerialisable(value)) {
    for (const name in value) {
      const member = (value as Record<string, unknown>)[name];
      if (member === undefined || typeof member === 'function') continue;
      estimate.left -= name.length + 3;
      estimateLength(member, estimate);
    }
  }
}

/**
 * Adds the text of a value to the parts, and returns what follows the last of them. Slower than `JSON.stringify`, for
 * which a `RawJson` would have to be parsed.
 * @param before the text that precedes the value.
 */
function addParts(value: unknown, before: string, parts: string[]): string {
  if (value instanceof RawJson) {
    if (value.length < LEAST_PART) return before + value.text;
    parts.push(before, value.text);
    return '';
  }
  if (typeof value !== 'object' || value === null || isSerialisable(value)) {
    return before + (JSON.stringify(value) ?? 'null');
  }
  let text = before;
  if (Array.isArray(value)) {
    text += '[';
    for (const [index, item] of value.entries()) text = addParts(item, index > 0 ? `${text},` : text, parts);
    return `${text}]`;
  }
  text += '{';
  let separator = '';
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined || typeof member === 'function') continue;
    text = addParts(member, `${text}${separator}${JSON.stringify(name)}:`, parts);
    separator = ',';
  }
  return `${text}}`;
}
