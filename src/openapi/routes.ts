import { usableDemoKey } from '../access/usable-demo-key.ts';
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
