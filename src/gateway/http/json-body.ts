import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';

const OTHER_CHARSET = /;\s*charset=(?!"?utf-?8\b)/i;

/**
 * Makes the service accept only JSON bodies in UTF-8: forms, plain text and multipart bodies need no preflight in a
 * browser. JSON that is nested too deeply is rejected before it is parsed: parsing the deepest body takes 8 ms for 64 KiB,
 * and 4 s and 0.5 GB for 16 MiB, which `MAX_BODY_BYTES` allows.
 */
export function readJsonBodies(app: FastifyInstance, mostNesting: number): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['text/plain', 'application/json']);
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (OTHER_CHARSET.test(request.headers['content-type'] ?? '')) {
      const message = 'The request body must be JSON in UTF-8, sent as Content-Type: application/json.';
      done(new ServiceError('UNSUPPORTED_MEDIA_TYPE', message));
      return;
    }
    if (!isUtf8(body)) {
      done(new ServiceError('INVALID_REQUEST', 'The request body is not valid UTF-8.'));
      return;
    }
    const text = body.toString('utf8');
    try {
      checkNesting(text, mostNesting);
    } catch (error) {
      done(error as ServiceError);
      return;
    }
    return parse(request, text, done);
  });
}

/**
 * Checks the nesting of a JSON text.
 * @throws ServiceError INVALID_REQUEST when objects and lists are nested more deeply than allowed.
 */
export function checkNesting(json: string, most: number): void {
  const depth = nestingOf(json);
  if (depth <= most) return;
  throw new ServiceError('INVALID_REQUEST', `The JSON is nested ${depth} levels deep; at most ${most} are allowed.`);
}

/** Returns the nesting depth of a JSON text; for text that is not JSON, a number no greater than its length. */
export function nestingOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '"':
        at = endOfString(json, at);
        break;
      case '{':
      case '[':
        deepest = Math.max(deepest, ++depth);
        break;
      case '}':
      case ']':
        depth--;
    }
  }
  return deepest;
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}
