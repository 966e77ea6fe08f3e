import { z } from 'zod';
import { listInShape, membersOf, type Shape, shapeFor } from '../graphql/execution/shape.ts';
import {
  CONTACT_SHAPE,
  type Collections,
  collectionMembers,
  collections,
  collectionVariables,
  contactInformation,
  namedCollections,
  SOCIAL_SHAPE,
  socialMedia,
} from './collections.ts';
import { addEdges, edgeMembers, include, typesOf, withEdges } from './edges.ts';
import { defineEndpoint } from './endpoint.ts';
import example from './examples/officeholders.json' with { type: 'json' };
import { OfficeholdersDocument, type OfficeholdersQuery } from './generated/documents.ts';
import { lat, long } from './parameters.ts';
import { DISTRICT_TYPE, newerMap, OFFICE_BRANCH, OFFICE_LEVEL, textsOf } from './texts.ts';

const parameters = z.object({ lat, long, collections, include });

const officeholder = z
  .object({
    id: z.int().describe('Officeholder identifier.'),
    status: z
      .string()
      .describe(
        '`Current`, or what the source says of a person in office instead: `Acting`, `Appointed`, `On leave` and others.',
      ),
    name: z.string().describe('Full name of the person.'),
    last_name: z.string().describe('Family name; empty when only the full name is known.'),
    url: z.string().describe('A public page about the person; empty when none is known.'),
    partisan_affiliation: z
      .int()
      .nullable()
      .describe(
        'Party id: 1 Republican, 2 Democratic, 3 Libertarian, 4 Green, 5 Independent, 6 Constitution, 7 Nonpartisan, others above; null when not known.',
      ),
    officeholder_contact_information: contactInformation,
    person_contact_information: contactInformation,
    officeholder_social_media: socialMedia,
    person_social_media: socialMedia,
  })
  .meta({ id: 'Officeholder', description: 'A person in an office.' });

const office = z
  .object({
    id: z.int().describe('Office identifier.'),
    name: z.string().describe('Name of the office.'),
    type: z.string().nullable().describe('A finer kind, where the source has one.'),
    level: z.enum(textsOf(OFFICE_LEVEL)).describe('Which government it belongs to.'),
    branch: z.enum(textsOf(OFFICE_BRANCH)).describe('Which branch of that government.'),
    officeholders: z
      .array(officeholder)
      .nullable()
      .describe('Who holds it today; null if it is vacant or the holder is not known.'),
    holder_known: z
      .boolean()
      .describe('False if it is not known who holds the office; true with null officeholders: vacant.'),
  })
  .meta({ id: 'HeldOffice', description: 'An office, with who holds it.' });

const district = z
  .object({
    id: z.int().describe('District identifier.'),
    name: z.string().describe('Name of the district.'),
    type: z.enum(textsOf(DISTRICT_TYPE)).describe('District type.'),
    state: z.string().nullable().describe('Two-letter abbreviation, `US` for the country, or null.'),
    newer_map: newerMap,
    precise_boundary: z.boolean().describe('False for a generalised outline, uncertain near its edges.'),
    ...edgeMembers,
    offices: z.array(office).nullable().describe('The offices of the district, or null.'),
  })
  .meta({ id: 'OfficeholderDistrict', description: 'A district that contains the point, with its offices.' });

const electedOfficials = z
  .object({
    elected_officials: z.object({
      districts: z.array(district).nullable().describe('From the country down; null at sea and abroad.'),
    }),
  })
  .meta({ id: 'ElectedOfficials', description: 'The officeholder tree.' });

/** Specification, GET /data/officeholders. */
export const officeholders = defineEndpoint({
  paths: ['/data/officeholders'],
  operationId: 'officeholdersByPoint',
  summary: 'Current officeholders of a point',
  description:
    'Who represents a point today: its districts, their offices, who holds these, and how to reach them. `data` is a list with exactly one element.',
  grant: 'officeholders',
  parameters,
  data: z.array(electedOfficials),
  example,
  document: OfficeholdersDocument,
  variables: (requested) => ({
    latitude: requested.parameters.lat,
    longitude: requested.parameters.long,
    ...collectionVariables(requested),
    edges: withEdges(requested),
    types: typesOf(requested.parameters),
  }),
  isPersonal: withEdges,
  shapes: (requested) =>
    withEdges(requested) ? undefined : { 'Location.districtsWithBoundary': shapeOf(namedCollections(requested)) },
  reshape: ({ location }, requested) => [
    {
      elected_officials: {
        districts: addEdges(
          listInShape<z.output<typeof district>>(location.districtsWithBoundary, shapeOf(namedCollections(requested))),
          location.nearestLines,
        ),
      },
    },
  ],
});

type FoundDistrict = NonNullable<OfficeholdersQuery['location']['districtsWithBoundary']>[number];
type FoundOffice = NonNullable<FoundDistrict['district']['offices']>[number];
type FoundOfficeholder = NonNullable<FoundOffice['officeholders']>[number];

const shapeOf = shapeFor(districtShape);

function districtShape(named: Collections): Shape {
  const { orNull, orFalse, orOmitted, label, listOf } = membersOf<FoundDistrict>();
  return {
    id: orNull('district', 'databaseId'),
    name: orNull('district', 'name'),
    type: label(DISTRICT_TYPE, 'district', 'type'),
    state: orNull('district', 'state'),
    newer_map: orOmitted('district', 'newerMap', 'sentence'),
    precise_boundary: orFalse('boundary', 'precise'),
    offices: listOf(officeShape(named), 'district', 'offices'),
  };
}

function officeShape(named: Collections): Shape {
  const { orNull, orFalse, label, listOf } = membersOf<FoundOffice>();
  return {
    id: orNull('databaseId'),
    name: orNull('name'),
    type: orNull('type'),
    level: label(OFFICE_LEVEL, 'level'),
    branch: label(OFFICE_BRANCH, 'branch'),
    officeholders: listOf(officeholderShape(named), 'officeholders'),
    holder_known: orFalse('holderKnown'),
  };
}

function officeholderShape(named: Collections): Shape {
  const { orNull, orEmpty, listOf } = membersOf<FoundOfficeholder>();
  return {
    id: orNull('databaseId'),
    status: orNull('status'),
    name: orEmpty('person', 'name'),
    last_name: orEmpty('person', 'lastName'),
    url: orEmpty('person', 'url'),
    partisan_affiliation: orNull('party', 'databaseId'),
    ...collectionMembers('officeholder', named, listOf(CONTACT_SHAPE, 'contacts'), listOf(SOCIAL_SHAPE, 'socialLinks')),
    ...collectionMembers(
      'person',
      named,
      listOf(CONTACT_SHAPE, 'person', 'contacts'),
      listOf(SOCIAL_SHAPE, 'person', 'socialLinks'),
    ),
  };
}
