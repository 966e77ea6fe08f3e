import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Too short for an API key and without the dot of a coordinate, so neither can reach the log this way. */
const SAFE = /^[A-Za-z0-9_-]{8,36}$/;

/** Returns the `x-request-id` of the request if it is safe to log, otherwise a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE.test(given) ? given : randomUUID();
}
