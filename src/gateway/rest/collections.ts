import { z } from 'zod';
import { type Member, membersOf, type Shape } from '../graphql/execution/shape.ts';
import type { EndpointInput } from './endpoint.ts';
import type { ContactItemFragment, SocialItemFragment } from './generated/documents.ts';
import { listOf } from './parameters.ts';

/** The parameter `collections` (specification, Endpoints). */
export const collections = listOf(['social', 'contact'], {
  description: 'What to add to people: `contact`, `social`, or both.',
  example: 'contact',
}).optional();

const contactItem = z
  .object({
    contact: z.string().describe('The number, address or URL itself.'),
    contact_type: z.string().describe('An open set: `Phone`, `Website`, `Email` and others.'),
  })
  .meta({ id: 'Contact', description: 'One way to contact a person or an office.' });

const socialItem = z
  .object({
    network: z.string().describe('An open set: `Facebook`, `YouTube` and others.'),
    url: z.string().describe('The address of the account.'),
  })
  .meta({ id: 'SocialAccount', description: 'A public account in a social network.' });

export const contactInformation = z
  .array(contactItem)
  .nullable()
  .optional()
  .describe('Filled when `collections` includes `contact`, else null. Left out when the package has no contacts.');

export const socialMedia = z
  .array(socialItem)
  .nullable()
  .optional()
  .describe('Null when there is none. Left out unless `collections` includes `social` and the package has it.');

export type CollectionOptions = EndpointInput<{ collections?: readonly ('social' | 'contact')[] | undefined }>;

/** A selection of the collections of people. */
export interface Collections {
  readonly contact: boolean;
  readonly social: boolean;
}

/** Returns the document variables that select the collections to fetch: requested by the caller and granted. */
export function collectionVariables({ parameters, caller }: CollectionOptions): Collections {
  const fetches = (collection: 'social' | 'contact') =>
    caller.grants.has(collection) && (parameters.collections?.includes(collection) ?? false);
  return { contact: fetches('contact'), social: fetches('social') };
}

/**
 * Returns the collections included in the officeholder tree: `contact` if the package has it, `social` only if it is
 * also requested.
 */
export function namedCollections(requested: CollectionOptions): Collections {
  return { contact: requested.caller.grants.has('contact'), social: collectionVariables(requested).social };
}

const contact = membersOf<ContactItemFragment>();
export const CONTACT_SHAPE: Shape = { contact: contact.orNull('contact'), contact_type: contact.orNull('type') };

const social = membersOf<SocialItemFragment>();
export const SOCIAL_SHAPE: Shape = { network: social.orNull('network'), url: social.orNull('url') };

/** Returns the shape members for the named collections. Member names start with the owner. */
export function collectionMembers(
  owner: 'person' | 'officeholder',
  named: Collections,
  contacts: Member,
  socialLinks: Member,
): Shape {
  return {
    ...(named.contact && { [`${owner}_contact_information`]: contacts }),
    ...(named.social && { [`${owner}_social_media`]: socialLinks }),
  };
}
