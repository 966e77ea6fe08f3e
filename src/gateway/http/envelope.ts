import { STATUS_CODES } from 'node:http';
import type { ServiceError } from '../../base/errors.ts';

/** The envelope of every lookup and bulk response (specification, Common response envelope). */
export interface Success<Data> {
  readonly success: true;
  readonly data: Data;
  readonly message: string | null;
}

/** The same envelope for an error, together with the members of RFC 9457. */
export interface Failure {
  readonly success: false;
  readonly data: Record<string, never>;
  readonly message: string;
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The rejected parameters. */
  readonly errors: readonly { readonly name: string; readonly reason: string }[];
  readonly request_id: string;
}

export function success<Data>(data: Data, message: string | null = null): Success<Data> {
  return { success: true, data, message };
}

export function failure(error: ServiceError, requestId: string): Failure {
  return {
    success: false,
    data: {},
    message: error.message,
    type: `urn:ballotgraph:error:${error.code.toLowerCase().replaceAll('_', '-')}`,
    title: STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    errors: error.invalidParameters.map(({ name, reason }) => ({ name, reason })),
    ...error.members,
    request_id: requestId,
  };
}
