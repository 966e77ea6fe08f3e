import type { Routes } from '../graphql/surface.ts';
import { jsonPage, sendPage } from '../http/static-page.ts';
import { openApiDocument } from './document.ts';

/** The OpenAPI document. It needs no key. */
export const openApiRoutes: Routes = async (app, { config }) => {
  const json = jsonPage(openApiDocument(config.exports.publicUrl));
  app.get('/openapi.json', { onRequest: app.admitPage }, (_request, reply) => sendPage(reply, json));
};
