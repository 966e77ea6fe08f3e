import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionCounts, HttpLimits } from '../../base/config/limits.ts';
import { ServiceError } from '../../base/errors.ts';
import { clientErrorOf, endConnection } from './client-errors.ts';
import { clientNetwork } from './client-network.ts';

/**
 * How many requests of a connection may wait for those before them. Browsers, proxies and HTTP libraries never send a
 * request before the response to the last one; benchmark tools send up to a hundred.
 */
const MOST_WAITING = 100;
/**
 * Bytes that are parsed at once. Node reads 64 KiB, and creates the objects of all requests in them, up to two thousand,
 * before anything else happens.
 */
const SLICE = 4_096;

const TOO_MANY_WAITING = new ServiceError(
  'RATE_LIMITED',
  `Limit Exceeded: at most ${MOST_WAITING} requests of a connection may wait for the responses to earlier ones. Send a request after the response to the last one.`,
);

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The state of a connection. */
interface Connection {
  /** The request that is handled; undefined if the connection is idle. */
  current: Arrived | undefined;
  /** The requests that arrived after it, in their order. */
  readonly waiting: Arrived[];
  /** The error with which the connection ends after the responses to those; nothing is read any more. */
  last: ServiceError | undefined;
}

/**
 * Creates a server of Node whose connections are limited, and which handles the requests of each one in order: Node emits all
 * requests that arrive in one packet in the same turn of the event loop, before anybody else's. Fastify
 * sees a request when its turn has come: a thousand of them would take it half a second. What one connection sends ends no other one.
 */
export function createHttpServer(
  limits: HttpLimits,
  { total, perAddress }: ConnectionCounts,
  handle: RequestListener,
): Server {
  const socketsOf = new Map<string, Set<Socket>>();
  const connections = new Map<Socket, Connection>();

  /** Ends an idle connection of the address that has the most connections; returns whether there is one. */
  function endIdle(): boolean {
    const isIdle = (socket: Socket) => !connections.get(socket)?.current && !socket.destroyed;
    for (const sockets of [...socketsOf.values()].sort((one, other) => other.size - one.size)) {
      for (const socket of sockets) if (isIdle(socket)) return Boolean(socket.destroy());
    }
    return false;
  }

  function admit(socket: Socket): void {
    const address = clientNetwork(socket.remoteAddress ?? '');
    const sockets = socketsOf.get(address) ?? new Set();
    const isFull = total > 0 && connections.size >= total;
    if ((perAddress > 0 && sockets.size >= perAddress) || (isFull && !endIdle())) return void socket.destroy();
    socketsOf.set(address, sockets.add(socket));
    const connection: Connection = { current: undefined, waiting: [], last: undefined };
    connections.set(socket, connection);
    socket.once('close', () => {
      connections.delete(socket);
      sockets.delete(socket);
      if (sockets.size === 0 && socketsOf.get(address) === sockets) socketsOf.delete(address);
    });
    readInSlices(socket, connection);
  }

  function start(socket: Socket, connection: Connection, arrived: Arrived): void {
    connection.current = arrived;
    arrived.response.once('close', () => startNext(socket, connection));
    handle(arrived.request, arrived.response);
  }

  function startNext(socket: Socket, connection: Connection): void {
    const next = connection.waiting.shift();
    connection.current = next;
    if (socket.destroyed) return;
    if (next) setImmediate(() => start(socket, connection, next));
    else if (connection.last) endConnection(connection.last, socket);
  }

  /**
   * Handles a request when the responses to all earlier ones of its connection have ended; never if the connection ends
   * before.
   */
  const inOrder: RequestListener = (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    // The connection was ended while this request was read.
    if (!connection || connection.last || socket.destroyed || socket.writableEnded) return;
    if (!connection.current) start(socket, connection, { request, response });
    else if (connection.waiting.length < MOST_WAITING) connection.waiting.push({ request, response });
    else connection.last = TOO_MANY_WAITING;
  };

  /** Ends a connection whose input is no request, after the responses to the requests that arrived before. */
  function endAfterResponses(error: NodeJS.ErrnoException, socket: Socket): void {
    const known = clientErrorOf(error);
    const connection = connections.get(socket);
    if (!known || !connection) return void socket.destroy();
    // The last request did not arrive as a whole.
    if (connection.waiting.at(-1)?.request.complete === false) connection.waiting.pop();
    const isCurrent = connection.waiting.length === 0 && connection.current?.request.complete === false;
    if (connection.current && !isCurrent) connection.last ??= known;
    // The beginning of a response cannot be taken back.
    else if (connection.current?.response.headersSent) socket.destroy();
    else endConnection(known, socket);
  }

  const server = createServer({
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionsCheckingInterval: 1_000,
    // Checked by the limits hook, whose response has the error envelope.
    requireHostHeader: false,
  });
  server.on('connection', admit);
  server.on('request', inOrder);
  // Node would send an empty 417; the limits hook sends one with a body.
  server.on('checkExpectation', inOrder);
  server.on('clientError', endAfterResponses);
  return server;
}

/** Gives what a connection sends to Node's parser in slices, and nothing any more once its last response is known. */
function readInSlices(socket: Socket, connection: Connection): void {
  const [parse] = socket.listeners('data') as ((chunk: Buffer) => void)[];
  if (!parse) return;
  socket.off('data', parse);
  socket.on('data', (chunk: Buffer) => {
    if (connection.last) return void socket.pause();
    parse(chunk.subarray(0, SLICE));
    if (chunk.length > SLICE && !socket.destroyed) socket.unshift(chunk.subarray(SLICE));
  });
}
