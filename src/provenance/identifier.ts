import { builder } from '../graphql/builder.ts';
import { createLoader } from '../graphql/loader.ts';
import { type IdentifierRow, identifiersOfRecords, type RecordKey } from './provenance.store.ts';

export const identifiersOf = createLoader(
  (context, records: readonly RecordKey[]) => identifiersOfRecords(context.db, records),
  ({ kind, id }) => `${kind} ${id}`,
);

export const IdentifierObject = builder.objectRef<IdentifierRow>('Identifier').implement({
  description: 'The identifier of a record in another data set.',
  fields: (t) => ({
    scheme: t.exposeString('scheme', {
      description: 'The data set or register that defines the identifier: `bioguide`, `fec`, `wikidata` and others.',
    }),
    value: t.exposeString('value', { description: 'The identifier as that data set writes it.' }),
  }),
});
