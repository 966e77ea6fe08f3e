import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { validate } from 'graphql';
import type { Context } from '../graphql/context.ts';
import { createPlainRunner, type Operation } from '../graphql/run-operation.ts';
import { schema } from '../graphql/schema.ts';

const runPlainly = createPlainRunner(schema);

/**
 * Prepares a document to be run in-process against the schema, as a client of it like any other.
 * @returns runs it, parts of the answer as JSON in some shape where the store words them (`Operation.shapes`); throws what
 * the first failed field threw: REST has no partial answers. What ended the request ends it.
 * @throws AggregateError for a document that does not fit the schema.
 */
export function prepareDocument<Result, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Result, Variables>,
): (variables: Variables, context: Context, shapes?: Operation['shapes']) => Promise<Result> {
  const problems = validate(schema, document);
  if (problems.length > 0) throw new AggregateError(problems, 'A document of REST does not fit the schema');

  return async (variables, context, shapes) => {
    const run = context.runOperation ?? runPlainly;
    const abortSignal = context.ending;
    const operation = { document, variableValues: variables, contextValue: context, abortSignal, shapes };
    const { data, errors } = await run(operation);
    const failed = errors?.[0];
    if (failed) throw failed.originalError ?? failed;
    return data as Result;
  };
}
