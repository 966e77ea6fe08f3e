import { expect, it } from 'vitest';
import type { Context } from '../src/graphql/execution/context.ts';
import type { Operation } from '../src/graphql/execution/execute.ts';
import { DistrictsPointDocument } from '../src/rest/generated/documents.ts';
import { prepareDocument } from '../src/typed-document.ts';

it('a document of REST is aborted with its request, like a GraphQL operation', async () => {
  const { signal } = new AbortController();
  const operations: Operation[] = [];
  const context = { abortSignal: signal } as unknown as Context;
  const execute = async (operation: Operation) => {
    operations.push(operation);
    return { data: { location: { districts: [] } } };
  };
  await prepareDocument(DistrictsPointDocument)(execute, { latitude: 1, longitude: 2, edges: false }, context);
  expect(operations.map(({ abortSignal }) => abortSignal)).toEqual([signal]);
});
