import { z } from 'zod';
import { type InvalidParameter, ServiceError } from '../../base/errors.ts';
import { FORMAT_NAMES, type FormatName } from './formats.ts';
import { QUERY_ID } from './query-file.ts';

/** The body of `POST /getQueryResults`. */
export const exportRequestSchema = z
  .object(
    {
      id: z
        .string('must be the id of a stored query (GET /getQueryList lists them)')
        .regex(QUERY_ID, 'must be 1 to 64 of the characters A-Z a-z 0-9 _ -')
        .describe('The id of a stored query, as returned by `/getQueryList`.'),
      format: z
        .enum(FORMAT_NAMES as [FormatName, ...FormatName[]], `must be one of ${FORMAT_NAMES.join(', ')}`)
        .describe('The form of the file.'),
    },
    'must be a JSON object with id and format',
  )
  .meta({ id: 'ExportRequest', description: 'Which rows are wanted, and in which form.' });

/**
 * Parses the body of `POST /getQueryResults`. Unknown members are ignored.
 * @throws ServiceError INVALID_PARAMETER that names each invalid member and the values it accepts.
 */
export function readExportRequest(present: unknown): z.output<typeof exportRequestSchema> {
  const read = exportRequestSchema.safeParse(present);
  if (read.success) return read.data;
  const invalid: InvalidParameter[] = read.error.issues.map(({ path, message }) => ({
    name: path.join('.') || 'body',
    reason: message,
  }));
  const message = invalid.map(({ name, reason }) => `${name} ${reason}.`).join(' ');
  throw new ServiceError('INVALID_PARAMETER', message, invalid);
}
