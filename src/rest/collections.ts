import { z } from 'zod';
import type { Asked } from './endpoint.ts';
import type { ContactItemFragment, SocialItemFragment } from './generated/documents.ts';
import { listOf } from './parameters.ts';
import { listOrNull } from './values.ts';

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
  .meta({ id: 'Contact', description: 'One way to reach somebody.' });

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

export type AsksForCollections = Asked<{ collections?: readonly ('social' | 'contact')[] | undefined }>;

/** The variables of a document that say which collections it fetches: what is asked for and granted. */
export function collectionVariables({ parameters, caller }: AsksForCollections) {
  const fetches = (collection: 'social' | 'contact') =>
    caller.grants.has(collection) && (parameters.collections?.includes(collection) ?? false);
  return { contact: fetches('contact'), social: fetches('social') };
}

interface Reachable {
  readonly contacts?: readonly ContactItemFragment[] | null;
  readonly socialLinks?: SocialItemFragment[] | null;
}

/** The members of a person or an officeholder that the collections fill, named after whom they belong to. */
export function collectionsOf<Owner extends 'person' | 'officeholder' | 'candidate'>(
  owner: Owner,
  { contacts, socialLinks }: Reachable,
  asked: AsksForCollections,
) {
  const members: Record<string, unknown> = {};
  if (asked.caller.grants.has('contact')) {
    const contact = contacts?.map((item) => ({ contact: item.contact, contact_type: item.type }));
    members[`${owner}_contact_information`] = listOrNull(contact);
  }
  if (collectionVariables(asked).social) members[`${owner}_social_media`] = listOrNull(socialLinks);
  return members as { [Name in `${Owner}_contact_information`]?: z.output<typeof contactInformation> } & {
    [Name in `${Owner}_social_media`]?: z.output<typeof socialMedia>;
  };
}
