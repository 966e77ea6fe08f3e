import { type GraphQLError, type GraphQLErrorExtensions, Kind } from 'graphql';

/** The path within the value, as graphql-js prints it in the message: ` at [0].latitude`. */
const PATH = /^Variable "\$\w+" has invalid value(?: at ((?:\.?\w+|\[\d+\])+))?: /;
const PATH_PART = /\[(\d+)\]|(\w+)/g;

/**
 * Returns the extensions of an error in the value of a variable: the variable's name, and the path of the invalid part
 * within its value; undefined for any other error.
 */
export function variableErrorExtensions({ nodes, message }: GraphQLError): GraphQLErrorExtensions | undefined {
  const [node] = nodes ?? [];
  const found = node?.kind === Kind.VARIABLE_DEFINITION ? PATH.exec(message) : null;
  if (!found || node?.kind !== Kind.VARIABLE_DEFINITION) return undefined;
  const parts = [...(found[1] ?? '').matchAll(PATH_PART)];
  const path = parts.map(([, index, name]) => (index === undefined ? name : Number(index)));
  return { code: 'BAD_USER_INPUT', variable: node.variable.name.value, path };
}
