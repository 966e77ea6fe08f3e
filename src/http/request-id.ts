import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Too short for an API key and without the dot of a coordinate, so that neither gets into the log this way. */
const SAFE = /^[A-Za-z0-9_-]{8,36}$/;

/** The request's own `x-request-id` where it is safe to log, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE.test(given) ? given : randomUUID();
}
