import { z } from 'zod';
import { membersOf, objectInShape, type Shape, shapeFor } from '../graphql/execution/shape.ts';
import { collections } from './collections.ts';
import { measure, stateRace } from './contest-shapes.ts';
import { type ContestParts, contestVariables, measureShape, raceShape } from './contests.ts';
import { defineEndpoint } from './endpoint.ts';
import example from './examples/elections-by-state.json' with { type: 'json' };
import { ElectionsByStateDocument, type ElectionsByStateQuery } from './generated/documents.ts';
import { checkState, electionDate, isState, listOf, page, state } from './parameters.ts';
import { DISTRICT_TYPE, namesOf, newerMap, OFFICE_BRANCH, OFFICE_LEVEL, textsOf } from './texts.ts';
import { listOrNull } from './values.ts';

/** Returned instead of an object after the last page: clients page until they receive it. */
const NO_RESULTS = 'No results.';

const parameters = z.object({
  state,
  election_date: electionDate,
  collections,
  office_level: listOf(textsOf(OFFICE_LEVEL), {
    description: 'Only races for offices of these levels. Measures, which have no office, are not filtered.',
    example: 'Federal',
  }).optional(),
  office_branch: listOf(textsOf(OFFICE_BRANCH), {
    description: 'Only races for offices of these branches. Measures, which have no office, are not filtered.',
    example: 'Legislative',
  }).optional(),
  district_type: listOf(textsOf(DISTRICT_TYPE), {
    description: 'Only districts of these types.',
    example: 'State',
  }).optional(),
  page: page.optional(),
});

const district = z
  .object({
    id: z.int().describe('District identifier.'),
    name: z.string().describe('Name of the district.'),
    type: z.enum(textsOf(DISTRICT_TYPE)).describe('District type.'),
    newer_map: newerMap,
    ballot_measures: z.array(measure).nullable().describe('Its measures, or null.'),
    races: z.array(stateRace).nullable().describe('Its races, or null.'),
  })
  .meta({ id: 'StateBallotDistrict', description: 'What one district of the state votes on.' });

const ballot = z
  .object({
    election_date: z.iso.date().describe('The election date.'),
    districts: z.array(district).describe('By id; districts without races and measures are left out.'),
  })
  .meta({ id: 'StateBallot', description: 'A page of what a state votes on.' });

/** Specification, GET /data/elections_by_state. */
export const electionsByState = defineEndpoint({
  paths: ['/data/elections_by_state', '/data/elections/statewide'],
  operationId: 'electionsByState',
  summary: 'The ballot of a whole state',
  description: `What a state votes on, on an election date, by district, 30 districts a page. \`data\` is the text \`${NO_RESULTS}\` past the last page, and when there is nothing.`,
  grant: 'elections',
  isPublic: true,
  parameters,
  data: z.union([ballot, z.literal(NO_RESULTS)]),
  example,
  document: ElectionsByStateDocument,
  variables: (requested) => ({
    state: requested.parameters.state,
    electionDate: requested.parameters.election_date,
    officeLevels: namesOf(OFFICE_LEVEL, requested.parameters.office_level),
    officeBranches: namesOf(OFFICE_BRANCH, requested.parameters.office_branch),
    districtTypes: namesOf(DISTRICT_TYPE, requested.parameters.district_type),
    page: requested.parameters.page ?? 1,
    count: !isState(requested.parameters.state),
    ...contestVariables(requested),
  }),
  shapes: (requested) => ({ 'BallotDistrictEdge.node': shapeOf(contestVariables(requested)) }),
  reshape: ({ stateBallot }, requested) => {
    const shape = shapeOf(contestVariables(requested));
    const found = stateBallot?.edges.map(({ node }) => objectInShape<z.output<typeof district>>(node, shape));
    const districts = listOrNull(found);
    if (!stateBallot?.totalCount) checkState(requested.parameters.state);
    return districts ? { election_date: requested.parameters.election_date, districts } : NO_RESULTS;
  },
});

type FoundDistrict = NonNullable<ElectionsByStateQuery['stateBallot']>['edges'][number]['node'];

const shapeOf = shapeFor(districtShape);

function districtShape(parts: ContestParts): Shape {
  const { orNull, orOmitted, label, listOf } = membersOf<FoundDistrict>();
  return {
    id: orNull('district', 'databaseId'),
    name: orNull('district', 'name'),
    type: label(DISTRICT_TYPE, 'district', 'type'),
    newer_map: orOmitted('district', 'newerMap', 'sentence'),
    ballot_measures: listOf(measureShape(parts), 'ballotMeasures'),
    races: listOf(raceShape('race_type', parts), 'races'),
  };
}
