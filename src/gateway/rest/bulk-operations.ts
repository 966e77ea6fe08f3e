import { z } from 'zod';
import { ServiceError } from '../../base/errors.ts';
import { changeFilesSchema } from '../exports/change-files.ts';
import { exportRequestSchema } from '../exports/export-request.ts';
import { type ErrorExample, errorExample, goneExample } from './error-responses.ts';
import type { Json, OpenApiOperation } from './types.ts';

const envelope = z.object({ success: z.literal(true), message: z.string().nullable().describe('A word of success.') });

const storedQuery = z
  .object({
    id: z.string().describe('What the query is requested by.'),
    title: z.string().describe('What the query is called, in a line.'),
    description: z.string().describe('What its rows are, and what they hold.'),
  })
  .meta({ id: 'StoredQuery', description: 'A stored query, whose rows can be downloaded.' });

const listResponse = envelope
  .extend({ data: z.array(storedQuery) })
  .meta({ id: 'ListQueriesResponse', description: 'Response: the stored queries.' });

const resultsResponse = envelope
  .extend({
    data: z.object({ url: z.string().describe('Where the file can be fetched without a key, for some minutes.') }),
  })
  .meta({ id: 'DownloadQueryResponse', description: 'Response: a link to the rows of a stored query.' });

const changeFile = z
  .object({
    url: z.string().describe('Where the file can be fetched without a key, for some minutes.'),
    name: z.string().describe('The name of the file, the same for the same changes.'),
    from: z.string().describe('The cursor before its first change.'),
    to: z.string().describe('The cursor of its last change.'),
  })
  .meta({
    id: 'ChangeFile',
    description: 'A gzip file with the changes after a cursor, one JSON object for each line.',
  });

const changeFilesResponse = envelope
  .extend({
    data: z.object({
      files: z.array(changeFile).describe('In the order of the changes; none if there are too few.'),
      next: z
        .string()
        .describe('The cursor after the last file: pass it as `after` to this path, or to `/data/changes`.'),
    }),
  })
  .meta({ id: 'ChangeFilesResponse', description: 'Response: links to files of changes.' });

export const bulkSchemas: readonly z.ZodType[] = [
  ...[listResponse, resultsResponse, exportRequestSchema],
  ...[changeFile, changeFilesResponse],
];

/** The errors that only the bulk download returns. */
export const bulkErrors: readonly ErrorExample[] = [
  errorExample(
    new ServiceError('NOT_FOUND', 'There is no stored query with this id. GET /getQueryList lists them.'),
    'There is no such stored query, or the package does not include its data.',
  ),
  errorExample(
    new ServiceError('PAYLOAD_TOO_LARGE', 'The request body has 100009 bytes; at most 65536 bytes are allowed.'),
    'The body of the request is too large.',
  ),
  errorExample(
    new ServiceError('EXPORT_TOO_LARGE', 'The file would be larger than 4294967296 bytes.'),
    'The file would be larger than is allowed.',
  ),
];

export interface BulkOperation {
  readonly path: string;
  readonly method: 'get' | 'post';
  readonly operation: Omit<OpenApiOperation, 'responses'>;
  readonly responseName: string;
  /** The errors that it also returns. */
  readonly errors: readonly ErrorExample[];
}

const GRANT = 'Needs the grant `bulk`.';
const REQUEST: Json = { $ref: '#/components/schemas/ExportRequest' };

/** The paths of the bulk download (contract, Bulk). */
export const bulkOperations: readonly BulkOperation[] = [
  {
    path: '/getQueryList',
    method: 'get',
    operation: {
      operationId: 'listQueries',
      summary: 'The stored queries',
      description: `Lists the stored queries whose rows can be downloaded with this key. ${GRANT}`,
      tags: ['bulk'],
      parameters: [],
    },
    responseName: 'ListQueriesResponse',
    errors: [],
  },
  {
    path: '/getQueryResults',
    method: 'post',
    operation: {
      operationId: 'downloadQuery',
      summary: 'A file with the rows of a stored query',
      description: `Responds with a link when the file is complete. A recent file is reused as long as the data has not changed. ${GRANT}`,
      tags: ['bulk'],
      parameters: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: REQUEST, example: { id: 'upcoming-elections', format: 'csv' } } },
      },
    },
    responseName: 'DownloadQueryResponse',
    errors: bulkErrors,
  },
  {
    path: '/data/changes/files',
    method: 'get',
    operation: {
      operationId: 'changeFiles',
      summary: 'Files of what changed, for the first pass of a copy',
      description: `The changes of \`/data/changes\`, in files of at most 10,000, each with its \`cursor\`; up to twenty files at once. The newest change is in none of them: when there are no more files, continue with \`/data/changes?after=\` and \`next\`. ${GRANT}`,
      tags: ['bulk'],
      parameters: [
        {
          name: 'after',
          in: 'query',
          required: true,
          description: changeFilesSchema.shape.after.description ?? '',
          schema: { type: 'string', minLength: 1, maxLength: 100 },
          example: 'start',
        },
      ],
    },
    responseName: 'ChangeFilesResponse',
    errors: [goneExample],
  },
];
