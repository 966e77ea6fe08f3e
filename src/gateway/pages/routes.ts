import { ServiceError } from '../../base/errors.ts';
import { usableDemoKey } from '../access/usable-demo-key.ts';
import type { Routes } from '../graphql/surface.ts';
import { jsonPage, sendPage } from '../http/static-page.ts';
import { createStartPage } from './start-page.ts';
import { webFiles } from './web-files.ts';
import { createWidgetPage } from './widget-page.ts';

/** The map page at the root, the page of the widget, and the files they load. They need no key: the requests of the page do. */
export const pageRoutes: Routes = async (app, { config, backend, pageKey, pageDocuments }) => {
  const isSample = (await usableDemoKey(backend)) !== undefined;
  const options = { isSample, hasGraphiql: config.graphiql };
  const startPage = createStartPage(options);
  const widgetPage = createWidgetPage(options);
  const files = webFiles();
  const documents = jsonPage(Object.fromEntries(pageDocuments));

  app.setErrorHandler(app.sendPageError);
  app.get('/', { onRequest: app.admitPage }, async (request, reply) =>
    sendPage(reply, startPage(request.days.today, await pageKey())),
  );
  app.get('/widget', { onRequest: app.admitPage }, async (_request, reply) =>
    sendPage(reply, widgetPage(await pageKey())),
  );
  app.get('/web/documents.json', { onRequest: app.admitPage }, (_request, reply) => sendPage(reply, documents));
  app.get('/web/:file', { onRequest: app.admitPage }, (request, reply) => {
    const read = files.get((request.params as { file: string }).file);
    if (!read) throw new ServiceError('NOT_FOUND', 'There is nothing at this address.');
    return sendPage(reply, read());
  });
};
