import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../errors.ts';

/** RFC 3986, 3.2.2 and 3.2.3: a name or IPv4 address, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(\[[\da-f:.]+\]|([\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(:\d{0,5})?$/i;

/**
 * Checks the Host header and the framing of a request. The connection of an invalid request is closed: a reverse proxy
 * may have parsed other requests from the same bytes.
 * @throws ServiceError INVALID_REQUEST or EXPECTATION_FAILED.
 */
export function checkFraming(request: IncomingMessage, reply: FastifyReply): void {
  const error = hostError(request) ?? bodyError(request);
  if (!error) return;
  reply.header('connection', 'close');
  throw error;
}

function hostError({ rawHeaders, headers: { host }, httpVersionMinor }: IncomingMessage): ServiceError | undefined {
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (count > 1) return new ServiceError('INVALID_REQUEST', `The request has ${count} Host headers; it must have one.`);
  if (host === undefined) {
    return httpVersionMinor > 0 ? new ServiceError('INVALID_REQUEST', 'The request has no Host header.') : undefined;
  }
  return HOST.test(host) ? undefined : new ServiceError('INVALID_REQUEST', 'The Host header is not a host and a port.');
}

function bodyError({ headers, httpVersionMinor }: IncomingMessage): ServiceError | undefined {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersionMinor === 0)) {
    return new ServiceError('INVALID_REQUEST', 'The only accepted Transfer-Encoding is chunked, in HTTP/1.1.');
  }
  const { expect } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new ServiceError('EXPECTATION_FAILED', 'The only accepted Expect header is 100-continue.');
  }
  return undefined;
}
