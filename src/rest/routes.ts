import type { FastifyReply, FastifyRequest } from 'fastify';
import { isActiveKey } from '../access/access.store.ts';
import { requireGrant } from '../access/caller.ts';
import { DEMO_KEY } from '../access/demo-key.ts';
import type { DatabaseBackend } from '../database/backend.ts';
import { stringifyJson } from '../graphql/raw-json.ts';
import { success } from '../http/envelope.ts';
import { sendTagged } from '../http/representation.ts';
import type { Routes } from '../http/routes.ts';
import { htmlPage, jsonPage, sendPage } from '../http/static-page.ts';
import { docsPage } from './docs-page.ts';
import { endpoints } from './endpoints.ts';
import { openApiDocument } from './openapi.ts';
import type { Query } from './read-parameters.ts';

/**
 * The legacy REST paths. The key is checked first, then the package, then the parameters. The OpenAPI document and its
 * page need no key.
 */
export const restRoutes: Routes = async (app, { config, backend, execute, responseCache }) => {
  const document = openApiDocument();
  const docs = htmlPage(docsPage(document, { listen: config.listen, demoKey: await usableDemoKey(backend) }));
  const json = jsonPage(document);
  app.get('/openapi.json', { onRequest: app.admitPage }, (_request, reply) => sendPage(reply, json));
  app.get('/docs', { onRequest: app.admitPage }, (_request, reply) => sendPage(reply, docs));

  for (const { paths, grant, answer, answerKept } of endpoints) {
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      requireGrant(await app.authenticate(request, reply), grant, grant);
    };
    for (const path of paths) {
      app.get(path, { onRequest }, async (request, reply) => {
        const [query, context] = [request.query as Query, await app.contextOf(request, reply)];
        const body = responseCache
          ? await answerKept(query, context, execute, responseCache)
          : Buffer.from(stringifyJson(success(await answer(query, context, execute)), context.responseLimits));
        return sendTagged(reply, 'application/json; charset=utf-8', body, 'X-API-Key');
      });
    }
  }
};

/**
 * Returns the demo key if it is active. Only the embedded sample has it; a database server may not be reachable yet.
 */
async function usableDemoKey(backend: DatabaseBackend): Promise<string | undefined> {
  return backend.kind === 'embedded' && (await isActiveKey(backend.db, DEMO_KEY)) ? DEMO_KEY : undefined;
}
