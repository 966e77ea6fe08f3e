import { GraphQLError, type GraphQLErrorExtensions } from 'graphql';
import { toServiceError } from '../errors.ts';

/** An error as it stands in the `errors` of an answer. */
export type ErrorFormat = (error: Readonly<GraphQLError | Error>) => GraphQLError;

/**
 * Errors as the caller sees them: those of the document as graphql words them, ours with their code, and every fault of
 * ours as one fixed text with the request id.
 * @param onFault is told of the errors that are hidden.
 */
export function createErrorFormat(requestId: string, onFault: (error: Error) => void = () => undefined): ErrorFormat {
  return (error) => {
    const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
    if (cause instanceof GraphQLError) {
      return placed(error, cause.message, { code: 'BAD_REQUEST', ...cause.extensions });
    }
    const told = toServiceError(cause);
    if (told.status >= 500) onFault(cause);
    return placed(error, told.message, {
      code: told.code,
      ...(told.faults.length > 0 && { parameters: told.faults }),
      ...(told.status >= 500 && { requestId }),
    });
  };
}

/** A new error at the place of another in the document, without anything else of it. */
function placed(error: Readonly<Error>, message: string, extensions: GraphQLErrorExtensions): GraphQLError {
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}
