import { builder } from '../builder/builder.ts';
import { recordId } from '../builder/global-id.ts';
import { NodeInterface } from '../builder/node.ts';
import { recordField } from '../builder/record-field.ts';
import { type PartyRow, parties } from './officials.store.ts';

export const PartyObject = builder.objectRef<PartyRow>('Party').implement({
  interfaces: [NodeInterface],
  description: 'A political party, or the lack of one (Independent, Nonpartisan).',
  fields: (t) => ({
    id: t.id(recordId('Party')),
    databaseId: t.exposeInt('id', {
      description:
        'The code of the party, which REST returns as `partisan_affiliation`: 1 Republican, 2 Democratic, 3 Libertarian, 4 Green, 5 Independent, 6 Constitution, 7 Nonpartisan; higher codes for other parties.',
    }),
    name: t.exposeString('name', { description: 'Name of the party, for example `Democratic`.' }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'A public page about the party; null when none is known.',
    }),
  }),
});

recordField(PartyObject, { grants: ['officeholders', 'elections'], load: parties.load });
