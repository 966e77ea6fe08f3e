import {
  type ExecutionArgs,
  execute,
  GraphQLError,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  parse,
  validateExecutionArgs,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { OperationExecutor } from '../../src/graphql/executor.ts';

const signals: AbortSignal[] = [];
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
    signal: {
      type: GraphQLInt,
      resolve: (_, __, ___, info) => {
        const signal = info.getAbortSignal();
        if (signal) signals.push(signal);
        return 3;
      },
    },
    nodes: { type: new GraphQLList(NodeType), resolve: async () => [{}, {}] },
  }),
});
const schema = new GraphQLSchema({ query: NodeType });

function executeWithOwn(args: ExecutionArgs, onStart: (executor: OperationExecutor) => void = () => undefined) {
  const validated = validateExecutionArgs(args);
  if (!('schema' in validated)) return { errors: validated };
  const executor = new OperationExecutor(validated);
  onStart(executor);
  return executor.execute();
}

describe('the executor of operations', () => {
  it.each([
    '{ now }',
    '{ now later signal }',
    '{ nodes { now later nodes { later } } }',
    '{ now fails later }',
    '{ nodes { missing now } }',
    '{ missing }',
    'query ($skip: Boolean!) { now @skip(if: $skip) }',
    'query One { now } query Two { later }',
  ])('returns the result of graphql-js for %s', async (text) => {
    const args = { schema, document: parse(text) };
    expect(JSON.stringify(await executeWithOwn(args))).toBe(JSON.stringify(await execute(args)));
  });

  it('rejects with the reason of a signal like graphql-js', async () => {
    const document = parse('{ now never }');
    const failed = async (run: typeof execute) => {
      const controller = new AbortController();
      const result = Promise.resolve(run({ schema, document, abortSignal: controller.signal }));
      controller.abort(new Error('the reason'));
      return result.catch(({ name, message, cause }: Error) => ({ name, message, cause }));
    };
    const expected = await failed(execute);
    expect(expected).toMatchObject({ cause: expect.objectContaining({ message: 'the reason' }) });
    expect(await failed(executeWithOwn as typeof execute)).toEqual(expected);
  });

  it('can be aborted without a signal', async () => {
    const reason = new Error('too large');
    const start = (executor: OperationExecutor) => setImmediate(() => executor.abort(reason));
    await expect(executeWithOwn({ schema, document: parse('{ never }') }, start)).rejects.toMatchObject({
      cause: reason,
    });
  });

  it('gives resolvers the signal of the operation', async () => {
    signals.length = 0;
    const { signal } = new AbortController();
    await executeWithOwn({ schema, document: parse('{ signal later }'), abortSignal: signal });
    expect(signals).toEqual([signal]);
  });

  // If graphql-js does this by itself, `OperationExecutor` is not needed any more.
  it('creates no DOMException for each operation, unlike graphql-js', async () => {
    signals.length = 0;
    await execute({ schema, document: parse('{ signal later }') });
    expect(signals[0]?.reason).toBeInstanceOf(DOMException);
  });
});
