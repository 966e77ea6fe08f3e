import type { z } from 'zod';
import type { environment } from './environment.ts';

type Limits = ReturnType<typeof limitsOf>;
export type HttpLimits = Limits['http'];
export type OperationLimits = Limits['operation'];
export type ResponseLimits = Limits['response'];
export type LoadLimits = Limits['load'];
export type ConnectionCounts = Limits['connections'];
export type PageLimits = Limits['pages'];

/** Returns the limits of HTTP requests and of GraphQL operations. Sizes are in bytes, times in milliseconds. */
export function limitsOf(read: z.output<typeof environment>) {
  /** Requests that wait for others of their key or address; one that waited longer hardly ends before its deadline. */
  const waiting = { perKey: read.MAX_WAITING_PER_KEY, ms: read.DEADLINE_MS / 2 };
  return {
    /** Limits for requests that are checked before any lookup. */
    http: {
      body: read.MAX_BODY_BYTES,
      url: read.MAX_URL_BYTES,
      headers: read.MAX_HEADERS,
      /** Nesting depth of objects and lists in a JSON body. */
      nesting: read.MAX_JSON_DEPTH,
      /** Time until all headers have arrived. */
      headersTimeout: read.HEADERS_TIMEOUT_MS,
      /** Time until the whole request has arrived. */
      requestTimeout: read.ARRIVAL_TIMEOUT_MS,
      /** Time from the first byte of the request to the response. */
      handlerTimeout: read.DEADLINE_MS,
      /** Time that a connection stays open without another request. */
      keepAliveTimeout: read.KEEP_ALIVE_TIMEOUT_MS,
    },
    /** The limits for one operation. */
    operation: {
      tokens: read.MAX_QUERY_TOKENS,
      depth: read.MAX_QUERY_DEPTH,
      aliases: read.MAX_QUERY_ALIASES,
      directives: read.MAX_QUERY_DIRECTIVES,
      /** Maximum number of records in the response, estimated from the usual sizes of lists and leaves. */
      cost: read.MAX_QUERY_COST,
    },
    /** The maximum size of the response to one request. */
    response: {
      /** Bytes of the body before compression. */
      bytes: read.MAX_RESPONSE_BYTES,
      /** Objects that the gateway builds for the response; parts serialised by the database count only in bytes. */
      objects: read.MAX_QUERY_COST,
    },
    /** Limits for concurrent work. */
    load: {
      /** Requests of all keys, except those that wait for exports. */
      inFlight: read.MAX_IN_FLIGHT,
      inFlightPerKey: read.MAX_IN_FLIGHT_PER_KEY,
      /** Requests of one key that wait for exports. */
      exportsPerKey: read.MAX_EXPORTS_PER_KEY,
      /** Requests of one key that wait for changes. */
      readersPerKey: read.MAX_READERS_PER_KEY,
      waiting,
      /** Average event loop delay in milliseconds above which requests of a key run one at a time; 0 for no limit. */
      eventLoopDelay: read.MAX_EVENT_LOOP_DELAY_MS,
    },
    /** Limits for open connections; 0 for no limit. One address is an IPv4 address or an IPv6 /64 network. */
    connections: { total: read.MAX_SOCKETS, perAddress: read.MAX_SOCKETS_PER_ADDRESS },
    /** Limits for concurrent requests without an API key. One address is an IPv4 address or an IPv6 /64 network. */
    pages: { inFlight: read.MAX_PAGES_IN_FLIGHT, inFlightPerAddress: read.MAX_PAGES_IN_FLIGHT_PER_ADDRESS, waiting },
    failedKeysPerSecond: read.MAX_FAILED_KEYS_PER_SECOND,
  } as const;
}
