import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import example from './examples/election-dates-point.json' with { type: 'json' };
import { ElectionDatesPointDocument } from './generated/documents.ts';
import { FIRST_DAY, lat, long } from './parameters.ts';
import { electionStatus, statusOf } from './texts.ts';
import { listOrNull } from './values.ts';

const election = z
  .object({
    type: z.string().describe('An open set: `General`, `Primary`, `Special`, `Recall`, `General Runoff` and others.'),
    id: z.int().describe('Election identifier.'),
    date: z.iso.date().describe('Election day.'),
    description: z.string().nullable().describe('Free text, or null.'),
    status: electionStatus,
  })
  .meta({ id: 'PointElection', description: 'An election that applies to the point.' });

/** Specification, GET /data/election_dates/point. */
export const electionDatesPoint = defineEndpoint({
  paths: ['/data/election_dates/point'],
  operationId: 'electionDatesByPoint',
  summary: 'Election dates of a point',
  description:
    'The elections that apply to a point, from one year before to one year after today, both days included, by date.',
  grant: 'election_dates',
  parameters: z.object({ lat, long }),
  data: z
    .object({ elections: z.array(election).nullable().describe('By date, then id; null when there is none.') })
    .meta({ id: 'PointElections', description: 'The elections that apply to a point.' }),
  example,
  document: ElectionDatesPointDocument,
  addedGrants: ['election_ids'],
  variables: ({ parameters: { lat: latitude, long: longitude } }) => ({ latitude, longitude }),
  reshape: ({ location }) => ({
    elections: listOrNull(
      location.elections
        ?.filter(({ date }) => date >= FIRST_DAY)
        .map(({ type, databaseId, date, description, status }) => ({
          ...{ type, id: databaseId ?? 0, date, description },
          ...statusOf(status),
        })),
    ),
  }),
});
