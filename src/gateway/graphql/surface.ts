import type { FastifyPluginAsync } from 'fastify';
import type { Config } from '../../base/config/config.ts';
import type { Caches } from '../../base/lru-caches.ts';
import type { Caller } from '../../graph/builder/caller.ts';
import type { Context } from '../../graph/builder/context.ts';
import type { DatabaseBackend } from '../../store/backend.ts';
import type { DataVersionWatch } from '../../store/reading/data-version.ts';
import type { AccessGrant } from '../../store/sql/tables.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { AdmitPage, RequestHook } from '../http/admission.ts';
import type { ErrorHandler } from '../http/error-handler.ts';
import type { Prepare } from './documents/documents.ts';
import type { PageDocument } from './documents/trusted-documents.ts';
import type { Execute } from './execution/execute.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Returns the `onRequest` hook that authenticates the caller, by the `x-api-key` header alone, and sets
     * `request.caller` before the route reads any parameter. The hook throws ServiceError UNAUTHENTICATED,
     * STORE_UNAVAILABLE, or OVERLOADED and RATE_LIMITED if there is too much load.
     * @param check throws an error for callers that may not use the route.
     */
    authenticate(check?: (caller: Caller) => void): RequestHook;
    /** Limits requests that need no API key. Routes that serve pages call it in `onRequest`. */
    admitPage: AdmitPage;
    /** The error handler of addresses that people open in browsers: a page for a missing one, otherwise as for all routes. */
    sendPageError: ErrorHandler;
    /** Returns the context of resolvers for an authenticated request: its caller, and its database handle. */
    contextOf(request: FastifyRequest, addedGrants?: readonly AccessGrant[]): Context;
  }
}

/** The plugin options of the routes. */
export interface RouteOptions {
  readonly config: Config;
  readonly backend: DatabaseBackend;
  /** Executes the operations of all APIs. */
  readonly execute: Execute;
  /** Parses, limits and validates the documents of clients. */
  readonly prepare: Prepare;
  /** What is known of the data version. */
  readonly versions: DataVersionWatch;
  /** The response cache; undefined if it is disabled. */
  readonly responseCache: ResponseCache | undefined;
  /** All caches between requests are created with it, so that they appear in the metrics. */
  readonly caches: Caches;
  /** Returns the API key that the pages use; undefined if the operator has given them none. */
  readonly pageKey: () => Promise<string | undefined>;
  /** The documents of the map page by the name of their operation, which the GraphQL server executes by their ids. */
  readonly pageDocuments: ReadonlyMap<string, PageDocument>;
}

export type Routes = FastifyPluginAsync<RouteOptions>;
