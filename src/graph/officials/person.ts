import { builder, requireGrants } from '../builder/builder.ts';
import { DATABASE_ID, recordId } from '../builder/global-id.ts';
import { defineRecord, NodeInterface } from '../builder/node.ts';
import { ContactObject, SocialLinkObject } from './contact.ts';
import { contactsOf, type PersonRow, personOrMerged } from './officials.store.ts';

export const PersonObject = builder.objectRef<PersonRow>('Person');

PersonObject.implement({
  interfaces: [NodeInterface],
  description: 'A person who holds, held or runs for an office; the same record over the years.',
  fields: (t) => ({
    id: t.id(recordId('Person')),
    databaseId: t.exposeInt('id', { description: DATABASE_ID }),
    name: t.exposeString('name', { description: 'The full name as used in public.' }),
    firstName: t.exposeString('first_name', {
      nullable: true,
      description: 'Given name; null if the source has only the full name.',
    }),
    lastName: t.exposeString('last_name', {
      nullable: true,
      description: 'Family name; null if the source has only the full name.',
    }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'A public page about the person; null when none is known.',
    }),
    imageUrl: t.exposeString('image_url', {
      nullable: true,
      description:
        'The `https` address of a picture of the person, as the source of the record states it; null when it states none. The picture is at a third party, which decides who may use it: this server has neither read nor checked it, its rights are not those of the record, and who loads it tells that party that they do.',
    }),
    contacts: t.field({
      listLength: 4,
      type: [ContactObject],
      description: 'Ways to contact the person that are not tied to an office.',
      ...requireGrants('contact'),
      ...contactsOf('person', 'contact'),
    }),
    socialLinks: t.field({
      listLength: 3,
      type: [SocialLinkObject],
      description: 'Social network accounts of the person that are not tied to an office.',
      ...requireGrants('social'),
      ...contactsOf('person', 'social'),
    }),
  }),
});

builder.queryFields((t) => ({
  person: t.field({
    type: PersonObject,
    description:
      'One person by one of its ids; null when there is none. The id of a record that was merged into another one returns that person.',
    ...defineRecord(PersonObject, {
      grants: ['officeholders', 'elections'],
      load: (context, id) => personOrMerged.load(context, { id }),
    }),
  }),
}));
