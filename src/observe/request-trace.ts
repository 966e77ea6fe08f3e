import type { ObserveStatement } from '../store/observe-statement.ts';

/** The parts of a request that are timed by themselves. */
export type TracedPart = 'graphql.operation';

/** A request that is traced. Nothing that a caller sent goes into its trace but the ids of `traceparent`. */
export interface RequestTrace {
  /** Of the trace that the request belongs to: 32 hexadecimal digits. */
  readonly traceId: string;
  /** Times the statements of the request, below the part that is under way. */
  readonly observeStatement: ObserveStatement;
  /** Times a part of the request. */
  during<Result>(part: TracedPart, work: () => Promise<Result>): Promise<Result>;
}
