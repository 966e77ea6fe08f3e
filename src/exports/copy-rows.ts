import { Readable } from 'node:stream';
import type pg from 'pg';

/** The part of pg's connection to the server that sends a statement. Its types do not tell of it. */
interface Connection {
  readonly stream: { pause(): void; resume(): void };
  parse(statement: { text: string; name?: string }): void;
  bind(portal: Record<string, never>): void;
  execute(portal: Record<string, never>): void;
  sync(): void;
}

const BLOCK = 128 * 1024;
const LINE_FEED = 0x0a;

/**
 * The rows of a `copy … to stdout` as blocks of bytes, each row with a given end. It is carried out in the extended
 * protocol, which takes one statement only, and the server waits while nobody reads.
 */
export class CopyRows extends Readable implements pg.Submittable {
  readonly #statement: string;
  readonly #rowEnd: Buffer;
  #connection: Connection | undefined;
  #block = Buffer.allocUnsafe(BLOCK);
  #filled = 0;
  #paused = false;

  constructor(statement: string, rowEnd: string) {
    super({ highWaterMark: 4 * BLOCK });
    this.#statement = statement;
    this.#rowEnd = Buffer.from(rowEnd);
  }

  submit(connection: unknown): void {
    const sending = connection as Connection;
    this.#connection = sending;
    sending.parse({ text: this.#statement });
    sending.bind({});
    sending.execute({});
    sending.sync();
  }

  /** One row: the server sends each as a message of its own, which ends with a line feed. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const length = chunk.at(-1) === LINE_FEED ? chunk.length - 1 : chunk.length;
    const needed = length + this.#rowEnd.length;
    if (this.#filled + needed > this.#block.length) this.#flush(needed);
    // The bytes lie in a buffer that the parser of the protocol uses again: copied.
    chunk.copy(this.#block, this.#filled, 0, length);
    this.#rowEnd.copy(this.#block, this.#filled + length);
    this.#filled += needed;
  }

  handleCommandComplete(): void {
    this.#flush(0);
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  handleReadyForQuery(): void {
    this.#resume();
  }

  override _read(): void {
    this.#resume();
  }

  #flush(needed: number): void {
    if (this.#filled > 0 && !this.push(this.#block.subarray(0, this.#filled))) {
      this.#paused = true;
      this.#connection?.stream.pause();
    }
    this.#block = Buffer.allocUnsafe(Math.max(BLOCK, needed));
    this.#filled = 0;
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#connection?.stream.resume();
  }
}
