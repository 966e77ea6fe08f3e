import { CompiledQuery } from 'kysely';
import { CopyData } from '../../database/copy-in.ts';
import type { Database } from '../../database/database.ts';

/** The bytes that one COPY sends. The embedded database holds all of them in memory. */
const COPY_BYTES = 512 * 1024;
const FIRST_BYTES = 64 * 1024;

const TAB = 0x09;
const LF = 0x0a;
const DIGIT = 0x30;

/**
 * Writes rows to a table with COPY. Rows are collected as bytes, without a string for each of them; the next ones are
 * collected while the database reads those before.
 */
export class CopyWriter {
  readonly #db: Database;
  readonly #statement: string;
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  /** The buffer of the rows that were sent before. */
  #sent = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;
  #inFlight: Promise<unknown> = Promise.resolve();

  /** @param columns the columns of a row, separated by commas. */
  constructor(db: Database, table: string, columns: string) {
    this.#db = db;
    this.#statement = `/* import.copy */ copy ${table} (${columns}) from stdin`;
  }

  /** Adds a cell with a number from 0 on. */
  number(value: number): void {
    this.#reserve(20);
    const buffer = this.#buffer;
    const start = this.#length;
    let end = start;
    let rest = value;
    do {
      buffer[end++] = DIGIT + (rest % 10);
      rest = Math.floor(rest / 10);
    } while (rest > 0);
    for (let low = start, high = end - 1; low < high; low++, high--) {
      const digit = buffer[low] ?? 0;
      buffer[low] = buffer[high] ?? 0;
      buffer[high] = digit;
    }
    buffer[end] = TAB;
    this.#length = end + 1;
  }

  /** Adds one or more cells, as `copyCells` returns them. */
  cells(bytes: Buffer): void {
    const length = bytes.length;
    this.#reserve(length);
    const buffer = this.#buffer;
    const start = this.#length;
    for (let index = 0; index < length; index++) buffer[start + index] = bytes[index] ?? 0;
    this.#length = start + length;
  }

  /** Ends a row after its last cell. */
  endRow(): void {
    this.#buffer[this.#length - 1] = LF;
  }

  /** Sends the rows if there are enough of them. Call it often between rows: they wait in memory. */
  async sendFull(): Promise<void> {
    if (this.#length >= COPY_BYTES) await this.#send();
  }

  /** Sends the remaining rows, and waits until the database has all of them. */
  async end(): Promise<void> {
    await this.#send();
    await this.#inFlight;
  }

  /** Waits for the rows that were sent, whether the database takes them or not. */
  async settle(): Promise<void> {
    await this.#inFlight.catch(() => undefined);
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }

  async #send(): Promise<void> {
    await this.#inFlight;
    if (this.#length === 0) return;
    const bytes = this.#buffer.subarray(0, this.#length);
    [this.#buffer, this.#sent] = [this.#sent, this.#buffer];
    this.#length = 0;
    this.#inFlight = this.#db.executeQuery(CompiledQuery.raw(this.#statement, [new CopyData(bytes)]));
    // The write is awaited before the next block; until then its rejection must not count as unhandled.
    this.#inFlight.catch(() => undefined);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Returns cells as the text format of COPY has them, each followed by a tab; null is a cell without a value. */
export function copyCells(...cells: (string | number | boolean | null)[]): Buffer {
  const texts = cells.map((cell) =>
    cell === null ? '\\N' : String(cell).replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character),
  );
  return Buffer.from(`${texts.join('\t')}\t`);
}
