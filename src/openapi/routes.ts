import { isActiveKey } from '../access/access.store.ts';
import { DEMO_KEY } from '../access/demo-key.ts';
import type { DatabaseBackend } from '../database/backend.ts';
import type { Routes } from '../http/routes.ts';
import { htmlPage, jsonPage, sendPage } from '../http/static-page.ts';
import { docsPage } from './docs-page.ts';
import { openApiDocument } from './document.ts';

/** The OpenAPI document and its page. They need no key. */
export const openApiRoutes: Routes = async (app, { config, backend }) => {
  const document = openApiDocument();
  const docs = htmlPage(docsPage(document, { listen: config.listen, demoKey: await usableDemoKey(backend) }));
  const json = jsonPage(document);
  app.get('/openapi.json', { onRequest: app.admitPage }, (_request, reply) => sendPage(reply, json));
  app.get('/docs', { onRequest: app.admitPage }, (_request, reply) => sendPage(reply, docs));
};

/**
 * Returns the demo key if it is active. Only the embedded sample has it; a database server may not be reachable yet.
 */
async function usableDemoKey(backend: DatabaseBackend): Promise<string | undefined> {
  return backend.kind === 'embedded' && (await isActiveKey(backend.db, DEMO_KEY)) ? DEMO_KEY : undefined;
}
