import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import {
  applicationName,
  COPY_FAIL,
  COPY_IN_RESPONSE,
  closeStatement,
  errorResponse,
  isCopyFromClient,
  LARGEST_MESSAGE,
  MessageReader,
  messagesIn,
  PATIENT_CLIENT,
  SYNC,
  simpleQuery,
  startupKind,
  startupMessage,
  typeOf,
  withStatementPrefix,
} from './wire.ts';

/** A connection that was refused is cut if the client does not end it by then. */
const REFUSED_LINGER_MS = 5_000;
const MOST_CLIENTS = 20;
/** What PGlite's exit status says when PostgreSQL raised an ordinary error. */
const ORDINARY_ERROR = 100;
/** The loop in PGlite that runs a message never ends once the backend is gone. */
const HOPELESS_FAULTS = 100;

/** Of these answers a message gets at least one, unless an error before it makes the backend skip to the next Sync. */
const ANSWERS: Readonly<Record<string, string>> = { Q: 'CEI', P: '1E', B: '2E', D: 'TntE', E: 'CEIs', C: '3E', S: 'Z' };

interface Client {
  readonly socket: Socket;
  readonly reader: MessageReader;
  /** Begins the names of this client's prepared statements in the one session. */
  readonly prefix: string;
  readonly statements: Set<string>;
  readonly queue: Buffer[];
  waitingSince: number;
  patient: boolean;
  started: boolean;
  greeted: boolean;
  gone: boolean;
  /** After an error within a unit the backend answers nothing before its Sync. */
  skipping: boolean;
  /** A COPY FROM STDIN and its rows, gathered until they are complete. */
  copy: Buffer[] | undefined;
  copyLength: number;
}

/** What PGlite's module has, beyond its declared type. */
type Backend = PGlite['Module'] & { ___stack_pointer: { value: number } };

/**
 * Lets several clients use the one session that PGlite has, as a pooler in transaction mode does: a client has the
 * session from the first message of a unit (a simple query, or the messages up to a Sync) until the backend is idle
 * again, so to the end of its transaction. Settings, temporary tables, LISTEN and session-wide advisory locks are
 * common to all clients until the last one leaves.
 *
 * It also sees to it that no statement ends without an answer: where PGlite swallows an exception of C++ or of the
 * JavaScript engine, the client gets an error (XX000) and `onFault` is called, because nothing is known about the
 * state of the backend any more; before the transaction can commit.
 */
export class SharedSession {
  readonly #onFault: (reason: string) => void;
  readonly #onPatience: (patient: boolean) => void;
  #patient = false;
  #waitLimitMs = Number.POSITIVE_INFINITY;
  readonly #clients = new Set<Client>();
  #waiting: Client[] = [];
  #owner: Client | undefined;
  #db: PGlite | undefined;
  #greeting: Buffer | undefined;
  #busy = false;
  #ended = false;
  #faults: string[] = [];
  #idle = true;
  #nextClient = 1;
  #lastTurn = 0;

  /** `onPatience` is told whether the next statements may run for long, whenever that changes. */
  constructor(onFault: (reason: string) => void, onPatience: (patient: boolean) => void = () => undefined) {
    this.#onFault = onFault;
    this.#onPatience = onPatience;
    setInterval(() => this.#refuseTheTired(), 500).unref();
  }

  /**
   * Begins to answer; clients that came before were kept waiting. From now on a client waits for the transaction of
   * another one at most `waitLimitMs`, and is then refused with 53300.
   */
  async start(db: PGlite, waitLimitMs: number): Promise<void> {
    this.#db = db;
    this.#waitLimitMs = waitLimitMs;
    this.#watchForSwallowedErrors(db);
    const { answer } = await this.#execute(startupMessage('postgres', 'postgres'));
    this.#greeting = answer;
    for (const client of this.#clients) this.#greet(client);
    void this.#serve();
  }

  accept(socket: Socket): void {
    const client: Client = {
      socket,
      reader: new MessageReader(),
      prefix: `c${this.#nextClient++}_`,
      statements: new Set(),
      queue: [],
      waitingSince: 0,
      patient: false,
      started: false,
      greeted: false,
      gone: false,
      skipping: false,
      copy: undefined,
      copyLength: 0,
    };
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#leave(client));
    if (this.#ended) {
      socket.end(errorResponse('57P03', 'The embedded store is closing or being reopened.'));
      return;
    }
    if (this.#clients.size >= MOST_CLIENTS) {
      socket.end(errorResponse('53300', `The embedded store takes at most ${MOST_CLIENTS} connections.`));
      return;
    }
    this.#clients.add(client);
    socket.on('data', (chunk) => this.#receive(client, chunk));
  }

  /** Ends all connections with an error (the one whose statement runs with `own`), and waits until it is sent. */
  async end(code: string, text: string, own?: { code: string; text: string; hint: string }): Promise<void> {
    this.#ended = true;
    const sent = [...this.#clients].map((client) => {
      const error =
        own && client === this.#owner ? errorResponse(own.code, own.text, own.hint) : errorResponse(code, text);
      return new Promise<void>((resolve) => {
        client.socket.once('close', () => resolve());
        client.socket.end(error, () => resolve());
      });
    });
    await Promise.race([Promise.all(sent), new Promise((resolve) => setTimeout(resolve, 500))]);
  }

  #receive(client: Client, chunk: Buffer): void {
    client.reader.push(chunk);
    try {
      for (let next = client.reader.next(); next; next = client.reader.next()) {
        if (!client.started) this.#startUp(client, next);
        else if (typeOf(next) === 'X') client.socket.end();
        else client.queue.push(next);
      }
    } catch (error) {
      this.#refuse(client, errorResponse('54000', error instanceof Error ? error.message : String(error)));
      return;
    }
    if (client.queue.length > 0) this.#wait(client);
    void this.#serve();
  }

  #startUp(client: Client, first: Buffer): void {
    switch (startupKind(first)) {
      case 'encryption':
        client.socket.write('N');
        break;
      case 'cancel':
        // A running statement blocks this process: when the request is read there is nothing left to cancel.
        client.socket.end();
        break;
      case 'start':
        client.started = true;
        client.patient = applicationName(first) === PATIENT_CLIENT;
        client.reader.markStarted();
        this.#greet(client);
        break;
      case 'unknown':
        this.#refuse(client, errorResponse('08P01', 'Only version 3 of the PostgreSQL protocol is spoken here.'));
    }
  }

  #greet(client: Client): void {
    if (!this.#greeting || !client.started || client.greeted) return;
    client.greeted = true;
    client.socket.write(this.#greeting);
  }

  #wait(client: Client): void {
    if (client === this.#owner || this.#waiting.includes(client)) return;
    client.waitingSince = Date.now();
    this.#waiting.push(client);
  }

  #leave(client: Client): void {
    if (client.gone) return;
    client.gone = true;
    client.queue.length = 0;
    this.#clients.delete(client);
    this.#wait(client);
    void this.#serve();
  }

  /** Only while the session is held by a client that sends nothing: one that works is followed by the next in line. */
  #refuseTheTired(): void {
    if (this.#busy || !this.#owner) return;
    const latest = Date.now() - this.#waitLimitMs;
    for (const client of this.#waiting.filter((waiting) => !waiting.gone && waiting.waitingSince < latest)) {
      this.#refuse(
        client,
        errorResponse(
          '53300',
          'The one session of the embedded store is taken by the transaction of another connection.',
          'Use one connection, or a PostgreSQL server (DATABASE_URL).',
        ),
      );
    }
  }

  /** Ends a connection with an error. What the client still sends is read and dropped, so that it gets to the error. */
  #refuse(client: Client, error: Buffer): void {
    client.queue.length = 0;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== client);
    client.socket.removeAllListeners('data').resume();
    client.socket.end(error);
    setTimeout(() => client.socket.destroy(), REFUSED_LINGER_MS).unref();
  }

  async #serve(): Promise<void> {
    if (this.#busy || !this.#db) return;
    this.#busy = true;
    try {
      while (!this.#ended) {
        const client = this.#owner ?? this.#waiting.shift();
        if (!client) break;
        this.#owner = client;
        if (client.gone) {
          await this.#cleanUpAfter(client);
          this.#owner = undefined;
          continue;
        }
        const next = client.queue.shift();
        if (!next) {
          if (!this.#idle) break;
          this.#owner = undefined;
          continue;
        }
        await this.#handle(client, next);
        if (this.#idle) {
          this.#owner = undefined;
          if (client.queue.length > 0) this.#wait(client);
        }
        await this.#letOthersIn();
      }
    } finally {
      this.#busy = false;
    }
  }

  /** Sockets, pings and the next client's messages are only read when this process comes up for air. */
  async #letOthersIn(): Promise<void> {
    if (Date.now() - this.#lastTurn < 20) return;
    await nextTurn();
    this.#lastTurn = Date.now();
  }

  /** Runs one message and answers it. The backend is idle again when its answer ends with ReadyForQuery. */
  async #handle(client: Client, original: Buffer): Promise<void> {
    if (client.copy) return this.#continueCopy(client, client.copy, original);
    if (isCopyFromClient(original)) {
      // PGlite reads a COPY's rows without waiting for them: it gets the statement when they are all here.
      client.copy = [original];
      client.copyLength = original.length;
      client.socket.write(COPY_IN_RESPONSE);
      this.#idle = false;
      return;
    }
    const { message: scoped, statement } = withStatementPrefix(original, client.prefix);
    const type = typeOf(original);
    if (type === 'P' && statement) client.statements.add(statement);
    if (type === 'C') client.statements.delete(statement);
    this.#idle = false;
    await this.#run(client, scoped);
  }

  async #continueCopy(client: Client, copy: Buffer[], next: Buffer): Promise<void> {
    const type = typeOf(next);
    if (type === 'H' || type === 'S') return;
    client.copyLength += next.length;
    if (client.copyLength > LARGEST_MESSAGE) {
      client.copy = undefined;
      this.#refuse(
        client,
        errorResponse('54000', `A COPY takes at most ${LARGEST_MESSAGE} bytes here.`, 'Send it in parts.'),
      );
      return;
    }
    copy.push(type === 'd' || type === 'c' ? next : COPY_FAIL);
    if (type === 'd') return;
    client.copy = undefined;
    await this.#run(client, Buffer.concat(copy), (answerType) => answerType !== 'G');
  }

  async #run(client: Client, request: Buffer, wanted: (type: string) => boolean = () => true): Promise<void> {
    const type = typeOf(request);
    if (client.patient !== this.#patient) {
      this.#patient = client.patient;
      this.#onPatience(client.patient);
    }
    const { answer, types, fault } = await this.#execute(request);
    const expected = client.skipping && type !== 'S' ? undefined : ANSWERS[type];
    const answered = !expected || [...expected].some((one) => types.has(one));
    if (fault || !answered) {
      this.#ended = true;
      this.#onFault(fault ?? 'a statement ended without an answer');
      return;
    }
    if (type === 'S' || type === 'Q') client.skipping = type === 'Q' && client.skipping;
    else if (types.has('E')) client.skipping = true;
    // PGlite adds ReadyForQuery to every error. Within a unit it is the Sync's: a client would take the second one for
    // the end of its next query.
    const isEarly = types.has('Z') && type !== 'S' && type !== 'Q';
    if (isEarly) this.#idle = false;
    if (types.has('G') || types.has('A') || isEarly) {
      for (const part of messagesIn(answer)) {
        if (part.type === 'A') this.#tellEveryone(part.bytes);
        else if (wanted(part.type) && !(isEarly && part.type === 'Z')) client.socket.write(part.bytes);
      }
    } else if (answer.length > 0) {
      client.socket.write(answer);
    }
  }

  /** Whose LISTEN a notification answers is not known in a common session; who did not listen passes it over. */
  #tellEveryone(notification: Buffer): void {
    for (const client of this.#clients) if (client.greeted) client.socket.write(notification);
  }

  async #execute(request: Buffer): Promise<{ answer: Buffer; types: Set<string>; fault: string | undefined }> {
    const db = this.#db;
    if (!db) throw new Error('The session has not been started');
    const chunks: Buffer[] = [];
    this.#faults = [];
    try {
      // The bytes lie in the memory of the WebAssembly module and are overwritten: copied.
      await db.execProtocolRawStream(request, { syncToFs: false, onRawData: (data) => chunks.push(Buffer.from(data)) });
    } catch (error) {
      this.#faults.push(describe(error));
    }
    const answer = Buffer.concat(chunks);
    const types = new Set<string>();
    for (const { type, bytes } of messagesIn(answer)) {
      types.add(type);
      if (type === 'Z') this.#idle = bytes[5] === 'I'.charCodeAt(0);
    }
    return { answer, types, fault: this.#faults[0] };
  }

  /**
   * PGlite drops every exception; only the exit status tells PostgreSQL's own errors from all others. It also leaves
   * the stack where the error was raised: after some 1,700 errors every statement would fail with 54001.
   */
  #watchForSwallowedErrors(db: PGlite): void {
    const backend = db.Module as Backend;
    const runOnce = backend._PostgresMainLoopOnce;
    backend._PostgresMainLoopOnce = () => {
      const stack = backend.___stack_pointer.value;
      try {
        runOnce();
      } catch (error) {
        backend.___stack_pointer.value = stack;
        if (backend._pgl_getPGliteExitStatus() !== ORDINARY_ERROR) {
          this.#faults.push(describe(error));
          if (this.#faults.length > HOPELESS_FAULTS) process.exit(70);
        }
        throw error;
      }
    };
  }

  async #cleanUpAfter(client: Client): Promise<void> {
    const commands: Buffer[] = [];
    if (!this.#idle) commands.push(simpleQuery('rollback'), SYNC, simpleQuery('rollback'));
    if (this.#clients.size === 0) commands.push(simpleQuery('discard all'));
    else if (client.statements.size > 0) commands.push(...[...client.statements].map(closeStatement), SYNC);
    for (const command of commands) {
      const { fault } = await this.#execute(command);
      if (!fault) continue;
      this.#ended = true;
      this.#onFault(fault);
      return;
    }
    this.#idle = true;
  }
}

function describe(error: unknown): string {
  if (typeof error === 'number') return 'an exception of the geometry library';
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** The text of the error that a client gets for a statement whose error PGlite swallowed. */
export function swallowedError(reason: string): { code: string; text: string; hint: string } {
  return {
    code: 'XX000',
    text: `The embedded store could not finish this statement (${reason}); its transaction was rolled back.`,
    hint: 'The store is being reopened. A PostgreSQL server (DATABASE_URL) reports what is wrong with the statement.',
  };
}
