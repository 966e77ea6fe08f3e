import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { checkFraming } from './framing.ts';

/** Limits for requests that are checked before any lookup. Sizes in bytes, times in milliseconds. */
export interface Limits {
  readonly body: number;
  readonly url: number;
  readonly headers: number;
  /** Nesting depth of objects and lists in a JSON body. */
  readonly nesting: number;
  /** Time until all headers have arrived. */
  readonly headersTimeout: number;
  /** Time until the whole request has arrived. */
  readonly requestTimeout: number;
  /** Time from the first byte of the request to the response. */
  readonly handlerTimeout: number;
}

export const DEFAULT_LIMITS: Limits = {
  body: 64 * 1024,
  url: 8 * 1024,
  headers: 100,
  nesting: 32,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  handlerTimeout: 10_000,
};

/**
 * Creates the hook that rejects a request based on its size and syntax.
 * @throws ServiceError, one of several.
 */
export function createLimitsHook(limits: Limits) {
  return async function checkLimits({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
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
