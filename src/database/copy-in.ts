import type pg from 'pg';

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
 * Makes a connection accept a `copy … from stdin` whose only parameter is a `CopyData`, so that a COPY can run in a
 * transaction of Kysely, which has no other access to the protocol.
 */
export function acceptCopies(client: pg.ClientBase): void {
  client.query = new Proxy(client.query, {
    apply(query, self, given: readonly unknown[]) {
      const [text, values] = given;
      const [data] = Array.isArray(values) ? values : [];
      if (!(data instanceof CopyData) || typeof text !== 'string') return Reflect.apply(query, self, given);
      const copy = new CopyIn(text, data.bytes);
      Reflect.apply(query, self, [copy]);
      return copy.done;
    },
  });
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
