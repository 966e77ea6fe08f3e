import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';

const OTHER_CHARSET = /;\s*charset=(?!"?utf-?8\b)/i;

/**
 * Makes the service read bodies as JSON in UTF-8 and refuse all others: a form, plain text or multipart needs no
 * preflight in a browser. Rejects JSON that is nested too deeply before it is parsed.
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

/** @throws ServiceError INVALID_REQUEST when the JSON has more objects and lists within each other than are allowed. */
export function checkNesting(json: string, most: number): void {
  const depth = nestingOf(json);
  if (depth <= most) return;
  throw new ServiceError('INVALID_REQUEST', `The JSON is nested ${depth} levels deep; at most ${most} are allowed.`);
}

/** How deeply a JSON text is nested; of a text that is not JSON, a number that grows with its length at most. */
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
