import { GraphQLError, type GraphQLErrorExtensions, Kind } from 'graphql';
import { toServiceError } from '../../../base/errors.ts';

/** Converts an error to the form it has in the `errors` of a response. */
export type ErrorFormat = (error: Readonly<GraphQLError | Error>) => GraphQLError;

/**
 * Creates the function that formats errors for callers. Errors in the document keep the message of graphql-js,
 * `ServiceError` is sent with its code, and all internal errors have one fixed message with the request id.
 * @param onError called with the causes of all errors except those in the document; `logCause` selects those to log.
 */
export function createErrorFormat(requestId: string, onError: (error: Error) => void = () => undefined): ErrorFormat {
  return (error) => {
    const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
    if (cause instanceof GraphQLError && !isOfData(error, cause)) {
      const ofVariable = error instanceof GraphQLError ? variableErrorExtensions(error) : undefined;
      return located(error, error.message, ofVariable ?? { code: 'BAD_REQUEST', ...cause.extensions });
    }
    const serviceError = toServiceError(cause);
    onError(cause);
    return located(error, serviceError.message, {
      code: serviceError.code,
      ...(serviceError.invalidParameters.length > 0 && { parameters: serviceError.invalidParameters }),
      ...serviceError.members,
      ...(serviceError.status >= 500 && { requestId }),
    });
  };
}

/**
 * Returns whether an error is caused by a value of the data that its type cannot represent: graphql-js throws it with
 * neither a code nor a place in the document, unlike errors that the caller can correct.
 */
function isOfData(error: Readonly<Error>, cause: GraphQLError): boolean {
  const isOfField = error instanceof GraphQLError && error.path !== undefined;
  return isOfField && cause.nodes === undefined && cause.extensions.code === undefined;
}

/** Returns a new error with the locations and path of another one, but without its message, stack and cause. */
function located(error: Readonly<Error>, message: string, extensions: GraphQLErrorExtensions): GraphQLError {
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

/** The path within the value, as graphql-js prints it in the message: ` at [0].latitude`. */
const PATH = /^Variable "\$\w+" has invalid value(?: at ((?:\.?\w+|\[\d+\])+))?: /;
const PATH_PART = /\[(\d+)\]|(\w+)/g;

/**
 * Returns the extensions of an error in the value of a variable: the variable's name, and the path of the invalid part
 * within its value; undefined for any other error.
 */
function variableErrorExtensions({ nodes, message }: GraphQLError): GraphQLErrorExtensions | undefined {
  const [node] = nodes ?? [];
  const found = node?.kind === Kind.VARIABLE_DEFINITION ? PATH.exec(message) : null;
  if (!found || node?.kind !== Kind.VARIABLE_DEFINITION) return undefined;
  const parts = [...(found[1] ?? '').matchAll(PATH_PART)];
  const path = parts.map(([, index, name]) => (index === undefined ? name : Number(index)));
  return { code: 'BAD_USER_INPUT', variable: node.variable.name.value, path };
}
