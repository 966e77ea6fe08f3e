import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionCounts, HttpLimits } from '../config/limits.ts';
import { ServiceError } from '../errors.ts';
import { endConnection } from './client-errors.ts';
import { clientNetwork } from './client-network.ts';

/**
 * How many requests of a connection may wait for those before them. Browsers, proxies and HTTP libraries never send a
 * request before the response to the last one; benchmark tools send up to a hundred.
 */
const MOST_WAITING = 100;
/** Milliseconds during which an address that sent more may not connect: reading the requests takes time already. */
const BAN_MS = 10_000;

const TOO_MANY_WAITING = new ServiceError(
  'RATE_LIMITED',
  `Limit Exceeded: at most ${MOST_WAITING} requests of a connection may wait for the responses to earlier ones. Send a request after the response to the last one, and connect again after ${BAN_MS / 1_000} seconds.`,
);

/** The state of a connection while it has a request whose response has not ended. */
interface Connection {
  /** The response to the request that is handled. */
  response: ServerResponse;
  /** The requests that arrived after it, in their order. */
  readonly waiting: { readonly response: ServerResponse; readonly start: () => void }[];
}

/**
 * Creates a server of Node whose connections are limited, and which handles the requests of each one in order: Node emits all
 * requests that arrive in one packet in the same turn of the event loop, up to two thousand, before anybody else's. Fastify
 * sees a request when its turn has come: a thousand of them would take it half a second.
 */
export function createHttpServer(
  limits: HttpLimits,
  { total, perAddress }: ConnectionCounts,
  handle: RequestListener,
): Server {
  const socketsOf = new Map<string, Set<Socket>>();
  const banned = new Set<string>();
  const connections = new Map<Socket, Connection>();

  /** Ends the other connections of an address, too, before what they have sent is read in the same turn. */
  function ban(address: string, last: Socket): void {
    for (const socket of socketsOf.get(address) ?? []) if (socket !== last) socket.destroy();
    banned.add(address);
    setTimeout(() => banned.delete(address), BAN_MS).unref();
  }

  function startNext(socket: Socket): void {
    const connection = connections.get(socket);
    const next = connection?.waiting.shift();
    if (!connection || !next || socket.destroyed) return void connections.delete(socket);
    connection.response = next.response;
    setImmediate(next.start);
  }

  function admit(socket: Socket): void {
    const address = clientNetwork(socket.remoteAddress ?? '');
    const sockets = socketsOf.get(address) ?? new Set();
    if (banned.has(address) || (perAddress > 0 && sockets.size >= perAddress)) return void socket.destroy();
    socketsOf.set(address, sockets.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && socketsOf.get(address) === sockets) socketsOf.delete(address);
    });
  }

  /**
   * Handles a request when the responses to all earlier ones of its connection have ended; never if the connection ends
   * before.
   */
  const inOrder: RequestListener = (request, response) => {
    const { socket } = request;
    // The connection was ended while this request was read.
    if (socket.destroyed || socket.writableEnded) return;
    const connection = connections.get(socket);
    const start = (): void => {
      response.once('close', () => startNext(socket));
      handle(request, response);
    };
    if (!connection) {
      connections.set(socket, { response, waiting: [] });
      start();
    } else if (connection.waiting.length < MOST_WAITING) {
      connection.waiting.push({ response, start });
    } else {
      ban(clientNetwork(socket.remoteAddress ?? ''), socket);
      // The beginning of a response cannot be taken back.
      if (connection.response.headersSent) socket.destroy();
      else endConnection(TOO_MANY_WAITING, socket);
    }
  };

  const server = createServer({
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionsCheckingInterval: 1_000,
    // Checked by the limits hook, whose response has the error envelope.
    requireHostHeader: false,
  });
  if (total > 0) server.maxConnections = total;
  server.on('connection', admit);
  server.on('request', inOrder);
  // Node would send an empty 417; the limits hook sends one with a body.
  server.on('checkExpectation', inOrder);
  return server;
}
