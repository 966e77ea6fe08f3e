import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { validate } from 'graphql';
import type { Context } from '../../graph/builder/context.ts';
import { schema } from '../../graph/schema.ts';
import { prepareValid } from './documents/documents.ts';
import type { Execute, Operation } from './execution/execute.ts';

/**
 * Executes a prepared document.
 * @throws the error of the first failed field: REST and MCP have no partial responses.
 */
export type RunDocument<Result, Variables> = (
  execute: Execute,
  variables: Variables,
  context: Context,
  shapes?: Operation['shapes'],
) => Promise<Result>;

/**
 * Prepares a document for in-process execution against the schema, like the document of any other client.
 * @throws AggregateError for a document that does not validate against the schema.
 */
export function prepareDocument<Result, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Result, Variables>,
): RunDocument<Result, Variables> {
  const problems = validate(schema, document);
  if (problems.length > 0) throw new AggregateError(problems, 'A document does not fit the schema');
  const prepared = prepareValid(schema, document);

  return async (execute, variables, context, shapes) => {
    const { data, errors } = await execute({ prepared, variableValues: variables, contextValue: context, shapes });
    const failed = errors?.[0];
    if (failed) throw failed.originalError ?? failed;
    return data as Result;
  };
}
