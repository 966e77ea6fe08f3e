/** HttpLimits for requests that are checked before any lookup. Sizes in bytes, times in milliseconds. */
export interface HttpLimits {
  readonly body: number;
  readonly url: number;
  readonly headers: number;
  /** Nesting depth of objects and lists in a JSON body. */
  readonly nesting: number;
  /** Time until all headers have arrived. */
  readonly headersTimeout: number;
  /** Time until the whole request has arrived. */
  readonly requestTimeout: number;
  /** Time from the first byte of the request to the response. */
  readonly handlerTimeout: number;
  /** Time that a connection stays open without another request. */
  readonly keepAliveTimeout: number;
}

/** The limits for one operation. */
export interface OperationLimits {
  readonly tokens: number;
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** Maximum number of records in the response, estimated from the usual sizes of lists and leaves. */
  readonly cost: number;
}

/** The maximum size of the response to one request. */
export interface ResponseLimits {
  /** Bytes of the body before compression. */
  readonly bytes: number;
  /** Objects that the gateway builds for the response; parts serialised by the database count only in bytes. */
  readonly objects: number;
}

/** Limits for concurrent work. */
export interface LoadLimits {
  /** Requests of all keys, except those that wait for exports; also the limit for keys being looked up. */
  readonly inFlight: number;
  readonly inFlightPerKey: number;
  /** Requests of one key that wait for exports. */
  readonly exportsPerKey: number;
  /**
   * Estimated wait for a database connection, in milliseconds, above which a request is rejected on admission; 0 for no
   * limit.
   */
  readonly queue: number;
  /** Average event loop delay in milliseconds above which work is rejected; 0 for no limit. */
  readonly eventLoopDelay: number;
}

/** Limits for concurrent requests without an API key. */
export interface PageLimits {
  readonly inFlight: number;
  /** Limit for one IPv4 address or one IPv6 /64 network. */
  readonly inFlightPerAddress: number;
}

/** Limits for open connections; 0 for no limit. */
export interface ConnectionCounts {
  readonly total: number;
  /** Limit for one IPv4 address or one IPv6 /64 network. */
  readonly perAddress: number;
}
