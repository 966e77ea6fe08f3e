import { ImportError } from '../exchange/import-rows.ts';

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const LONGEST_RECORD = 16 * 1024 * 1024;
const FIRST = [1, 1] as const;

/** A record whose number of cells differs from the header. */
export interface MalformedRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Takes a record, whose cell `i` is the bytes from `starts[i]` to before the separator at `starts[i + 1] - 1`, as `textOfCell`
 * reads them. Bytes and bounds may be used until the function returns.
 */
export type TakeRecord = (bytes: Buffer, starts: Int32Array) => void;

/**
 * Divides the bytes of a CSV file into records and cells, without decoding them. Records with a wrong number of cells are
 * collected apart. A quote within an unquoted cell is part of its text.
 */
export class CsvRecords {
  readonly #file: string;
  readonly #take: TakeRecord;
  readonly malformed: MalformedRecord[] = [];
  /** Where a record does not begin on the line after the start of the previous one: `[record, line]`. */
  readonly #jumps: [record: number, line: number][] = [];
  #columns = 0;
  #starts = new Int32Array(1);
  /** True if the last column has no name: a cell in it shows that the cells of a row are shifted. */
  #endsUnnamed = false;
  /** The bytes of an incomplete record, followed by those of the current chunk. */
  #bytes = Buffer.alloc(256 * 1024);
  #length = 0;
  #line = 1;
  #records = 0;

  constructor(file: string, take: TakeRecord) {
    this.#file = file;
    this.#take = take;
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
    const bytes = this.#append(chunk);
    let quoted = false;
    let end = -1;
    for (let at = 0; at < bytes.length && end < 0; at++) {
      if (bytes[at] === QUOTE) quoted = !quoted;
      else if (bytes[at] === LF && !quoted && at > 0) end = at;
    }
    if (end < 0) {
      if (bytes.length > LONGEST_RECORD) throw new ImportError('is not CSV as in RFC 4180', this.#file, 1);
      return undefined;
    }
    const header = bytes.subarray(0, end + 1);
    const cells = cellsOf(header.toString());
    this.#columns = cells.length;
    this.#starts = new Int32Array(cells.length + 1);
    this.#endsUnnamed = cells.at(-1)?.trim() === '' && cells.length > 1;
    this.#line += countOf(header, LF);
    this.#remove(end + 1);
    return cells.map((cell) => cell.trim());
  }

  /** Takes the complete records read so far; an incomplete last record is held until the next chunk. */
  next(chunk: Buffer): void {
    const length = this.#append(chunk).length;
    const bytes = this.#bytes;
    const starts = this.#starts;
    let start = 0;
    let commas = 0;
    let lines = 0;
    let quoted = false;
    let loose = false;
    for (let at = 0; ; at++) {
      let byte = bytes[at] as number;
      while (byte > COMMA) byte = bytes[++at] as number;
      if (at >= length) break;
      if (byte === COMMA) {
        // A longer record is malformed; a typed array ignores what is beyond its length.
        if (!quoted) starts[++commas] = at + 1;
      } else if (byte === QUOTE) {
        if (!quoted) {
          if (at === start || bytes[at - 1] === COMMA) quoted = true;
          else loose = true;
        } else {
          // A quote in the last byte of the chunk may end the cell or be half of an escaped quote.
          const after = bytes[at + 1];
          if (after === QUOTE) at++;
          else if (at + 1 === length || after === COMMA || after === LF || after === CR) quoted = false;
          else loose = true;
        }
      } else if (byte === LF) {
        lines++;
        if (!quoted) {
          const end = at > start && bytes[at - 1] === CR ? at - 1 : at;
          const isWhole = commas + 1 === this.#columns && !(this.#endsUnnamed && bytes[end - 1] !== COMMA);
          if (end > start && isWhole && !loose) {
            starts[0] = start;
            starts[this.#columns] = end + 1;
            this.#count();
            this.#take(bytes, starts);
          } else if (end > start) this.#irregular(cellsOf(bytes.toString('utf8', start, at)), isWhole);
          this.#line += lines;
          lines = 0;
          start = at + 1;
          commas = 0;
          loose = false;
        }
      }
    }
    this.#remove(start);
    if (this.#length > LONGEST_RECORD) throw this.#cutOff();
  }

  /**
   * Takes the last record, which need not end with a line break.
   * @throws ImportError if the file ends within it.
   */
  end(): void {
    if (this.#length === 0) return;
    const known = this.malformed.length;
    const line = this.#line;
    this.next(Buffer.from('\n'));
    if (this.#length > 0 || this.malformed.length > known) throw this.#cutOff(line);
  }

  /**
   * Adds a chunk; returns all bytes that have not been read. One buffer serves all chunks: allocating is slow. A NUL
   * follows the bytes.
   */
  #append(chunk: Buffer): Buffer {
    const length = this.#length + chunk.length;
    if (length >= this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(length + 1, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#bytes[length] = 0;
    this.#length = length;
    return this.#bytes.subarray(0, length);
  }

  /** Removes the bytes that have been read. */
  #remove(count: number): void {
    this.#bytes.copyWithin(0, count, this.#length);
    this.#length -= count;
  }

  /** Takes the cells of a record with quotes within unquoted cells; `isWhole` is false for a wrong number of cells. */
  #irregular(cells: readonly string[], isWhole: boolean): void {
    if (!isWhole) {
      this.malformed.push({ line: this.#line, cells });
      return;
    }
    this.#count();
    takeCells(cells, this.#take);
  }

  #count(): void {
    const number = ++this.#records;
    const [first, line] = this.#jumps.at(-1) ?? FIRST;
    if (line + number - first !== this.#line) this.#jumps.push([number, this.#line]);
  }

  #cutOff(line = this.#line): ImportError {
    return new ImportError('is not CSV as in RFC 4180, or is cut off', this.#file, line);
  }
}

/** Passes the texts of the cells of a record to a function that takes records. */
export function takeCells(cells: readonly string[], take: TakeRecord): void {
  const starts = new Int32Array(cells.length + 1);
  const quoted = cells.map((cell) => Buffer.from(`"${cell.replaceAll('"', '""')}",`));
  for (const [index, cell] of quoted.entries()) starts[index + 1] = (starts[index] ?? 0) + cell.length;
  take(Buffer.concat(quoted), starts);
}

/** Returns the text of a cell without quotes around it; line breaks within it are LF. */
export function textOfCell(bytes: Buffer, from: number, to: number): string {
  const raw = bytes.toString('utf8', from, to);
  const text = raw.includes('\r') ? raw.replaceAll('\r\n', '\n').replaceAll('\r', ' ') : raw;
  if (!text.startsWith('"')) return text;
  const end = text.lastIndexOf('"');
  return `${text.slice(1, end).replaceAll('""', '"')}${text.slice(end + 1)}`;
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

function countOf(bytes: Buffer, byte: number): number {
  let count = 0;
  for (const each of bytes) if (each === byte) count++;
  return count;
}
