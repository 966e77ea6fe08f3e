import { z } from 'zod';
import { ServiceError } from '../../../base/errors.ts';
import { stringifyJson } from '../../../graph/builder/raw-json.ts';
import { toolInput } from '../inputs.ts';
import { DocumentErrors, MAX_RESULT_BYTES, type Tool } from '../tool.ts';

/** Executes a document that the client wrote, with the limits of `/graphql`. */
export const runGraphql: Tool = {
  name: 'run_graphql',
  title: 'Run a GraphQL query',
  description:
    'Runs a read-only GraphQL query for data that the other tools do not return. search_schema finds what to select; the resource ballotgraph://schema.graphql is the whole schema. Results of more than 8 kB are rejected: select fewer fields, or smaller pages (first).',
  input: toolInput({
    query: z.string().min(1).describe('A document with one operation.'),
    variables: z.record(z.string(), z.unknown()).optional().describe('The values of its variables.'),
  }),
  output: z.object({
    data: z.record(z.string(), z.unknown()).nullish(),
    errors: z.array(z.object({ message: z.string() }).loose()).optional(),
    extensions: z.record(z.string(), z.unknown()).optional(),
  }),
  async run(input, { context, execute, prepare, formatError }) {
    const { query, variables = {} } = input as { query: string; variables?: Record<string, unknown> };
    const prepared = await prepare(query, variables, context);
    if ('exceeded' in prepared) throw prepared.exceeded;
    if ('errors' in prepared) throw new DocumentErrors(prepared.errors.map(formatError));
    const operation = { prepared, variableValues: variables, contextValue: context };
    const { data, errors } = await execute(operation);
    const formatted = errors?.map(formatError);
    if (!data && formatted) throw new DocumentErrors(formatted);
    const extensions = prepared.analysis.findNotInPackage(operation, context.caller.grants);
    const body = stringifyJson({ data, errors: formatted, extensions }, context.responseLimits);
    const bytes = Buffer.byteLength(body);
    if (bytes <= MAX_RESULT_BYTES) return JSON.parse(body) as Record<string, unknown>;
    throw new ServiceError(
      'RESPONSE_TOO_LARGE',
      `The result has ${bytes} bytes; at most ${MAX_RESULT_BYTES} are allowed: select fewer fields, or smaller pages (first).`,
    );
  },
};
