import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { ImportError } from '../exchange/import-rows.ts';

/** An error that makes a file unreadable from a line on. */
export class TextFileError extends Error {
  override readonly name = 'TextFileError';
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** Returns an error of a text as that of its file; any other error as it is. */
export function inFile(error: unknown, file: string): unknown {
  return error instanceof TextFileError ? new ImportError(error.message, file, error.line) : error;
}

/** The maximum length of a line in a boundaries file: a state boundary in full detail has about 10 MB. */
const LONGEST_LINE = 64 * 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

const UTF_8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF_16_MARK = /^(fffe|feff)/;
const IS_UTF_16 = 'the file is UTF-16; save it as UTF-8';

export interface ReadOptions {
  /** True if line breaks within double quotes belong to a cell and may differ from those between the records. */
  readonly quotes: boolean;
  /** True if mixed line breaks are accepted, as in files from other publishers. */
  readonly lenient?: boolean;
  readonly onBytes?: (count: number) => void;
}

/**
 * Decodes the bytes of a whole file as text without its byte order mark; line breaks may be of any kind.
 * @throws TextFileError with the line if they are not UTF-8.
 */
export function textIn(bytes: Buffer): string {
  if (UTF_16_MARK.test(bytes.toString('hex', 0, 2))) throw new TextFileError(1, IS_UTF_16);
  if (!isUtf8(bytes)) throw new TextFileError(1 + badLine(bytes), 'is not UTF-8');
  const nul = bytes.indexOf(0);
  if (nul !== -1) throw new TextFileError(bytes.subarray(0, nul).toString('latin1').split('\n').length, HOLDS_NUL);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/**
 * Yields the bytes of a text file, given by its path or as chunks, without a byte order mark at the beginning (Excel
 * writes one), and checks them: UTF-8, no NUL, consistent line breaks (LF or CRLF).
 * @throws TextFileError with the line.
 */
export async function* checkedChunks(
  file: string | AsyncIterable<Buffer>,
  options: ReadOptions,
): AsyncGenerator<Buffer> {
  const check = new TextCheck(options);
  const chunks: AsyncIterable<Buffer> =
    typeof file === 'string' ? createReadStream(file, { highWaterMark: 256 * 1024 }) : file;
  for await (const chunk of withoutMark(chunks, options.onBytes)) {
    check.next(chunk);
    yield chunk;
  }
  check.end();
}

/**
 * Yields the chunks without the UTF-8 byte order mark at the beginning of the first one. A stream may split a mark over
 * chunks, so the first chunk is at least as long as one.
 */
async function* withoutMark(chunks: AsyncIterable<Buffer>, onBytes: ReadOptions['onBytes']): AsyncGenerator<Buffer> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    onBytes?.(chunk.length);
    if (first === undefined) {
      yield chunk;
      continue;
    }
    first = Buffer.concat([first, chunk]);
    if (first.length < UTF_8_MARK.length) continue;
    yield unmarked(first);
    first = undefined;
  }
  if (first !== undefined && first.length > 0) yield unmarked(first);
}

function unmarked(start: Buffer): Buffer {
  return start.subarray(0, UTF_8_MARK.length).equals(UTF_8_MARK) ? start.subarray(UTF_8_MARK.length) : start;
}

/**
 * Yields the lines of a text file with their numbers, without blank lines, checked like `checkedChunks`.
 * @throws TextFileError also for a line over 64 MiB: reading stops, so that memory stays bounded.
 */
export async function* readLines(
  path: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<{ line: number; text: string }> {
  let line = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const take = (rest: Buffer): string => {
    const text = Buffer.concat([...parts, rest]).toString('utf8');
    parts = [];
    length = 0;
    return text;
  };
  for await (const chunk of checkedChunks(path, { quotes: false, onBytes })) {
    let from = 0;
    for (let to = chunk.indexOf(LF); to !== -1; to = chunk.indexOf(LF, from)) {
      const text = take(chunk.subarray(from, to));
      if (text.trim() !== '') yield { line, text };
      line++;
      from = to + 1;
    }
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LONGEST_LINE) throw new TextFileError(line, `is longer than ${LONGEST_LINE / 1024 / 1024} MiB`);
  }
  const last = take(Buffer.alloc(0));
  if (last.trim() !== '') yield { line, text: last };
}

/** Checks the bytes of a file as they arrive; holds back bytes that may begin an incomplete character. */
class TextCheck {
  readonly #quotes: boolean;
  readonly #lenient: boolean;
  #line = 1;
  #started = false;
  #quoted = false;
  #afterCr = false;
  #lineEnding: 'LF' | 'CRLF' | undefined;
  #held: Buffer = Buffer.alloc(0);

  constructor({ quotes, lenient = false }: ReadOptions) {
    this.#quotes = quotes;
    this.#lenient = lenient;
  }

  next(chunk: Buffer): void {
    if (!this.#started) {
      this.#started = true;
      if (UTF_16_MARK.test(chunk.toString('hex', 0, 2))) throw new TextFileError(1, IS_UTF_16);
    }
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    const whole = bytes.length - unfinishedBytes(bytes);
    const text = bytes.subarray(0, whole);
    this.#held = Buffer.from(bytes.subarray(whole));
    if (!isUtf8(text)) throw new TextFileError(this.#line + badLine(text), 'is not UTF-8');
    if (this.#lenient) this.#countLines(text);
    else this.#scan(text);
  }

  end(): void {
    if (this.#held.length > 0) throw new TextFileError(this.#line, 'is not UTF-8: the file ends within a character');
    if (this.#afterCr) throw new TextFileError(this.#line, LONE_CR);
  }

  #countLines(text: Buffer): void {
    const nul = text.indexOf(0);
    for (let at = text.indexOf(LF); at !== -1; at = text.indexOf(LF, at + 1)) {
      if (nul !== -1 && nul < at) break;
      this.#line++;
    }
    if (nul !== -1) throw new TextFileError(this.#line, HOLDS_NUL);
  }

  #scan(text: Buffer): void {
    for (const byte of text) {
      if (byte > QUOTE) {
        if (this.#afterCr) throw new TextFileError(this.#line, LONE_CR);
      } else if (byte === QUOTE) {
        if (this.#afterCr) throw new TextFileError(this.#line, LONE_CR);
        if (this.#quotes) this.#quoted = !this.#quoted;
      } else if (byte === LF) {
        if (!this.#quoted) this.#endLine(this.#afterCr ? 'CRLF' : 'LF');
        this.#afterCr = false;
        this.#line++;
      } else if (byte === 0) {
        throw new TextFileError(this.#line, HOLDS_NUL);
      } else {
        if (this.#afterCr) throw new TextFileError(this.#line, LONE_CR);
        if (byte === CR && !this.#quoted) this.#afterCr = true;
      }
    }
  }

  #endLine(lineEnding: 'LF' | 'CRLF'): void {
    this.#lineEnding ??= lineEnding;
    if (this.#lineEnding !== lineEnding) {
      throw new TextFileError(this.#line, `ends with ${lineEnding}, the lines before it with ${this.#lineEnding}`);
    }
  }
}

const HOLDS_NUL = 'contains a NUL character (UTF-16 and binary files do)';
const LONE_CR = 'contains a carriage return that does not end the line';

/** Returns the number of bytes at the end that begin an incomplete character. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/** Returns the number of lines before the first invalid byte. */
function badLine(text: Buffer): number {
  let from = 0;
  for (let lines = 0; ; lines++) {
    const to = text.indexOf(LF, from);
    if (to === -1 || !isUtf8(text.subarray(from, to))) return lines;
    from = to + 1;
  }
}
