import { builder } from '../graphql/builder.ts';
import type { ContactRow } from './officials.store.ts';

export const ContactObject = builder.objectRef<ContactRow>('Contact').implement({
  description: 'One way to reach somebody.',
  fields: (t) => ({
    type: t.exposeString('contact_type', {
      description: 'An open set: `Phone`, `Website`, `Email`, `Fax`, `Address` and others.',
    }),
    contact: t.exposeString('contact', { description: 'The number, address or URL itself, as its source writes it.' }),
  }),
});

export const SocialLinkObject = builder.objectRef<ContactRow>('SocialLink').implement({
  description: 'A public account in a social network.',
  fields: (t) => ({
    network: t.exposeString('contact_type', {
      description: 'An open set: `Facebook`, `YouTube`, `Instagram` and others.',
    }),
    url: t.exposeString('contact', { description: 'The address of the account.' }),
  }),
});
