import { GraphQLError, type GraphQLErrorExtensions } from 'graphql';
import { toServiceError } from '../errors.ts';
import { variableErrorExtensions } from './variable-errors.ts';

/** Converts an error to the form it has in the `errors` of a response. */
export type ErrorFormat = (error: Readonly<GraphQLError | Error>) => GraphQLError;

/**
 * Creates the function that formats errors for callers. Errors in the document keep the message of graphql-js,
 * `ServiceError` is sent with its code, and all internal errors have one fixed message with the request id.
 * @param onInternalError called with the internal errors that are hidden from callers.
 */
export function createErrorFormat(
  requestId: string,
  onInternalError: (error: Error) => void = () => undefined,
): ErrorFormat {
  return (error) => {
    const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
    if (cause instanceof GraphQLError) {
      const ofVariable = error instanceof GraphQLError ? variableErrorExtensions(error) : undefined;
      return located(error, error.message, ofVariable ?? { code: 'BAD_REQUEST', ...cause.extensions });
    }
    const serviceError = toServiceError(cause);
    if (serviceError.status >= 500) onInternalError(cause);
    return located(error, serviceError.message, {
      code: serviceError.code,
      ...(serviceError.invalidParameters.length > 0 && { parameters: serviceError.invalidParameters }),
      ...(serviceError.status >= 500 && { requestId }),
    });
  };
}

/** Returns a new error with the locations and path of another one, but without its message, stack and cause. */
function located(error: Readonly<Error>, message: string, extensions: GraphQLErrorExtensions): GraphQLError {
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}
