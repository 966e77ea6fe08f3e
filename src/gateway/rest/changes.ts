import { z } from 'zod';
import { ServiceError } from '../../base/errors.ts';
import { TYPES_OF_KINDS } from '../../graph/provenance/record.ts';
import { changeInRest } from '../exports/change-files.ts';
import { defineEndpoint } from './endpoint.ts';
import { goneExample } from './error-responses.ts';
import { ChangesDocument } from './generated/documents.ts';
import { checkState, listOf, pageSize, state, wait } from './parameters.ts';

const change = z
  .object({
    kind: z.enum(['CREATED', 'UPDATED', 'DELETED']).describe('What happened to the record.'),
    type: z.string().describe('The type of the record in GraphQL.'),
    id: z.string().describe('The global ID of the record, by which `nodes(ids:)` in GraphQL returns it.'),
    fields: z
      .array(z.string())
      .nullable()
      .describe(
        'The fields of the type in GraphQL that changed; null if the record is new, deleted or replaced as a whole.',
      ),
    changed_at: z
      .string()
      .nullable()
      .describe('Start of the transaction, in UTC; null for records that are older than the feed.'),
    source: z
      .string()
      .nullable()
      .describe('The data set that was imported; null for other commands and changes by hand.'),
  })
  .meta({ id: 'Change', description: 'What one transaction did to one record.' });

const types = [...TYPES_OF_KINDS.values()] as [string, ...string[]];

/** The feed of changes: an addition to the paths of the specification. */
export const changes = defineEndpoint({
  paths: ['/data/changes'],
  operationId: 'changes',
  summary: 'What changed, deletions among it, page by page',
  description:
    'The changes of the data that the package includes, so that a copy can be made and stays equal: begin with `after=start`, then pass `next` as `after` again and again. A change is told at least once. The cache of a client may keep a page that is followed by others.',
  parameters: z.object({
    after: z.string().max(100, 'must be the `next` of a page, or start').optional().meta({
      title: 'after',
      description:
        'The `next` of the page before, or `start` for the first change that is kept. Without it there are no changes, and `next` is the cursor of now.',
      example: 'start',
    }),
    types: listOf(types, {
      description: 'Only records of these types of GraphQL, separated by commas.',
      example: 'Candidate',
    }).optional(),
    state: state.optional(),
    first: pageSize.optional(),
    wait: wait.optional(),
  }),
  data: z
    .object({
      changes: z.array(change).describe('In the order in which they were made.'),
      next: z.string().describe('Pass it as `after` to the next request.'),
      up_to_date: z.boolean().describe('Whether no change follows this page.'),
    })
    .meta({ id: 'Changes', description: 'A page of changes.' }),
  errors: [goneExample],
  document: ChangesDocument,
  variables: ({ parameters: { after, types, state, first } }) => ({ after, types, state, first }),
  isEmpty: (body) => body.includes('"changes":[],'),
  isLasting: (body) => body.includes('"up_to_date":false'),
  reshape({ changes: page }, { parameters: { state } }) {
    if (!page) throw new ServiceError('FORBIDDEN', 'The changes endpoint is not available in your package.');
    if (page.nodes.length === 0) checkState(state);
    return {
      changes: page.nodes.map(changeInRest),
      next: page.next,
      up_to_date: page.isUpToDate,
    };
  },
});
