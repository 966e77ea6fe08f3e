import { plainText } from './cell-text.ts';
import { textOfCell } from './csv-records.ts';
import { grown } from './pair-numbers.ts';

/**
 * The cells of a column, of which each distinct text has a code: its number in `texts`. Most cells of a column repeat the
 * one before or another one, so that few of them have to be decoded.
 */
export class CodedColumn {
  /** The distinct texts, as `plainText` returns them, in the order in which they occur. */
  readonly texts: string[] = [];
  readonly #missing: readonly string[];
  readonly #ofText = new Map<string, number>();
  /** The bytes of the distinct cells one after the other, where each begins, and its code. */
  #bytes = new Uint8Array(1024);
  #starts = new Int32Array(256);
  #codes = new Int32Array(256);
  #cells = 0;
  /** A hash table of the distinct cells: the number of a cell plus 1; 0 for a free slot. */
  #slots = new Int32Array(512);
  /** The number of the cell that was read before. */
  #last = 0;

  /** @param missing the texts of cells without a value, which are read as empty. */
  constructor(missing: readonly string[] = []) {
    this.#missing = missing;
  }

  /** Returns the code of a cell: the bytes from `from` to before `to`. */
  codeOf(bytes: Buffer, from: number, to: number): number {
    if (this.#isCell(this.#last, bytes, from, to)) return this.#codes[this.#last] ?? 0;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashOf(bytes, from, to) & mask;
    let taken = slots[slot] as number;
    while (taken > 0 && !this.#isCell(taken - 1, bytes, from, to)) {
      slot = (slot + 1) & mask;
      taken = slots[slot] as number;
    }
    this.#last = taken > 0 ? taken - 1 : this.#addCell(bytes, from, to, slot);
    return this.#codes[this.#last] ?? 0;
  }

  /** Returns the code of a text. */
  codeOfText(text: string): number {
    const known = this.#ofText.get(text);
    if (known !== undefined) return known;
    this.#ofText.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  /** Returns whether a cell has the bytes of a known cell. */
  #isCell(number: number, bytes: Buffer, from: number, to: number): boolean {
    const known = this.#bytes;
    const start = this.#starts[number] as number;
    if (number >= this.#cells || (this.#starts[number + 1] as number) - start !== to - from) return false;
    const offset = start - from;
    for (let at = from; at < to; at++) if (bytes[at] !== known[at + offset]) return false;
    return true;
  }

  #addCell(bytes: Buffer, from: number, to: number, slot: number): number {
    const number = this.#cells++;
    const start = this.#starts[number] ?? 0;
    const end = start + to - from;
    while (end > this.#bytes.length) this.#bytes = grown(this.#bytes);
    this.#bytes.set(bytes.subarray(from, to), start);
    if (number + 1 === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#codes = grown(this.#codes);
    }
    this.#starts[number + 1] = end;
    const text = plainText(textOfCell(bytes, from, to));
    this.#codes[number] = this.codeOfText(this.#missing.includes(text) ? '' : text);
    this.#slots[slot] = number + 1;
    if (2 * this.#cells > this.#slots.length) this.#growSlots();
    return number;
  }

  #growSlots(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#cells; number++) {
      let slot = hashOf(this.#bytes, this.#starts[number] ?? 0, this.#starts[number + 1] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

/** Returns a hash of some bytes (FNV-1a). */
export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Values that follow from the texts of a column, each computed once. */
export class DerivedValues<T> {
  readonly #column: CodedColumn;
  readonly #derive: (text: string) => T;
  readonly #values: T[] = [];

  constructor(column: CodedColumn, derive: (text: string) => T) {
    this.#column = column;
    this.#derive = derive;
  }

  /** Returns the value of the text with a code. */
  of(code: number): T {
    for (let next = this.#values.length; next <= code; next++)
      this.#values.push(this.#derive(this.#column.texts[next] ?? ''));
    return this.#values[code] as T;
  }
}
