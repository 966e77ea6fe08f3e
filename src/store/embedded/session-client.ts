import type { Socket } from 'node:net';
import { MessageReader } from './wire.ts';

/** A client of the shared session, as far as it has come. */
export interface SessionClient {
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

/** A client that has just connected; `number` tells it from all others. */
export function newClient(socket: Socket, number: number): SessionClient {
  return {
    socket,
    reader: new MessageReader(),
    prefix: `c${number}_`,
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
}

/** A connection that was refused is cut if the client does not end it by then. */
const REFUSED_LINGER_MS = 5_000;

/** Ends a connection with an error. What the client still sends is read and dropped, so that it gets to the error. */
export function endWith({ socket, queue }: SessionClient, error: Buffer): void {
  queue.length = 0;
  socket.removeAllListeners('data').resume();
  socket.end(error);
  setTimeout(() => socket.destroy(), REFUSED_LINGER_MS).unref();
}
