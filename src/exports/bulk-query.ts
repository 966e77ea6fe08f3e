import { builder, needs } from '../graphql/builder.ts';
import type { StoredQuery } from './query-file.ts';

const BulkQueryObject = builder.objectRef<StoredQuery>('BulkQuery').implement({
  description: 'A stored query whose whole result can be downloaded as a file (`POST /getQueryResults`).',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'What to ask the download for.' }),
    title: t.exposeString('title', { description: 'What is in it, in a few words.' }),
    description: t.exposeString('description', { description: 'Which rows there are, and what a row holds.' }),
  }),
});

builder.queryField('bulkQueries', (t) =>
  t.field({
    type: [BulkQueryObject],
    description:
      'The stored queries of the bulk download, by id: those whose data the package of the key includes. Needs the grant `bulk`.',
    ...needs('bulk'),
    resolve: (_, _args, { queries, caller }) => queries?.list(caller) ?? [],
  }),
);
