import { builder, requireGrants } from '../builder/builder.ts';
import { DATABASE_ID, recordId } from '../builder/global-id.ts';
import { NodeInterface } from '../builder/node.ts';
import { recordField } from '../builder/record-field.ts';
import { DistrictObject } from '../districts/district.ts';
import { ContactObject, SocialLinkObject } from './contact.ts';
import { officeholderStatusField } from './enums.ts';
import { OfficeObject } from './office.ts';
import {
  contactsOf,
  nameOfPerson,
  type OfficeholderRow,
  officeholders,
  officeholdersOfDistrict,
  officeholdersOfOffice,
  officeholdersOfPerson,
  offices,
  parties,
  persons,
  termsOfOffice,
} from './officials.store.ts';
import { PartyObject } from './party.ts';
import { PersonObject } from './person.ts';

export const OfficeholderObject = builder.objectRef<OfficeholderRow>('Officeholder');

OfficeholderObject.implement({
  interfaces: [NodeInterface],
  description: 'One term of a person in an office.',
  fields: (t) => ({
    id: t.id(recordId('Officeholder')),
    databaseId: t.exposeInt('id', { description: DATABASE_ID }),
    name: t.string({ description: 'The name of the person, that of `person`.', ...nameOfPerson }),
    status: t.exposeString('status', {
      description:
        'Status today, also of officeholders that were requested for another day: `Former`, `Upcoming` before the first day, and in office `Current` or what the source says instead. An open set: `Acting`, `Appointed`, `On leave` and others.',
    }),
    statusCode: t.field(officeholderStatusField('status', '`status`')),
    startDate: t.expose('start_date', {
      type: 'Date',
      nullable: true,
      description: 'First day in office; null when not known.',
    }),
    endDate: t.expose('end_date', {
      type: 'Date',
      nullable: true,
      description:
        'Last day in office, inclusive; null when not known or not set. For a current term, the day on which it is due to end.',
    }),
    office: t.field({
      type: OfficeObject,
      nullable: true,
      description:
        'The office that the person holds or held. Null only if it was deleted while the request was executed.',
      ...offices.of('office_id'),
    }),
    person: t.field({
      type: PersonObject,
      nullable: true,
      description:
        'The person who holds or held the office. Null only if it was deleted while the request was executed.',
      ...persons.of('person_id'),
    }),
    party: t.field({
      type: PartyObject,
      nullable: true,
      description: 'The party affiliation in this term; null when not known.',
      ...parties.ofNullable('partisan_affiliation'),
    }),
    contacts: t.field({
      listLength: 4,
      type: [ContactObject],
      description: 'Ways to contact the officeholder in this office.',
      ...requireGrants('contact'),
      ...contactsOf('officeholder', 'contact'),
    }),
    socialLinks: t.field({
      listLength: 3,
      type: [SocialLinkObject],
      description: 'Official social network accounts for this office.',
      ...requireGrants('social'),
      ...contactsOf('officeholder', 'social'),
    }),
  }),
});

builder.objectFields(OfficeObject, (t) => ({
  officeholders: t.field({
    listLength: 2,
    type: [OfficeholderObject],
    description:
      'The officeholders on a day, longest-serving first; empty if the office is vacant or its holder is not known.',
    ...requireGrants('officeholders'),
    args: { on: t.arg({ type: 'Date', description: 'The day; today by default.' }) },
    ...officeholdersOfOffice,
  }),
  terms: t.field({
    listLength: 10,
    type: [OfficeholderObject],
    description: 'All known terms of any person in the office, newest first.',
    ...requireGrants('officeholders'),
    ...termsOfOffice,
  }),
}));

builder.objectField(DistrictObject, 'officeholders', (t) =>
  t.field({
    listLength: 4,
    type: [OfficeholderObject],
    description: 'The officeholders of all offices of the district on a day, in the order of `offices`.',
    ...requireGrants('officeholders'),
    args: { on: t.arg({ type: 'Date', description: 'The day; today by default.' }) },
    ...officeholdersOfDistrict,
  }),
);

builder.objectField(PersonObject, 'officeholders', (t) =>
  t.field({
    listLength: 25,
    type: [OfficeholderObject],
    description: 'All known terms of the person in any office, newest first.',
    ...requireGrants('officeholders'),
    ...officeholdersOfPerson,
  }),
);

recordField(OfficeholderObject, { grants: ['officeholders'], load: officeholders.load });
