import type { FastifyInstance } from 'fastify';
import type { Days } from '../../base/clock.ts';
import type { Leave } from '../../base/fair-queue.ts';
import type { Caller } from '../../graph/builder/caller.ts';
import type { RequestTrace } from '../../store/reading/request-trace.ts';
import type { Database } from '../../store/sql/database.ts';

/** What the metrics and traces of a request say about its GraphQL operation. */
export interface NamedOperation {
  /** The name of the requested trusted document; undefined for any other document. */
  readonly trustedName: string | undefined;
  /** The label of the document in metrics; undefined if there is none that is valid. */
  readonly label: string | undefined;
}

/** What belongs to a request besides what the client sent. Everything else that needs it is made from it. */
interface RequestMembers {
  /** The authenticated caller; null before `authenticate`. */
  caller: Caller | null;
  /** Which day it is throughout the request. */
  days: Days;
  /** Aborted when the deadline of the request is exceeded or its client has disconnected. */
  abortSignal: AbortSignal;
  /** The GraphQL operation that is requested; null for the other APIs. */
  operation: NamedOperation | null;
  /** The error code of the response; null if there is no error. */
  errorCode: string | null;
  /** Whether the cause of an internal error of the request has been logged. */
  hasLoggedCause: boolean;
  /** The trace of the request; null if it is not traced. */
  trace: RequestTrace | null;
  /** Ends the place of the request among those under way; null while it has none. */
  leave: Leave | null;
  /** Whether it waited for changes of the data. */
  hasWaited: boolean;
  /** Its time limit. */
  deadline: NodeJS.Timeout;
  /** The database handle of the request; null until its first read. */
  db: Database | null;
}

declare module 'fastify' {
  interface FastifyRequest extends RequestMembers {}
}

/** The members before a hook sets them. The first hooks set the date and the abort signal. */
const INITIAL: { readonly [Name in keyof RequestMembers]: RequestMembers[Name] | undefined } = {
  caller: null,
  days: undefined,
  abortSignal: undefined,
  operation: null,
  errorCode: null,
  hasLoggedCause: false,
  trace: null,
  leave: null,
  hasWaited: false,
  deadline: undefined,
  db: null,
};

/** Declares the members of requests to Fastify, which then creates all requests with the same shape. */
export function decorateRequests(app: FastifyInstance): void {
  for (const [name, value] of Object.entries(INITIAL)) app.decorateRequest(name, value as never);
}
