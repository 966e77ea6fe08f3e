import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpLimits } from '../../base/config/limits.ts';
import { ServiceError } from '../../base/errors.ts';

/** RFC 3986, 3.2.2 and 3.2.3: a name or IPv4 address, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(\[[\da-f:.]+\]|([\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(:\d{0,5})?$/i;

/**
 * Checks the size and the syntax of a request. Fastify limits the body and Node the size of all headers, but neither
 * limits the URL, and Node's `maxHeadersCount` drops the headers that exceed it and serves the request without them.
 * @throws ServiceError, one of several.
 */
export function checkLimits({ raw }: FastifyRequest, reply: FastifyReply, limits: HttpLimits): void {
  const url = raw.url ?? '/';
  if (url.length > limits.url) {
    throw new ServiceError('URI_TOO_LONG', `The address has ${url.length} bytes; at most ${limits.url} are allowed.`);
  }
  if (raw.rawHeaders.length > 2 * limits.headers) {
    throw new ServiceError(
      'HEADERS_TOO_LARGE',
      `The request has ${raw.rawHeaders.length / 2} header fields; at most ${limits.headers} are allowed.`,
    );
  }
  checkFraming(raw, reply);
  if (!isWellEncoded(url)) {
    throw new ServiceError(
      'INVALID_REQUEST',
      'The address holds a malformed percent-encoding, a NUL character or one that is not ASCII and must be encoded.',
    );
  }
  const encoding = raw.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'A compressed request body is not accepted.');
  }
}

/**
 * Returns whether a URL can be decoded. Query parsers replace a malformed encoding with U+FFFD, Node reads raw bytes as
 * Latin-1, and PostgreSQL rejects NUL.
 */
function isWellEncoded(url: string): boolean {
  if (/[^!-~]/.test(url)) return false;
  if (!url.includes('%')) return true;
  try {
    return !decodeURIComponent(url).includes('\0');
  } catch {
    return false;
  }
}

/**
 * Checks the Host header and the framing of a request as RFC 9112 requires (3.2, 6.1). Node itself serves two Host headers
 * or one that is no host, which addresses in responses would repeat, and a chunked body in HTTP/1.0 or with another coding.
 * The connection of an invalid request is closed: a reverse proxy may have parsed other requests from the same bytes.
 * @throws ServiceError INVALID_REQUEST or EXPECTATION_FAILED.
 */
function checkFraming(request: IncomingMessage, reply: FastifyReply): void {
  const error = hostError(request) ?? bodyError(request);
  if (!error) return;
  reply.header('connection', 'close');
  throw error;
}

function hostError({ rawHeaders, headers: { host }, httpVersionMinor }: IncomingMessage): ServiceError | undefined {
  const isHost = (name: string, at: number) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host';
  const count = rawHeaders.filter(isHost).length;
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
