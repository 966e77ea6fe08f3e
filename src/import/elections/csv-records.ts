import { ImportError } from '../import-rows.ts';

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const LONGEST_RECORD = 16 * 1024 * 1024;

/** A record whose number of cells differs from the header. */
export interface MalformedRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Complete records of a CSV file in the format of PostgreSQL's COPY. */
export interface RecordBlock {
  readonly bytes: Buffer;
  /** The number of records. */
  readonly records: number;
}

/**
 * Divides the bytes of a CSV file into blocks of complete records for COPY, without decoding them. Records with a wrong
 * number of cells are removed. A quote within an unquoted cell, where COPY would start a quoted section, is escaped.
 */
export class CsvRecords {
  readonly #file: string;
  readonly malformed: MalformedRecord[] = [];
  /** Where a record does not begin on the line after the start of the previous one: `[record, line]`. */
  readonly #jumps: [record: number, line: number][] = [];
  #columns = 0;
  /** True if the last column has no name: a cell in it shows that the cells of a row are shifted. */
  #endsUnnamed = false;
  #rest: Buffer = Buffer.alloc(0);
  #line = 1;
  #records = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the line of a record, counted from 1 over all blocks. */
  lineOf(record: number): number {
    let [first, line] = [1, 1];
    for (const jump of this.#jumps) {
      if (jump[0] > record) break;
      [first, line] = jump;
    }
    return line + record - first;
  }

  /** Returns the cells of the header; reading continues with the record after it. Undefined if it is incomplete. */
  header(chunk: Buffer): string[] | undefined {
    const bytes = Buffer.concat([this.#rest, chunk]);
    let quoted = false;
    let end = -1;
    for (let at = 0; at < bytes.length && end < 0; at++) {
      if (bytes[at] === QUOTE) quoted = !quoted;
      else if (bytes[at] === LF && !quoted && at > 0) end = at;
    }
    if (end < 0) {
      this.#rest = bytes;
      if (bytes.length > LONGEST_RECORD) throw new ImportError(`${this.#file}:1: is not CSV as in RFC 4180`);
      return undefined;
    }
    const header = bytes.subarray(0, end + 1);
    const cells = cellsOf(header.toString());
    this.#columns = cells.length;
    this.#endsUnnamed = cells.at(-1)?.trim() === '' && cells.length > 1;
    this.#line += countOf(header, LF);
    this.#rest = Buffer.from(bytes.subarray(end + 1));
    return cells.map((cell) => cell.trim());
  }

  /** Returns the complete records read so far; an incomplete last record is held until the next chunk. */
  next(chunk: Buffer): RecordBlock {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const parts: Buffer[] = [];
    let records = 0;
    /** The offset at which the records begin that can be sent unchanged. */
    let plain = 0;
    let start = 0;
    let commas = 0;
    let lines = 0;
    let quoted = false;
    let loose = false;
    let before = LF;
    const length = bytes.length;
    for (let at = 0; at < length; at++) {
      const byte = bytes[at] as number;
      if (byte > COMMA) {
        before = byte;
        continue;
      }
      if (byte === QUOTE) {
        if (!quoted) {
          if (before === COMMA || at === start) quoted = true;
          else loose = true;
        } else {
          // A quote in the last byte of the chunk may end the cell or be half of an escaped quote.
          const after = bytes[at + 1];
          if (after === QUOTE) at++;
          else if (after === undefined || after === COMMA || after === LF || after === CR) quoted = false;
          else loose = true;
        }
      } else if (byte === LF) {
        lines++;
        if (!quoted) {
          const isBlank = at === start || (at === start + 1 && before === CR);
          const isWhole = commas + 1 === this.#columns && !(this.#endsUnnamed && this.#isShifted(bytes, at));
          if (isBlank || !isWhole || loose) {
            if (start > plain) parts.push(bytes.subarray(plain, start));
            const text = isBlank ? '' : bytes.toString('utf8', start, at);
            if (!isBlank && isWhole) {
              parts.push(Buffer.from(`${cellsOf(text).map(quotedCell).join(',')}\n`));
              this.#count(++records);
            } else if (!isBlank) this.malformed.push({ line: this.#line, cells: cellsOf(text) });
            plain = at + 1;
          } else this.#count(++records);
          this.#line += lines;
          lines = 0;
          start = at + 1;
          commas = 0;
          loose = false;
        }
      } else if (byte === COMMA && !quoted) commas++;
      before = byte;
    }
    if (start > plain) parts.push(bytes.subarray(plain, start));
    this.#rest = Buffer.from(bytes.subarray(start));
    if (this.#rest.length > LONGEST_RECORD) throw this.#cutOff();
    this.#records += records;
    const [first = Buffer.alloc(0)] = parts;
    return { bytes: parts.length > 1 ? Buffer.concat(parts) : first, records };
  }

  /**
   * Returns the last record, which need not end with a line break.
   * @throws ImportError if the file ends within it.
   */
  end(): RecordBlock {
    if (this.#rest.length === 0) return { bytes: Buffer.alloc(0), records: 0 };
    const known = this.malformed.length;
    const block = this.next(Buffer.from('\n'));
    if (this.#rest.length > 0 || this.malformed.length > known) throw this.#cutOff();
    return block;
  }

  #count(record: number): void {
    const number = this.#records + record;
    const [first, line] = this.#jumps.at(-1) ?? [1, 1];
    if (line + number - first !== this.#line) this.#jumps.push([number, this.#line]);
  }

  #isShifted(bytes: Buffer, end: number): boolean {
    return bytes[bytes[end - 1] === CR ? end - 2 : end - 1] !== COMMA;
  }

  #cutOff(): ImportError {
    return new ImportError(`${this.#file}:${this.#line}: is not CSV as in RFC 4180, or is cut off`);
  }
}

/** Returns the cells of a record, in which a quote within a cell is part of its text. */
function cellsOf(record: string): string[] {
  const text = record.replace(/\r?\n$|\r$/, '');
  const cells: string[] = [];
  for (let at = 0; at <= text.length; ) {
    if (text[at] !== '"') {
      const end = text.indexOf(',', at);
      cells.push(text.slice(at, end < 0 ? undefined : end));
      at = (end < 0 ? text.length : end) + 1;
      continue;
    }
    let end = at + 1;
    while (end < text.length) {
      if (text[end] !== '"') end++;
      else if (text[end + 1] === '"') end += 2;
      else if (text[end + 1] === ',' || end + 1 === text.length) break;
      else end++;
    }
    cells.push(text.slice(at + 1, end).replaceAll('""', '"'));
    at = end + 2;
  }
  return cells;
}

function quotedCell(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

function countOf(bytes: Buffer, byte: number): number {
  let count = 0;
  for (const each of bytes) if (each === byte) count++;
  return count;
}
