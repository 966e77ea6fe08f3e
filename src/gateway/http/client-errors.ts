import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { dictionary } from '../../base/dictionary.ts';
import { ServiceError } from '../../base/errors.ts';
import { failure } from './envelope.ts';

const MALFORMED = new ServiceError('INVALID_REQUEST', 'The request is not valid HTTP.');
const ERRORS: Record<string, ServiceError> = dictionary({
  ERR_HTTP_REQUEST_TIMEOUT: new ServiceError('REQUEST_TIMEOUT', 'The request did not arrive in time.'),
  HPE_HEADER_OVERFLOW: new ServiceError('HEADERS_TOO_LARGE', 'The request header is larger than 16 KiB.'),
});

/**
 * Returns the error of input that never became a request: bytes that are not HTTP, headers that are too large or too slow;
 * undefined if no client can read it.
 */
export function clientErrorOf({ code = '' }: NodeJS.ErrnoException): ServiceError | undefined {
  return code === 'ECONNRESET' ? undefined : (ERRORS[code] ?? MALFORMED);
}

/** Sends an error as the last response of a connection. */
export function endConnection(known: ServiceError, socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.writable) {
    const id = randomUUID();
    const body = JSON.stringify(failure(known, id));
    const head = [
      `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${id}`,
      'vary: Origin',
      'connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}
