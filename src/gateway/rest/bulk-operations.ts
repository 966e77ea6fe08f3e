import { z } from 'zod';
import { ServiceError } from '../../base/errors.ts';
import { exportRequestSchema } from '../exports/export-request.ts';
import { type ErrorExample, errorExample } from './error-responses.ts';
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

export const bulkSchemas: readonly z.ZodType[] = [listResponse, resultsResponse, exportRequestSchema];

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
  /** Whether it also returns `bulkErrors`. */
  readonly runs: boolean;
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
    runs: false,
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
    runs: true,
  },
];
