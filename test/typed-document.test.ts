import { expect, it } from 'vitest';
import { createExecute } from '../src/gateway/graphql/execution/execute.ts';
import { prepareDocument } from '../src/gateway/graphql/typed-document.ts';
import { DistrictsPointDocument } from '../src/gateway/rest/generated/documents.ts';
import type { Context } from '../src/graph/builder/context.ts';
import { schema } from '../src/graph/schema.ts';

it('a document of REST is aborted with its request, like a GraphQL operation', async () => {
  const controller = new AbortController();
  const context = {
    abortSignal: controller.signal,
    caller: { grants: new Set(['districts']) },
    readShared: () => new Promise(() => undefined),
  } as unknown as Context;
  const variables = { latitude: 1, longitude: 2, edges: false };
  const result = prepareDocument(DistrictsPointDocument)(createExecute(schema), variables, context);
  const reason = new Error('the client left');
  controller.abort(reason);
  await expect(result).rejects.toBe(reason);
});
