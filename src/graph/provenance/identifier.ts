import { builder } from '../builder/builder.ts';
import type { IdentifierRow } from './provenance.store.ts';

export const IdentifierObject = builder.objectRef<IdentifierRow>('Identifier').implement({
  description: 'The identifier of a record in another data set.',
  fields: (t) => ({
    scheme: t.exposeString('scheme', {
      description: 'The data set or register that defines the identifier: `bioguide`, `fec`, `wikidata` and others.',
    }),
    value: t.exposeString('value', { description: 'The identifier as written in that data set.' }),
  }),
});
