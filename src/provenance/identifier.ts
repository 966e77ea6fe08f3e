import { builder } from '../graphql/builder.ts';
import { createLoader } from '../graphql/loader.ts';
import { type IdentifierRow, identifiersOfRecords, type RecordKey } from './provenance.store.ts';

export const identifiersOf = createLoader(
  (context, records: readonly RecordKey[]) => identifiersOfRecords(context.db, records),
  ({ kind, id }) => `${kind} ${id}`,
);

export const IdentifierObject = builder.objectRef<IdentifierRow>('Identifier').implement({
  description: 'The name that another data set has for a record.',
  fields: (t) => ({
    scheme: t.exposeString('scheme', {
      description: 'Which data set or register: `bioguide`, `fec`, `wikidata` and others.',
    }),
    value: t.exposeString('value', { description: 'The name itself, as that data set writes it.' }),
  }),
});
