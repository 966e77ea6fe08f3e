import { builder } from '../builder/builder.ts';
import { contactTypeField } from './enums.ts';
import type { ContactRow } from './officials.store.ts';

export const ContactObject = builder.objectRef<ContactRow>('Contact').implement({
  description: 'One way to contact an officeholder or a person.',
  fields: (t) => ({
    type: t.exposeString('contact_type', {
      description: 'Type of contact, an open set: `Phone`, `Website`, `Email`, `Fax`, `Address` and others.',
    }),
    typeCode: t.field(contactTypeField('contact_type', '`type`')),
    value: t.exposeString('contact', { description: 'The number, address or URL, as written by the source.' }),
  }),
});

export const SocialLinkObject = builder.objectRef<ContactRow>('SocialLink').implement({
  description: 'A public account on a social network.',
  fields: (t) => ({
    network: t.exposeString('contact_type', {
      description: 'The social network, an open set: `Facebook`, `YouTube`, `Instagram` and others.',
    }),
    url: t.exposeString('contact', { description: 'The URL of the account.' }),
  }),
});
