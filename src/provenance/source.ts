import { builder } from '../graphql/builder.ts';
import { createLoader } from '../graphql/loader.ts';
import { type RecordKey, type SourceRow, sourcesOfRecords } from './provenance.store.ts';

export const sourcesOf = createLoader(
  (context, records: readonly RecordKey[]) => sourcesOfRecords(context.db, records),
  ({ kind, id }) => `${kind} ${id}`,
);

export const SourceObject = builder.objectRef<SourceRow>('Source').implement({
  description: 'A data set that was loaded, in one edition: where a record comes from.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What the data set is called.' }),
    source: t.exposeString('source', { nullable: true, description: 'Who publishes it, or where it is to be had.' }),
    license: t.exposeString('license', { nullable: true, description: 'Under which terms it may be used.' }),
    asOf: t.expose('as_of', {
      type: 'Date',
      nullable: true,
      description: 'The day whose state of affairs it describes.',
    }),
    loadedAt: t.string({
      description: 'When it was loaded last, as an ISO 8601 time in UTC.',
      resolve: (source) => source.loaded_at.toISOString(),
    }),
  }),
});
