import type { ObserveStatement } from './observe-statement.ts';

/** The parts of a request that have a span of their own. */
export type TracedPart = 'graphql.operation';

/** The trace of a request. It contains nothing that a caller sent except the ids of `traceparent`. */
export interface RequestTrace {
  /** The id of the trace that the request belongs to: 32 hexadecimal digits. */
  readonly traceId: string;
  /** Creates spans for the statements of the request, as children of the current part. */
  readonly observeStatement: ObserveStatement;
  /** Creates a span for a part of the request. */
  during<Result>(part: TracedPart, work: () => Promise<Result>): Promise<Result>;
}
