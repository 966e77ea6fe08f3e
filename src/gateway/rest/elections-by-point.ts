import { z } from 'zod';
import { membersOf, objectInShape, type Shape, shapeFor } from '../graphql/execution/shape.ts';
import { collections } from './collections.ts';
import { measure, pointRace } from './contest-shapes.ts';
import { type ContestParts, contestVariables, measureShape, raceShape } from './contests.ts';
import { defineEndpoint } from './endpoint.ts';
import example from './examples/elections-by-point.json' with { type: 'json' };
import { ElectionsByPointDocument, type ElectionsByPointQuery } from './generated/documents.ts';
import { electionDate, lat, long } from './parameters.ts';
import { DISTRICT_TYPE, newerMap, textsOf } from './texts.ts';

const parameters = z.object({ lat, long, election_date: electionDate, collections });

const district = z
  .object({
    id: z.int().describe('District identifier.'),
    name: z.string().describe('Name of the district.'),
    type: z.enum(textsOf(DISTRICT_TYPE)).describe('District type.'),
    newer_map: newerMap,
    precise_boundary: z.boolean().describe('False for a generalised outline, uncertain near its edges.'),
    ballot_measures: z.array(measure).nullable().describe('Its measures, or null.'),
    races: z.array(pointRace).nullable().describe('Its races, or null.'),
  })
  .meta({ id: 'PointBallotDistrict', description: 'What one district of the point votes on.' });

const ballot = z
  .object({
    date: z.iso.date().describe('The election date.'),
    candidate_lists_complete: z.boolean().describe('Whether all candidates of all races are known.'),
    districts: z
      .array(district)
      .nullable()
      .describe('From the country down; districts without races and measures are left out. Null when none has any.'),
  })
  .meta({ id: 'PointBallot', description: 'What a point votes on, on one day.' });

/** Specification, GET /data/elections_by_point. */
export const electionsByPoint = defineEndpoint({
  paths: ['/data/elections_by_point', '/data/elections/point'],
  operationId: 'electionsByPoint',
  summary: 'The ballot of a point',
  description:
    'What a point votes on, on an election date: races with candidates, and ballot measures. Each race is found by the boundary that it uses, which need not be the one of today. Past elections have their results where the package includes them.',
  grant: 'elections',
  parameters,
  data: z
    .object({
      longitude: z.number().describe('As requested.'),
      latitude: z.number().describe('As requested.'),
      elections: z.array(ballot).describe('One element, for the date.'),
    })
    .meta({ id: 'PointBallots', description: 'The ballot of a point.' }),
  example,
  document: ElectionsByPointDocument,
  variables: (requested) => ({
    latitude: requested.parameters.lat,
    longitude: requested.parameters.long,
    electionDate: requested.parameters.election_date,
    ...contestVariables(requested),
  }),
  shapes: (requested) => ({ 'Location.ballot': shapeOf(contestVariables(requested)) }),
  reshape: ({ location: { longitude, latitude, ballot: found } }, requested) => ({
    longitude,
    latitude,
    elections: found ? [objectInShape<z.output<typeof ballot>>(found, shapeOf(contestVariables(requested)))] : [],
  }),
});

type FoundBallot = NonNullable<ElectionsByPointQuery['location']['ballot']>;
type FoundDistrict = FoundBallot['districts'][number];

const shapeOf = shapeFor(ballotShape);

function ballotShape(parts: ContestParts): Shape {
  const { orNull, listOf } = membersOf<FoundBallot>();
  return {
    date: orNull('date'),
    candidate_lists_complete: orNull('candidateListsComplete'),
    districts: listOf(districtShape(parts), 'districts'),
  };
}

function districtShape(parts: ContestParts): Shape {
  const { orNull, orFalse, orOmitted, label, listOf } = membersOf<FoundDistrict>();
  return {
    id: orNull('district', 'databaseId'),
    name: orNull('district', 'name'),
    type: label(DISTRICT_TYPE, 'district', 'type'),
    newer_map: orOmitted('district', 'newerMap', 'sentence'),
    precise_boundary: orFalse('boundary', 'precise'),
    ballot_measures: listOf(measureShape(parts), 'ballotMeasures'),
    races: listOf(raceShape('type', parts), 'races'),
  };
}
