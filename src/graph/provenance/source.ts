import { builder } from '../builder/builder.ts';
import { contentId } from '../builder/global-id.ts';
import { GRANTS_OF_ALL_LAYERS } from './coverage.ts';
import { allSources, type SourceRow } from './provenance.store.ts';

export const SourceObject = builder.objectRef<SourceRow>('Source').implement({
  description: 'One edition of a data set that records were imported from.',
  fields: (t) => ({
    id: t.id(contentId('Source', 'all other fields', ['name', 'source', 'license', 'as_of', 'loaded_at_text'])),
    name: t.exposeString('name', { description: 'Name of the data set.' }),
    source: t.exposeString('source', {
      nullable: true,
      description: 'Publisher of the data set, or where it is available; null when not known.',
    }),
    license: t.exposeString('license', {
      nullable: true,
      description: 'Terms of use of the data set; null when not known.',
    }),
    asOf: t.expose('as_of', {
      type: 'Date',
      nullable: true,
      description: 'The day as of which the data is current; null when not known.',
    }),
    loadedAt: t.expose('loaded_at_text', {
      type: 'DateTime',
      description: 'Time of the last import of the data set.',
    }),
  }),
});

builder.queryField('sources', (t) =>
  t.field({
    listLength: 50,
    caching: 'whole',
    type: [SourceObject],
    description:
      'All data sets that were imported, with their terms of use, sorted by name, then by `asOf`, the newest first. Those of a single record are its field `sources`.',
    grants: GRANTS_OF_ALL_LAYERS,
    nullable: true,
    resolve: (_, __, context) => allSources(context.db),
  }),
);
