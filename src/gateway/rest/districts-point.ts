import { z } from 'zod';
import { listInShape, membersOf, type Shape } from '../graphql/execution/shape.ts';
import { addEdges, edgeMembers, include, typesOf, withEdges } from './edges.ts';
import { defineEndpoint } from './endpoint.ts';
import example from './examples/districts-point.json' with { type: 'json' };
import { DistrictsPointDocument, type DistrictsPointQuery } from './generated/documents.ts';
import { day, lat, long } from './parameters.ts';
import { DISTRICT_TYPE, newerMap, textsOf } from './texts.ts';

const parameters = z.object({
  lat,
  long,
  date: day({
    title: 'date',
    description: 'Return the districts in effect on this day; today if omitted.',
    example: '2024-11-05',
  }).optional(),
  include,
});

const district = z
  .object({
    id: z.string().describe('District identifier: a string in this endpoint, an integer in all others.'),
    name: z.string().describe('Name of the district.'),
    type: z.enum(textsOf(DISTRICT_TYPE)).describe('District type.'),
    url: z.string().describe('A public page about the district; empty when none is known.'),
    ocdid: z.string().describe('Open Civic Data division identifier; empty when none is known.'),
    nces_id: z.string().nullable().describe('Identifier at the National Center for Education Statistics, or null.'),
    geo_id: z.string().describe('Census GEOID; empty when none is known.'),
    state: z.string().describe('Two-letter abbreviation; `US` for the country, empty for a district of no one state.'),
    newer_map: newerMap,
    end_date: z.iso.date().nullable().describe('Last day of the boundary in effect; null for the foreseeable future.'),
    precise_boundary: z.boolean().describe('False for a generalised outline, uncertain near its edges.'),
    ...edgeMembers,
  })
  .meta({ id: 'PointDistrict', description: 'A district that contains the point.' });

/** Specification, GET /data/districts/point. */
export const districtsPoint = defineEndpoint({
  paths: ['/data/districts/point'],
  operationId: 'districtsByPoint',
  summary: 'Districts that contain a point',
  description:
    'The voting districts that contain a point on a day, from the country down, then by name. A point on a shared edge belongs to both sides. Empty at sea and abroad.',
  grant: 'districts',
  parameters,
  data: z.array(district),
  example,
  document: DistrictsPointDocument,
  variables: (requested) => {
    const { lat: latitude, long: longitude, date } = requested.parameters;
    return { latitude, longitude, date, edges: withEdges(requested), types: typesOf(requested.parameters) };
  },
  isPersonal: withEdges,
  shapes: (requested) => (withEdges(requested) ? undefined : { 'Location.districtsWithBoundary': DISTRICT_SHAPE }),
  reshape: ({ location: { districtsWithBoundary, nearestLines } }) =>
    addEdges(listInShape<z.output<typeof district>>(districtsWithBoundary, DISTRICT_SHAPE), nearestLines) ?? [],
});

const { asText, orNull, orEmpty, orFalse, orOmitted, label } =
  membersOf<NonNullable<DistrictsPointQuery['location']['districtsWithBoundary']>[number]>();
const DISTRICT_SHAPE: Shape = {
  id: asText('district', 'databaseId'),
  name: orNull('district', 'name'),
  type: label(DISTRICT_TYPE, 'district', 'type'),
  url: orEmpty('district', 'url'),
  ocdid: orEmpty('district', 'ocdId'),
  nces_id: orNull('district', 'ncesId'),
  geo_id: orEmpty('district', 'geoId'),
  state: orEmpty('district', 'state'),
  newer_map: orOmitted('district', 'newerMap', 'sentence'),
  end_date: orNull('boundary', 'endDate'),
  precise_boundary: orFalse('boundary', 'precise'),
};
