import { type ResponseLimits, responseTooLarge } from './response-size.ts';

/** A part of an answer that is JSON already, as the store has worded it. */
export class JsonText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get isEmptyList(): boolean {
    return this.#text === '[]';
  }

  /** In UTF-16 code units: at most as many as it has bytes. */
  get length(): number {
    return this.#text.length;
  }

  /** Where `wordJson` asks, a mark for the text; else what it says, so that every other way to word JSON is right too. */
  toJSON(): unknown {
    if (!collected) return JSON.parse(this.#text);
    collected.push(this.#text);
    return MARK;
  }
}

/** No text in PostgreSQL holds a NUL, so none is taken for it. */
const MARK = '\0';
const MARKED = JSON.stringify(MARK);

/** The texts that have been met; undefined while nobody collects them. */
let collected: string[] | undefined;

/**
 * Serialises a value as `JSON.stringify` does, with what is JSON already put in as it is.
 * @param slack bytes that it may have beyond the limits.
 * @throws ServiceError RESPONSE_TOO_LARGE before anything is serialised that has more bytes than `limits` allow.
 */
export function wordJson(value: unknown, limits?: Pick<ResponseLimits, 'bytes'>, slack = 0): string {
  const most = limits ? limits.bytes + slack : Number.POSITIVE_INFINITY;
  if (limits && leastLength(value, most) > most) throw responseTooLarge(limits);
  const checked = (text: string) => {
    // A code unit of UTF-16 has three bytes at most.
    if (limits && text.length * 3 > most && Buffer.byteLength(text) > most) throw responseTooLarge(limits);
    return text;
  };
  const texts: string[] = [];
  collected = texts;
  try {
    const worded = JSON.stringify(value);
    if (texts.length === 0) return checked(worded);
    const [first = '', ...rest] = worded.split(MARKED);
    return checked(rest.reduce((whole, part, index) => whole + texts[index] + part, first));
  } finally {
    collected = undefined;
  }
}

/** A lower bound of the length of a value as JSON; anything above `most` once it is longer than that. */
function leastLength(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof JsonText) return value.length;
  let length = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      length += leastLength(item, most) + 1;
      if (length > most) break;
    }
    return length;
  }
  for (const name in value) {
    length += name.length + 3 + leastLength((value as Record<string, unknown>)[name], most);
    if (length > most) break;
  }
  return length;
}
