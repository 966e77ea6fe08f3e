/** The little of PostgreSQL's frontend/backend protocol (version 3) that sharing one session needs. */

/** Larger messages are refused: PGlite copies each several times, within 2 GB. */
export const LARGEST_MESSAGE = 256 * 1024 * 1024;

const PROTOCOL_3 = 3;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;

/** Cuts a stream of bytes into the messages of a client, without copying large ones more than once. */
export class MessageReader {
  #chunks: Buffer[] = [];
  #length = 0;
  #needed = 0;
  #started = false;

  /** From the startup message on, every message begins with a byte that tells its type. */
  markStarted(): void {
    this.#started = true;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /**
   * The next complete message.
   * @throws RangeError for a length that no message has; the stream cannot be read any further.
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

/** What a message before the startup asks for. */
export function startupKind(message: Buffer): 'start' | 'encryption' | 'cancel' | 'unknown' {
  const code = message.length >= 8 ? message.readInt32BE(4) : 0;
  if (code === SSL_REQUEST || code === GSS_REQUEST) return 'encryption';
  if (code === CANCEL_REQUEST) return 'cancel';
  return code >>> 16 === PROTOCOL_3 ? 'start' : 'unknown';
}

/** A client that calls itself so may let its statements run for long: a load, whose answers nobody waits for. */
export const PATIENT_CLIENT = 'ballotgraph-command';

/** What a client calls itself in its startup message. */
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

/** A message of one type byte, its length, and its body. */
export function message(type: string, body: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(bytes.length + 4), bytes]);
}

export function simpleQuery(sql: string): Buffer {
  return message('Q', `${sql}\0`);
}

export const SYNC = message('S');
export const COPY_FAIL = message('f', 'the connection ended\0');
/** Text format, no columns told: clients that send rows of their own accord need no more. */
export const COPY_IN_RESPONSE = message('G', Buffer.from([0, 0, 0]));

/** An error as the server reports it. FATAL tells the client that the connection ends with it. */
export function errorResponse(code: string, text: string, hint?: string): Buffer {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${text}`];
  if (hint) fields.push(`H${hint}`);
  return message('E', `${fields.join('\0')}\0\0`);
}

/** The messages of an answer, one after the other. */
export function* messagesIn(answer: Buffer): Generator<{ type: string; bytes: Buffer }> {
  for (let start = 0; start + 5 <= answer.length; ) {
    const end = start + 1 + answer.readInt32BE(start + 1);
    yield { type: String.fromCharCode(answer[start] ?? 0), bytes: answer.subarray(start, end) };
    start = end;
  }
}

/**
 * The same message with `prefix` before the name of a prepared statement, so that two clients of one session can both
 * have a statement of that name. The unnamed statement stays unnamed.
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

/** A message that closes a prepared statement. */
export function closeStatement(name: string): Buffer {
  return message('C', `S${name}\0`);
}

const COPY_FROM_CLIENT = /^(?:\s|--[^\n]*\n|\/\*.*?\*\/)*copy\s[^;]*?\sfrom\s+stdin\b/is;

/** Whether a simple query asks for rows from the client. */
export function isCopyFromClient(query: Buffer): boolean {
  return typeOf(query) === 'Q' && COPY_FROM_CLIENT.test(query.toString('utf8', 5, Math.min(query.length - 1, 10_000)));
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
