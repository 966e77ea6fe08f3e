import { ServiceError } from '../errors.ts';
import { builder, needs } from '../graphql/builder.ts';
import { connectionOf, isCursorId, isCursorText, readPage } from '../graphql/connection.ts';
import { connectionType, pageArgs } from '../graphql/connection-type.ts';
import { createLoader, matchByKey } from '../graphql/loader.ts';
import { ContactObject, SocialLinkObject } from './contact.ts';
import { OfficeholderObject } from './officeholder.ts';
import {
  contactsOf,
  countPersons,
  officeholdersOfPerson,
  type PersonPosition,
  type PersonRow,
  pageOfPersons,
  personsById,
} from './officials.store.ts';

const SHORTEST_NAME = 2;

export const personById = createLoader(async (context, ids: readonly number[]) =>
  matchByKey(ids, await personsById(context.db, ids), (person) => person.id),
);

export const PersonObject = builder.objectRef<PersonRow>('Person');

PersonObject.implement({
  description: 'Somebody who holds, held or runs for an office: the same record over the years.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Ours, stable over repeated loads.' }),
    name: t.exposeString('name', { description: 'The full name as it is used in public.' }),
    firstName: t.exposeString('first_name', {
      nullable: true,
      description: 'Given name; null where the source has only the full name.',
    }),
    lastName: t.exposeString('last_name', {
      nullable: true,
      description: 'Family name; null where the source has only the full name.',
    }),
    url: t.exposeString('url', { nullable: true, description: 'A public page about the person.' }),
    contacts: t.field({
      type: [ContactObject],
      description: 'Ways to reach the person apart from an office. Needs the grant `contact`.',
      ...needs('contact'),
      ...contactsOf('person', 'contact'),
    }),
    socialLinks: t.field({
      type: [SocialLinkObject],
      description: 'Accounts of the person apart from an office. Needs the grant `social`.',
      ...needs('social'),
      ...contactsOf('person', 'social'),
    }),
    officeholders: t.field({
      type: [OfficeholderObject],
      description: 'Every term in every office that is known, the newest first. Needs the grant `officeholders`.',
      ...needs('officeholders'),
      ...officeholdersOfPerson,
    }),
  }),
});

const PersonConnection = connectionType(PersonObject, 'people');

builder.queryFields((t) => ({
  person: t.field({
    type: PersonObject,
    description: 'One person by id; null when there is none. Needs the grant `officeholders` or `elections`.',
    ...needs('officeholders', 'elections'),
    args: { id: t.arg.int({ required: true, description: 'Our id.' }) },
    resolve: (_, { id }, context) => personById(context).load(id),
  }),
  people: t.field({
    type: PersonConnection,
    description: 'People by a part of their name, by name, then id. Needs the grant `officeholders` or `elections`.',
    ...needs('officeholders', 'elections'),
    args: {
      ...pageArgs,
      name: t.arg.string({
        required: true,
        description: `A part of the name, in any letter case, from ${SHORTEST_NAME} to 100 characters.`,
      }),
    },
    resolve: (_, { name, first, after }, context) => {
      const part = name.trim();
      if (part.length < SHORTEST_NAME) {
        throw new ServiceError('INVALID_PARAMETER', `name must have at least ${SHORTEST_NAME} characters.`);
      }
      return connectionOf(
        readPage({ first, after }, readPosition),
        (behind, limit) => pageOfPersons(context.db, part, behind, limit),
        (person): PersonPosition => [person.name, person.id],
        () => countPersons(context.db, part),
      );
    },
  }),
}));

function readPosition(decoded: unknown): PersonPosition | undefined {
  if (!Array.isArray(decoded) || decoded.length !== 2) return undefined;
  const [name, id] = decoded as unknown[];
  return isCursorText(name) && isCursorId(id) ? [name, id] : undefined;
}
