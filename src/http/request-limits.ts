import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpLimits } from '../config/limits.ts';
import { ServiceError } from '../errors.ts';
import { checkFraming } from './framing.ts';

/**
 * Creates the hook that rejects a request based on its size and syntax. Fastify limits the body and Node the size of all
 * headers, but neither limits the URL, and Node's `maxHeadersCount` drops the headers that exceed it and serves the
 * request without them.
 * @throws ServiceError, one of several.
 */
export function createLimitsHook(limits: HttpLimits) {
  return function checkLimits({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
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
    done();
  };
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
