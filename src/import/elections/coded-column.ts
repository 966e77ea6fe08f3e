import { textOfCell } from './csv-records.ts';

/**
 * The cells of a column, of which each distinct text has a code: its number in `texts`. Most cells of a column repeat the
 * one before or another one, so that few of them have to be decoded.
 */
export class CodedColumn {
  /** The distinct texts, without spaces at their ends, in the order in which they occur. */
  readonly texts: string[] = [];
  readonly #missing: string | undefined;
  readonly #ofText = new Map<string, number>();
  /** The codes by the bytes of the cells, each as a character. */
  readonly #ofBytes = new Map<string, number>();
  /** The bytes of the cell before: the buffer that it was in is used again. */
  #last = new Uint8Array(64);
  #length = 0;
  #code = -1;

  /** @param missing the text of cells without a value, which are read as empty. */
  constructor(missing?: string) {
    this.#missing = missing;
  }

  /** Returns the code of a cell: the bytes from `from` to before `to`. */
  codeOf(bytes: Buffer, from: number, to: number): number {
    if (this.#code >= 0 && this.#isLast(bytes, from, to)) return this.#code;
    const key = bytes.toString('latin1', from, to);
    let code = this.#ofBytes.get(key);
    if (code === undefined) {
      const text = textOfCell(bytes, from, to).replace(/^ +| +$/g, '');
      code = this.codeOfText(text === this.#missing ? '' : text);
      this.#ofBytes.set(key, code);
    }
    this.#length = to - from;
    if (this.#length > this.#last.length) this.#last = new Uint8Array(2 * this.#length);
    for (let index = 0; index < this.#length; index++) this.#last[index] = bytes[from + index] ?? 0;
    this.#code = code;
    return code;
  }

  /** Returns the code of a text. */
  codeOfText(text: string): number {
    const known = this.#ofText.get(text);
    if (known !== undefined) return known;
    this.#ofText.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  #isLast(bytes: Buffer, from: number, to: number): boolean {
    const length = to - from;
    if (length !== this.#length) return false;
    for (let index = 0; index < length; index++) if (bytes[from + index] !== this.#last[index]) return false;
    return true;
  }
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
