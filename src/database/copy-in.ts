import pg from 'pg';

/** The rows of a `copy … from stdin`, in the format that the statement names. */
export class CopyData {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** The part of pg's connection that a COPY uses and that its types do not declare. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * A client whose `query` accepts a `copy … from stdin` with a `CopyData` as its only parameter, so that a COPY can run in
 * a transaction of Kysely, which has no other access to the protocol.
 */
export class CopyingClient extends pg.Client {
  /** Returns what `pg.Client` returns for the same arguments; `never` is compatible with the results of all its overloads. */
  override query(...original: readonly unknown[]): never {
    const [text, values] = original;
    const data = Array.isArray(values) ? values[0] : undefined;
    if (!(data instanceof CopyData) || typeof text !== 'string')
      return Reflect.apply(super.query, this, original) as never;
    const copy = new CopyIn(text, data.bytes);
    super.query(copy);
    return copy.done as never;
  }
}

/** Sends a COPY statement and its rows. */
class CopyIn implements pg.Submittable {
  readonly #text: string;
  readonly #bytes: Buffer;
  readonly #settle = Promise.withResolvers<{ command: string; rowCount: number; rows: [] }>();
  #error: Error | undefined;
  #rowCount = 0;

  constructor(text: string, bytes: Buffer) {
    this.#text = text;
    this.#bytes = bytes;
  }

  get done(): Promise<{ command: string; rowCount: number; rows: [] }> {
    return this.#settle.promise;
  }

  submit(connection: pg.Connection): void {
    (connection as unknown as CopyConnection).query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    if (this.#bytes.length > 0) connection.sendCopyFromChunk(this.#bytes);
    connection.endCopyFrom();
  }

  handleCommandComplete(message: { readonly text: string }): void {
    this.#rowCount = Number(/\d+$/.exec(message.text)?.[0] ?? 0);
  }

  handleError(error: Error): void {
    this.#error ??= error;
    // After a broken connection no ReadyForQuery arrives. After an error of the server the promise is settled already.
    this.#settle.reject(error);
  }

  handleReadyForQuery(): void {
    if (!this.#error) this.#settle.resolve({ command: 'COPY', rowCount: this.#rowCount, rows: [] });
  }
}
