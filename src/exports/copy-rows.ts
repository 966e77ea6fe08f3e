import { Readable } from 'node:stream';
import type pg from 'pg';

/** The part of pg's server connection that is used here, which its types do not declare. */
interface Connection {
  readonly stream: Readable;
  parse(statement: { text: string }): void;
  bind(portal: Record<string, never>): void;
  execute(portal: Record<string, never>): void;
  sync(): void;
}

type Listener = (chunk: Buffer) => void;

const BLOCK = 128 * 1024;
const LINE_FEED = '\n'.charCodeAt(0);
const COPY_DATA = 'd'.charCodeAt(0);
/**
 * Messages other than rows, which are skipped: parse and bind results, start and end of the copy, notices,
 * notifications, parameter status.
 */
const PASSED_OVER = new Set([...'12HcNAS'].map((type) => type.charCodeAt(0)));
/** Length of a message header: the message type (1 byte) and the message length (4 bytes). */
const HEADER = 5;

/**
 * Streams the rows of a `copy … to stdout` as blocks of bytes, each row with a given line ending. It uses the extended
 * protocol, which accepts a single statement only, and applies backpressure to the server.
 *
 * While rows arrive, this class parses the messages itself: pg creates several objects for each message, which takes
 * longer than everything else.
 */
export class CopyRows extends Readable implements pg.Submittable {
  readonly #statement: string;
  readonly #rowEnd: Buffer;
  #connection: Connection | undefined;
  /** The data listeners of pg, which are detached while rows arrive. */
  #listeners: Listener[] = [];
  /** The received part of an incomplete message and its length. */
  #begun: Buffer[] = [];
  #begunLength = 0;
  #neededLength = 0;
  #block = Buffer.allocUnsafe(BLOCK);
  #filled = 0;
  #isPaused = false;

  constructor(statement: string, rowEnd: string) {
    super({ highWaterMark: 4 * BLOCK });
    this.#statement = statement;
    this.#rowEnd = Buffer.from(rowEnd);
  }

  submit(connection: unknown): void {
    const sending = connection as Connection;
    this.#connection = sending;
    this.#listeners = sending.stream.listeners('data') as Listener[];
    sending.stream.removeAllListeners('data').on('data', this.#receive);
    sending.parse({ text: this.#statement });
    sending.bind({});
    sending.execute({});
    sending.sync();
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

  readonly #receive = (chunk: Buffer): void => {
    this.#begun.push(chunk);
    this.#begunLength += chunk.length;
    if (this.#begunLength < this.#neededLength) return;
    const bytes = this.#begun.length === 1 ? chunk : Buffer.concat(this.#begun);
    let at = 0;
    let end = HEADER;
    while (at + HEADER <= bytes.length) {
      const type = bytes[at] ?? 0;
      if (type !== COPY_DATA && !PASSED_OVER.has(type)) {
        this.#release(bytes.subarray(at));
        return;
      }
      end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      if (type === COPY_DATA) this.#addRow(bytes, at + HEADER, end);
      at = end;
      end = at + HEADER;
    }
    const rest = bytes.subarray(at);
    this.#begun = rest.length > 0 ? [rest] : [];
    this.#begunLength = rest.length;
    this.#neededLength = end - at;
  };

  /** Adds one row: the server sends each row as a separate message that ends with a line feed. */
  #addRow(bytes: Buffer, start: number, end: number): void {
    const last = bytes[end - 1] === LINE_FEED ? end - 1 : end;
    const needed = last - start + this.#rowEnd.length;
    if (this.#filled + needed > this.#block.length) this.#flush(needed);
    this.#filled += bytes.copy(this.#block, this.#filled, start, last);
    this.#filled += this.#rowEnd.copy(this.#block, this.#filled);
  }

  /** Returns the connection to pg, which handles the end of the statement or its error. */
  #release(rest: Buffer): void {
    const stream = this.#connection?.stream;
    stream?.off('data', this.#receive);
    for (const listener of this.#listeners) {
      stream?.on('data', listener);
      listener(rest);
    }
  }

  #flush(needed: number): void {
    if (this.#filled > 0 && !this.push(this.#block.subarray(0, this.#filled))) {
      this.#isPaused = true;
      this.#connection?.stream.pause();
    }
    this.#block = Buffer.allocUnsafe(Math.max(BLOCK, needed));
    this.#filled = 0;
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#connection?.stream.resume();
  }
}
