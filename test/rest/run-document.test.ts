import { expect, it } from 'vitest';
import type { Context } from '../../src/graphql/context.ts';
import type { Operation } from '../../src/graphql/run-operation.ts';
import { DistrictsPointDocument } from '../../src/rest/generated/documents.ts';
import { prepareDocument } from '../../src/rest/run-document.ts';

it('a document of REST ends with its request, as an operation of GraphQL does', async () => {
  const { signal } = new AbortController();
  const operations: Operation[] = [];
  const context = {
    ending: signal,
    runOperation: async (operation: Operation) => {
      operations.push(operation);
      return { data: { location: { districts: [] } } };
    },
  } as unknown as Context;
  await prepareDocument(DistrictsPointDocument)({ latitude: 1, longitude: 2 }, context);
  expect(operations.map(({ abortSignal }) => abortSignal)).toEqual([signal]);
});
