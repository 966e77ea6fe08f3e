import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { dictionary } from '../../base/dictionary.ts';
import type { Backend, BackendResponse, SwallowedFailure } from './pglite-backend.ts';
import { endWithError, newClient, type SessionClient } from './session-client.ts';
import {
  applicationName,
  COPY_FAIL,
  COPY_IN_RESPONSE,
  closeStatement,
  errorResponse,
  isCopyFromClient,
  LARGEST_MESSAGE,
  LONG_RUNNING_CLIENT,
  messagesIn,
  SYNC,
  simpleQuery,
  startupKind,
  startupMessage,
  typeOf,
  withStatementPrefix,
} from './wire.ts';

const MOST_CLIENTS = 20;
/**
 * The message types of which a response contains at least one, by the type of the request, unless the backend skips to
 * the next Sync after an error.
 */
const RESPONSE_TYPES: Readonly<Record<string, string>> = dictionary({
  Q: 'CEI',
  P: '1E',
  B: '2E',
  D: 'TntE',
  E: 'CEIs',
  C: '3E',
  S: 'Z',
});

/**
 * Lets several clients use PGlite's single session, like a pooler in transaction mode: a client has the session from
 * the first message of a unit (a simple query, or the messages up to a Sync) until the backend is idle again, that is,
 * until the end of its transaction. Settings, temporary tables, LISTEN and session-level advisory locks are shared by
 * all clients until the last one disconnects.
 *
 * It also ensures that every statement gets a response: if PGlite swallows an exception of C++ or of the JavaScript
 * engine, the client receives an error (XX000) and `onFault` is called, because the state of the backend is unknown
 * afterwards. This happens before the transaction can commit, except for a simple query outside a transaction.
 *
 * `@electric-sql/pglite-socket` 0.2.17 (with `maxConnections`) is not used: two clients cannot prepare statements of the
 * same name (42P05), COPY FROM STDIN ends the backend, after which no client gets a response, an idle transaction blocks
 * all other clients without a time limit, and swallowed exceptions are not reported.
 */
export class SharedSession {
  readonly #onFailure: (failure: SwallowedFailure) => void;
  readonly #onLongRunning: (longRunning: boolean) => void;
  #longRunning = false;
  #waitLimitMs = Number.POSITIVE_INFINITY;
  readonly #clients = new Set<SessionClient>();
  #waiting: SessionClient[] = [];
  #owner: SessionClient | undefined;
  #backend: Backend | undefined;
  #greeting: Buffer | undefined;
  #busy = false;
  #ended = false;
  #idle = true;
  #nextClient = 1;
  #lastYield = 0;

  /**
   * Creates the session. `onPatience` is called with true or false whenever it changes whether the next statements may
   * be long-running.
   */
  constructor(
    onFailure: (failure: SwallowedFailure) => void,
    onLongRunning: (longRunning: boolean) => void = () => undefined,
  ) {
    this.#onFailure = onFailure;
    this.#onLongRunning = onLongRunning;
    setInterval(() => this.#rejectTimedOut(), 500).unref();
  }

  /**
   * Starts to process messages; clients that connected before were queued. From now on a client waits at most
   * `waitLimitMs` for the transaction of another one, and is then rejected with 53300.
   */
  async start(backend: Backend, waitLimitMs: number): Promise<void> {
    this.#backend = backend;
    this.#waitLimitMs = waitLimitMs;
    const { bytes } = await this.#execute(startupMessage('postgres', 'postgres'));
    this.#greeting = bytes;
    for (const client of this.#clients) this.#greet(client);
    void this.#serve();
  }

  accept(socket: Socket): void {
    const client = newClient(socket, this.#nextClient++);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#leave(client));
    if (this.#ended) {
      socket.end(errorResponse('57P03', 'The embedded database is closing or being reopened.'));
      return;
    }
    if (this.#clients.size >= MOST_CLIENTS) {
      socket.end(errorResponse('53300', `The embedded database takes at most ${MOST_CLIENTS} connections.`));
      return;
    }
    this.#clients.add(client);
    socket.on('data', (chunk) => this.#receive(client, chunk));
  }

  /**
   * Ends all connections with an error (`own` for the client whose statement is running), and waits until it is sent.
   */
  async end(code: string, text: string, ownError?: { code: string; text: string; hint: string }): Promise<void> {
    this.#ended = true;
    const sent = [...this.#clients].map((client) => {
      const error =
        ownError && client === this.#owner
          ? errorResponse(ownError.code, ownError.text, ownError.hint)
          : errorResponse(code, text);
      return new Promise<void>((resolve) => {
        client.socket.once('close', () => resolve());
        client.socket.end(error, () => resolve());
      });
    });
    await Promise.race([Promise.all(sent), new Promise((resolve) => setTimeout(resolve, 500))]);
  }

  #receive(client: SessionClient, chunk: Buffer): void {
    client.reader.push(chunk);
    try {
      for (let next = client.reader.next(); next; next = client.reader.next()) {
        if (!client.started) this.#startUp(client, next);
        else if (typeOf(next) === 'X') client.socket.end();
        else client.queue.push(next);
      }
    } catch (error) {
      this.#reject(client, errorResponse('54000', error instanceof Error ? error.message : String(error)));
      return;
    }
    if (client.queue.length > 0) this.#wait(client);
    void this.#serve();
  }

  #startUp(client: SessionClient, first: Buffer): void {
    switch (startupKind(first)) {
      case 'encryption':
        client.socket.write('N');
        break;
      case 'cancel':
        // A running statement blocks this process: when the request is read, there is nothing left to cancel.
        client.socket.end();
        break;
      case 'start':
        client.started = true;
        client.longRunning = applicationName(first) === LONG_RUNNING_CLIENT;
        client.reader.markStarted();
        this.#greet(client);
        break;
      case 'unknown':
        this.#reject(client, errorResponse('08P01', 'Only version 3 of the PostgreSQL protocol is supported.'));
    }
  }

  #greet(client: SessionClient): void {
    if (!this.#greeting || !client.started || client.greeted) return;
    client.greeted = true;
    client.socket.write(this.#greeting);
  }

  #wait(client: SessionClient): void {
    if (client === this.#owner || this.#waiting.includes(client)) return;
    client.waitingSince = Date.now();
    this.#waiting.push(client);
  }

  #leave(client: SessionClient): void {
    if (client.gone) return;
    client.gone = true;
    client.queue.length = 0;
    this.#clients.delete(client);
    this.#wait(client);
    void this.#serve();
  }

  /**
   * Rejects clients that waited too long, but only while the session is held by an idle client: an active one will be
   * followed by the next client in the queue.
   */
  #rejectTimedOut(): void {
    if (this.#busy || !this.#owner) return;
    const latest = Date.now() - this.#waitLimitMs;
    for (const client of this.#waiting.filter((waiting) => !waiting.gone && waiting.waitingSince < latest)) {
      this.#reject(
        client,
        errorResponse(
          '53300',
          'The only session of the embedded database is in use by the transaction of another connection.',
          'Use one connection, or a PostgreSQL server (DATABASE_URL).',
        ),
      );
    }
  }

  #reject(client: SessionClient, error: Buffer): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== client);
    endWithError(client, error);
  }

  async #serve(): Promise<void> {
    if (this.#busy || !this.#backend) return;
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
        await this.#yieldToEventLoop();
      }
    } finally {
      this.#busy = false;
    }
  }

  /** Yields to the event loop at most every 20 ms, so that sockets, pings and messages of other clients are read. */
  async #yieldToEventLoop(): Promise<void> {
    if (Date.now() - this.#lastYield < 20) return;
    await nextTurn();
    this.#lastYield = Date.now();
  }

  /**
   * Executes one message and sends its response. The backend is idle again when the response ends with ReadyForQuery.
   */
  async #handle(client: SessionClient, original: Buffer): Promise<void> {
    if (client.copy) return this.#continueCopy(client, client.copy, original);
    if (isCopyFromClient(original)) {
      // PGlite does not wait for the rows of a COPY: the statement is executed when all of them have arrived.
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

  async #continueCopy(client: SessionClient, copy: Buffer[], next: Buffer): Promise<void> {
    const type = typeOf(next);
    if (type === 'H' || type === 'S') return;
    client.copyLength += next.length;
    if (client.copyLength > LARGEST_MESSAGE) {
      client.copy = undefined;
      this.#reject(
        client,
        errorResponse('54000', `A COPY is limited to ${LARGEST_MESSAGE} bytes.`, 'Send it in parts.'),
      );
      return;
    }
    copy.push(type === 'd' || type === 'c' ? next : COPY_FAIL);
    if (type === 'd') return;
    client.copy = undefined;
    await this.#run(client, Buffer.concat(copy), (responseType) => responseType !== 'G');
  }

  async #run(client: SessionClient, request: Buffer, wanted: (type: string) => boolean = () => true): Promise<void> {
    const type = typeOf(request);
    if (client.longRunning !== this.#longRunning) {
      this.#longRunning = client.longRunning;
      this.#onLongRunning(client.longRunning);
    }
    const { bytes, types, failure } = await this.#execute(request);
    const expected = client.skipping && type !== 'S' ? undefined : RESPONSE_TYPES[type];
    const hasResponse = !expected || [...expected].some((one) => types.has(one));
    if (failure || !hasResponse) {
      const isCommitted = type === 'Q' && types.has('C') && this.#idle;
      this.#fail({ reason: failure ?? 'a statement ended without a response', isCommitted });
      return;
    }
    if (type === 'S' || type === 'Q') client.skipping = type === 'Q' && client.skipping;
    else if (types.has('E')) client.skipping = true;
    // PGlite adds ReadyForQuery to every error. Within a unit only the Sync should cause it: a client would mistake the
    // second one for the end of its next query.
    const isExtraReady = types.has('Z') && type !== 'S' && type !== 'Q';
    if (isExtraReady) this.#idle = false;
    if (types.has('G') || types.has('A') || isExtraReady) {
      for (const part of messagesIn(bytes)) {
        if (part.type === 'A') this.#notifyAll(part.bytes);
        else if (wanted(part.type) && !(isExtraReady && part.type === 'Z')) client.socket.write(part.bytes);
      }
    } else if (bytes.length > 0) {
      client.socket.write(bytes);
    }
  }

  /**
   * Sends a notification to all clients: in a shared session it is unknown which client has sent LISTEN, and the others
   * ignore it.
   */
  #notifyAll(notification: Buffer): void {
    for (const client of this.#clients) if (client.greeted) client.socket.write(notification);
  }

  async #execute(request: Buffer): Promise<BackendResponse> {
    if (!this.#backend) throw new Error('The session has not been started');
    const response = await this.#backend.execute(request);
    this.#idle = response.idle ?? this.#idle;
    return response;
  }

  #fail(failure: SwallowedFailure): void {
    this.#ended = true;
    this.#onFailure(failure);
  }

  async #cleanUpAfter(client: SessionClient): Promise<void> {
    const commands: Buffer[] = [];
    if (!this.#idle) commands.push(simpleQuery('rollback'), SYNC, simpleQuery('rollback'));
    if (this.#clients.size === 0) commands.push(simpleQuery('discard all'));
    else if (client.statements.size > 0) commands.push(...[...client.statements].map(closeStatement), SYNC);
    for (const command of commands) {
      const { failure } = await this.#execute(command);
      if (!failure) continue;
      this.#fail({ reason: failure, isCommitted: false });
      return;
    }
    this.#idle = true;
  }
}
