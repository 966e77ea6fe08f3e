import type { DocumentNode } from 'graphql';
import type { Logger } from '../logger.ts';
import { operationHash } from '../observe/operation-labels.ts';
import { codeOf } from '../store/faults.ts';

/**
 * Logs a fault of the query planner, with the hash under which metrics count the operation. The message of the error is
 * left out: that of the database or of `JSON.parse` may repeat values of the data or of the request.
 */
export function logPlannerFailure(log: Logger, error: unknown, document: DocumentNode): void {
  const isError = error instanceof Error;
  log.error(
    {
      operation: operationHash(document),
      errorType: isError ? error.name : typeof error,
      errorCode: codeOf(error) || undefined,
      frames: isError ? framesOf(error) : [],
    },
    'a selection that the query planner compiled failed',
  );
}

/** The lines of a stack that name places in the program, without the message before them. */
function framesOf({ stack = '' }: Error): string[] {
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at .+:\d+:\d+\)?$/.test(line));
}
