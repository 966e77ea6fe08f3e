import { z } from 'zod';
import { defineEndpoint, type EndpointInput } from './endpoint.ts';
import example from './examples/election-dates-list.json' with { type: 'json' };
import { ElectionDatesListDocument } from './generated/documents.ts';
import { checkState, day, FIRST_DAY, listOf, page, state, year } from './parameters.ts';
import { DISTRICT_TYPE, electionStatus, statusOf, textsOf } from './texts.ts';
import { listOrNull, textOrEmpty } from './values.ts';

/** Page size requested by the document (specification, Limits). */
const PAGE_SIZE = 25;

const election = z
  .object({
    id: z.int().optional().describe('Election identifier. Left out when the package has no ids.'),
    date: z.iso.date().describe('Election day.'),
    type: z.string().describe('An open set: `General`, `Primary`, `Special`, `Recall`, `General Runoff` and others.'),
    description: z.string().nullable().describe('Free text, or null; for recalls it may be the address of a page.'),
    candidate_lists_complete: z.boolean().describe('Whether all candidates of all races are known.'),
    status: electionStatus,
    district_name: z.string().optional().describe('The district that holds it. Left out by package.'),
    district_type: z
      .enum(textsOf(DISTRICT_TYPE))
      .optional()
      .describe('The type of that district. Left out by package.'),
    state: z.string().describe('Two-letter abbreviation; `US` for the country, empty when it belongs to no one state.'),
  })
  .meta({ id: 'ListedElection', description: 'An election, as the list has it.' });

/** Specification, GET /data/election_dates/list. */
export const electionDatesList = defineEndpoint({
  paths: ['/data/election_dates/list'],
  operationId: 'electionDatesList',
  summary: 'Election dates, filtered and in pages',
  description: `Elections of the whole country from 2018 on that fit all filters, by date, then id, ${PAGE_SIZE} a page.`,
  grant: 'election_dates',
  isPublic: true,
  parameters: z.object({
    state: state.optional(),
    type: listOf(['General', 'Primary', 'Special', 'Recall'], {
      description: 'Only elections of these types.',
      example: 'General',
    }).optional(),
    year: year.optional(),
    date: day({ title: 'date', description: 'Only elections on this day.', example: '2022-11-08' }).optional(),
    page: page.optional(),
  }),
  data: z
    .object({
      elections: z.array(election).nullable().describe('The page; null past the last one, and when nothing fits.'),
      total_pages: z.int().describe('How many pages there are.'),
    })
    .meta({ id: 'ListedElections', description: 'A page of elections.' }),
  example,
  document: ElectionDatesListDocument,
  variables: (requested) => {
    const { state: inState, type, year: inYear, date, page: number } = requested.parameters;
    const filter = { state: inState, types: type, year: inYear, date, from: FIRST_DAY };
    return { filter, page: number ?? 1, ...visible(requested) };
  },
  reshape: ({ elections }, requested) => {
    if (elections?.totalCount === 0) checkState(requested.parameters.state);
    return {
      elections: listOrNull(
        elections?.edges.map(({ node }) => ({
          ...(visible(requested).ids && { id: node.databaseId ?? 0 }),
          date: node.date,
          type: node.type,
          description: node.description,
          candidate_lists_complete: node.candidateListsComplete,
          ...statusOf(node.status),
          ...(node.district && { district_name: node.district.name, district_type: DISTRICT_TYPE[node.district.type] }),
          state: textOrEmpty(node.state),
        })),
      ),
      total_pages: Math.ceil((elections?.totalCount ?? 0) / PAGE_SIZE),
    };
  },
});

function visible({ caller }: EndpointInput<unknown>) {
  return { ids: caller.grants.has('election_ids'), districts: caller.grants.has('election_districts') };
}
