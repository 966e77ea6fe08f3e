import { createServer, type RequestListener, type Server } from 'node:http';
import type { HttpLimits } from '../config/limits.ts';
import type { Connections } from './connections.ts';

/** Creates a server of Node whose connections are limited, and whose requests are handled in order. */
export function createHttpServer(limits: HttpLimits, connections: Connections, handle: RequestListener): Server {
  const server = createServer({
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionsCheckingInterval: 1_000,
    // Checked by the limits hook, whose response has the error envelope.
    requireHostHeader: false,
  });
  connections.limit(server);
  const inOrder: RequestListener = (request, response) =>
    connections.inOrder(request, response, () => handle(request, response));
  server.on('request', inOrder);
  // Node would send an empty 417; the limits hook sends one with a body.
  server.on('checkExpectation', inOrder);
  return server;
}
