import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import send from '@fastify/send';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dictionary } from '../../base/dictionary.ts';
import { ServiceError } from '../../base/errors.ts';
import { GZIP, mediaTypeOf } from './formats.ts';

const GZIP_LEVEL = 4;
const ENCODED = '-gzip';

/**
 * Sends a file, with support for ranges and conditional requests. Clients that accept gzip receive the file compressed
 * on the fly, unless they request a range.
 *
 * `@fastify/static` is not used: it sends files with the same library, whose tags are weak. Only a strong tag allows a
 * client to continue a download with `If-Range` (RFC 9110, 13.1.5).
 * @param path below `folder`: `<key>/<name>`.
 * @throws ServiceError NOT_FOUND, RANGE_NOT_SATISFIABLE, PRECONDITION_FAILED.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  folder: string,
  path: string,
): Promise<FastifyReply> {
  const name = path.slice(path.indexOf('/') + 1);
  const found = await send(plain(request), path, { root: folder, index: false, cacheControl: false });
  const headers: Record<string, string> = dictionary(found.headers);
  if (found.statusCode >= 400) throw rejection(found.statusCode, headers, reply);

  // The file never changes, so its tag is strong.
  const tag = headers.ETag?.replace(/^W\//, '');
  reply.code(found.statusCode).headers({
    ...headers,
    ...(tag && { ETag: tag }),
    'content-type': mediaTypeOf(name),
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'private, no-store',
    vary: 'Origin, Accept-Encoding',
  });
  if (name.endsWith(`.${GZIP}`) || !wantsGzip(request)) return reply.send(found.stream);
  if (tag) reply.header('ETag', tag.replace(/"$/, `${ENCODED}"`));
  if (found.statusCode !== 200) return reply.send(found.stream);
  reply.header('content-encoding', 'gzip').removeHeader('content-length').removeHeader('accept-ranges');
  if (request.method === 'HEAD') return reply.send(found.stream);
  // If either of the two ends early, the other one is destroyed as well.
  return reply.send(pipeline(found.stream, createGzip({ level: GZIP_LEVEL }), () => undefined));
}

/** Returns the request in the form that the library expects: with weak tags (`W/`) and without the gzip suffix. */
function plain(request: FastifyRequest): FastifyRequest['raw'] {
  const headers = { ...request.headers };
  const withoutMark = (tags: string | undefined) => tags?.replaceAll(`${ENCODED}"`, '"');
  if (headers['if-none-match']) headers['if-none-match'] = withoutMark(headers['if-none-match']);
  if (headers['if-match']) headers['if-match'] = withoutMark(headers['if-match']);
  const ifRange = String(headers['if-range'] ?? '');
  if (ifRange.startsWith('"')) headers['if-range'] = `W/${ifRange}`;
  return { method: request.method, headers } as FastifyRequest['raw'];
}

function wantsGzip({ headers }: FastifyRequest): boolean {
  if (headers.range !== undefined) return false;
  return /(^|[,\s])gzip\s*(;\s*q=(1|0\.0*[1-9])[\d.]*\s*)?(,|$)/i.test(String(headers['accept-encoding'] ?? ''));
}

function rejection(status: number, headers: Record<string, string>, reply: FastifyReply): ServiceError {
  if (status === 416) {
    if (headers['Content-Range']) reply.header('content-range', headers['Content-Range']);
    return new ServiceError('RANGE_NOT_SATISFIABLE', 'The file has no bytes in this range.');
  }
  if (status === 412) return new ServiceError('PRECONDITION_FAILED', 'The file is not the one that was requested.');
  return new ServiceError('NOT_FOUND', 'There is no such file (any more). Request it again.');
}
