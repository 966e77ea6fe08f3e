import type { Socket } from 'node:net';
import { MessageReader } from './wire.ts';

/** A client of the shared session with its protocol state. */
export type SessionClient = ReturnType<typeof newClient>;

/** Creates the state of a new client; `number` is unique. */
export function newClient(socket: Socket, number: number) {
  return {
    socket,
    reader: new MessageReader(),
    /** The prefix for the names of this client's prepared statements in the shared session. */
    prefix: `c${number}_`,
    statements: new Set<string>(),
    queue: [] as Buffer[],
    waitingSince: 0,
    longRunning: false,
    started: false,
    greeted: false,
    gone: false,
    /** After an error the backend ignores all messages up to the next Sync. */
    skipping: false,
    /** A COPY FROM STDIN with its rows, collected until they are complete. */
    copy: undefined as Buffer[] | undefined,
    copyLength: 0,
  };
}

/** Milliseconds after which a rejected connection is destroyed if the client does not close it. */
const REJECTED_LINGER_MS = 5_000;

/**
 * Ends a connection with an error. Further data of the client is read and discarded, so that the client receives the
 * error.
 */
export function endWithError({ socket, queue }: SessionClient, error: Buffer): void {
  queue.length = 0;
  socket.removeAllListeners('data').resume();
  socket.end(error);
  setTimeout(() => socket.destroy(), REJECTED_LINGER_MS).unref();
}
