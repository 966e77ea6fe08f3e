import { ServiceError } from '../../base/errors.ts';
import { usableDemoKey } from '../access/usable-demo-key.ts';
import type { Routes } from '../graphql/surface.ts';
import { sendPage } from '../http/static-page.ts';
import { docsPages } from './pages.ts';

/** The docs: an overview, a page for each REST path, and the guides. They need no key. */
export const docsRoutes: Routes = async (app, { config, backend }) => {
  const pages = docsPages({
    publicUrl: config.exports.publicUrl,
    listen: config.listen,
    isSample: (await usableDemoKey(backend)) !== undefined,
    hasGraphiql: config.graphiql,
    hasSchema: config.introspection,
  });
  const pageAt = (path: string) => {
    const page = pages.get(path);
    if (!page) throw new ServiceError('NOT_FOUND', 'The docs have no such page. /docs has links to all pages.');
    return page();
  };

  app.setErrorHandler(app.sendPageError);
  app.get('/docs', { onRequest: app.admitPage }, (_request, reply) => sendPage(reply, pageAt('/docs')));
  app.get('/docs/*', { onRequest: app.admitPage }, (request, reply) => {
    return sendPage(reply, pageAt(`/docs/${(request.params as { '*': string })['*']}`));
  });
};
