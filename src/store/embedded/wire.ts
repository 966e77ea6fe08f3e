/** The part of PostgreSQL's frontend/backend protocol (version 3) that is required to share one session. */

/** Larger messages are rejected: PGlite copies each one several times, within 2 GB of memory. */
export const LARGEST_MESSAGE = 256 * 1024 * 1024;

const PROTOCOL_3 = 3;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;

/** Splits a byte stream into the messages of a client, without copying large ones more than once. */
export class MessageReader {
  #chunks: Buffer[] = [];
  #length = 0;
  #needed = 0;
  #started = false;

  /** Switches to the format with a type byte, which every message after the startup message has. */
  markStarted(): void {
    this.#started = true;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /**
   * Returns the next message; undefined if it is not complete yet.
   * @throws RangeError if the length is invalid; the stream cannot be read any further.
   */
  next(): Buffer | undefined {
    const typeLength = this.#started ? 1 : 0;
    const headerLength = typeLength + 4;
    if (this.#length < Math.max(this.#needed, headerLength)) return undefined;
    const bytes = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const size = typeLength + bytes.readInt32BE(typeLength);
    if (size < headerLength || size > LARGEST_MESSAGE) {
      throw new RangeError(`A message of ${size} bytes; at most ${LARGEST_MESSAGE} are taken`);
    }
    const complete = bytes.length >= size;
    const rest = complete ? bytes.subarray(size) : bytes;
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
    this.#needed = complete ? 0 : size;
    return complete ? bytes.subarray(0, size) : undefined;
  }
}

/** Returns the kind of a message before the startup is complete. */
export function startupKind(message: Buffer): 'start' | 'encryption' | 'cancel' | 'unknown' {
  const code = message.length >= 8 ? message.readInt32BE(4) : 0;
  if (code === SSL_REQUEST || code === GSS_REQUEST) return 'encryption';
  if (code === CANCEL_REQUEST) return 'cancel';
  return code >>> 16 === PROTOCOL_3 ? 'start' : 'unknown';
}

/**
 * The application name of clients whose statements may be long-running: for commands such as imports, for which no
 * request waits.
 */
export const LONG_RUNNING_CLIENT = 'ballotgraph-command';

/** Returns the application name in a startup message. */
export function applicationName(message: Buffer): string | undefined {
  const parameters = message.subarray(8).toString('latin1').split('\0');
  const at = parameters.findIndex((text, index) => index % 2 === 0 && text === 'application_name');
  return at < 0 ? undefined : parameters[at + 1];
}

export function startupMessage(user: string, database: string): Buffer {
  const body = Buffer.from(`\0\x03\0\0user\0${user}\0database\0${database}\0\0`, 'latin1');
  return Buffer.concat([int32(body.length + 4), body]);
}

export function typeOf(message: Buffer): string {
  return String.fromCharCode(message[0] ?? 0);
}

/** Builds a message of a type byte, its length, and its body. */
export function message(type: string, body: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(bytes.length + 4), bytes]);
}

export function simpleQuery(sql: string): Buffer {
  return message('Q', `${sql}\0`);
}

export const SYNC = message('S');
export const COPY_FAIL = message('f', 'the connection ended\0');
/** Text format, no columns: clients that send rows without reading the format need no more. */
export const COPY_IN_RESPONSE = message('G', Buffer.from([0, 0, 0]));

/** Builds an error response as the server does. FATAL means that the connection ends with it. */
export function errorResponse(code: string, text: string, hint?: string): Buffer {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${text}`];
  if (hint) fields.push(`H${hint}`);
  return message('E', `${fields.join('\0')}\0\0`);
}

/** Iterates over the messages of a response. */
export function* messagesIn(response: Buffer): Generator<{ type: string; bytes: Buffer }> {
  for (let start = 0; start + 5 <= response.length; ) {
    const end = start + 1 + response.readInt32BE(start + 1);
    yield { type: String.fromCharCode(response[start] ?? 0), bytes: response.subarray(start, end) };
    start = end;
  }
}

/**
 * Returns the same message with `prefix` before the name of its prepared statement, so that two clients of one session
 * can use the same statement name. The unnamed statement stays unnamed.
 */
export function withStatementPrefix(original: Buffer, prefix: string): { message: Buffer; statement: string } {
  const start = statementNameStart(original);
  const end = start === undefined ? -1 : original.indexOf(0, start);
  if (start === undefined || end <= start) return { message: original, statement: '' };
  const name = Buffer.concat([Buffer.from(prefix, 'latin1'), original.subarray(start, end)]);
  const body = Buffer.concat([original.subarray(5, start), name, original.subarray(end)]);
  return { message: message(typeOf(original), body), statement: name.toString() };
}

function statementNameStart(original: Buffer): number | undefined {
  switch (typeOf(original)) {
    case 'P':
      return 5;
    case 'B':
      return original.indexOf(0, 5) + 1;
    case 'D':
    case 'C':
      return original[5] === 'S'.charCodeAt(0) ? 6 : undefined;
    default:
      return undefined;
  }
}

/** Builds a message that closes a prepared statement. */
export function closeStatement(name: string): Buffer {
  return message('C', `S${name}\0`);
}

const COPY_FROM_CLIENT = /^(?:\s|--[^\n]*\n|\/\*.*?\*\/)*copy\s[^;]*?\sfrom\s+stdin\b/is;

/** Returns whether a simple query is a COPY that reads rows from the client. */
export function isCopyFromClient(query: Buffer): boolean {
  return typeOf(query) === 'Q' && COPY_FROM_CLIENT.test(query.toString('utf8', 5, Math.min(query.length - 1, 10_000)));
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
