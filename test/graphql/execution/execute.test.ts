import {
  execute,
  GraphQLError,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  parse,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/base/errors.ts';
import { prepareValid } from '../../../src/gateway/graphql/documents/documents.ts';
import { createExecute } from '../../../src/gateway/graphql/execution/execute.ts';
import type { Context } from '../../../src/graph/builder/context.ts';

const NodeType: GraphQLObjectType = new GraphQLObjectType({
  name: 'Node',
  fields: () => ({
    now: { type: GraphQLInt, resolve: () => 1 },
    later: { type: GraphQLInt, resolve: async () => 2 },
    fails: {
      type: GraphQLInt,
      resolve: async () => {
        throw new GraphQLError('failed');
      },
    },
    missing: { type: new GraphQLNonNull(GraphQLInt), resolve: async () => null },
    never: { type: GraphQLInt, resolve: () => new Promise(() => undefined) },
    nodes: { type: new GraphQLList(NodeType), resolve: async () => [{}, {}] },
  }),
});
const schema = new GraphQLSchema({ query: NodeType });
const run = createExecute(schema);

describe('the execution of operations', () => {
  it.each([
    '{ now later }',
    '{ nodes { now later nodes { later } } }',
    '{ then: now catch: later }',
    '{ now fails later }',
    '{ nodes { missing now } }',
    'query ($skip: Boolean!) { now @skip(if: $skip) }',
    'query One { now } query Two { later }',
  ])('returns the result of graphql-js for %s', async (text) => {
    const document = parse(text);
    const result = await run({ prepared: prepareValid(schema, document), contextValue: {} as Context });
    expect(JSON.stringify(result)).toBe(JSON.stringify(await execute({ schema, document })));
  });

  it('ends with the reason of the signal of the request', async () => {
    const controller = new AbortController();
    const document = parse('{ now never }');
    const result = run({
      prepared: prepareValid(schema, document),
      contextValue: { abortSignal: controller.signal } as unknown as Context,
    });
    const reason = new Error('the client left');
    controller.abort(reason);
    await expect(result).rejects.toBe(reason);
  });

  it.each(['with', 'without'])('ends with RESPONSE_TOO_LARGE, %s a signal of the request', async (how) => {
    const error = new ServiceError('RESPONSE_TOO_LARGE', 'too large');
    const responseSize = {
      error: undefined as ServiceError | undefined,
      onExceeded: (abort: (error: ServiceError) => void) =>
        setImmediate(() => {
          responseSize.error = error;
          abort(error);
        }),
    };
    const result = run({
      prepared: prepareValid(schema, parse('{ never }')),
      contextValue: {
        responseSize,
        ...(how === 'with' && { abortSignal: new AbortController().signal }),
      } as unknown as Context,
    });
    await expect(result).rejects.toBe(error);
  });
});
