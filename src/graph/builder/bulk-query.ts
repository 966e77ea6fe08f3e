import { builder, requireGrants } from './builder.ts';
import type { BulkQuery } from './context.ts';

const BulkQueryObject = builder.objectRef<BulkQuery>('BulkQuery').implement({
  description: 'A stored query whose complete result can be downloaded as a file (`POST /getQueryResults`).',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID that identifies the query in a download request.' }),
    title: t.exposeString('title', { description: 'Short title of the query.' }),
    description: t.exposeString('description', {
      description: 'Which rows the query returns and what each row contains.',
    }),
  }),
});

builder.queryField('bulkQueries', (t) =>
  t.field({
    listLength: 10,
    caching: 'never',
    type: [BulkQueryObject],
    description:
      'The stored queries available for bulk download, sorted by id: only queries whose data the package of the key includes.',
    ...requireGrants('bulk'),
    resolve: (_, _args, { queries, caller }) => queries?.list(caller) ?? [],
  }),
);
