import { codeOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';

/**
 * Logs an internal error of the query planner with the hash that labels the document in metrics. The error message is
 * omitted: messages of the database and of `JSON.parse` may contain values of the data or of the request.
 */
export function logPlannerFailure(log: Logger, error: unknown, operation: string): void {
  const isError = error instanceof Error;
  log.error(
    {
      operation,
      errorType: isError ? error.name : typeof error,
      errorCode: codeOf(error) || undefined,
      frames: isError ? framesOf(error) : [],
    },
    'a selection that the query planner compiled failed',
  );
}

/** Returns the stack frames of an error, without its message. */
function framesOf({ stack = '' }: Error): string[] {
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at .+:\d+:\d+\)?$/.test(line));
}
