import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FairQueue } from '../../base/fair-queue.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { logCause } from './error-handler.ts';
import { cacheControlOf } from './public-answers.ts';

/**
 * Size in bytes below which compression takes more time than it saves: with its headers, such a response fits in one
 * packet.
 */
const LEAST_COMPRESSED = 1_024;
/** Compresses as well as gzip at its best level, in a fraction of the time. */
const BROTLI_QUALITY = 4;
/** Takes half the time of the default for JSON, and a quarter for coordinates; the result is at most 6 % larger. */
const GZIP_LEVEL = 4;

/**
 * Size in bytes from which a body is compressed at the lowest level, and a key has one such body compressed at a time.
 * Of 3.5 MB of coordinates, Brotli takes a fifth of the time then, gzip two thirds; the result is 3 to 7 % larger.
 */
const LARGE = 256 * 1024;
/** zlib returns to the event loop for each piece of its result: by default for 16 kB, a hundred times for coordinates. */
const pieceOf = (body: Buffer) => Math.max(16 * 1024, body.length >> 1);

const COMPRESSORS = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      chunkSize: pieceOf(body),
      params: {
        [constants.BROTLI_PARAM_QUALITY]: body.length < LARGE ? BROTLI_QUALITY : 1,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body: Buffer) =>
    promisify<Buffer, ZlibOptions, Buffer>(gzip)(body, {
      chunkSize: pieceOf(body),
      level: body.length < LARGE ? GZIP_LEVEL : 1,
    }),
};
/** In order of preference. */
const CODINGS = ['br', 'gzip', 'identity'] as const;
type Compression = keyof typeof COMPRESSORS;
const COMPRESSIBLE = /^(application\/(([a-z-]+\+)?json|vnd\.mapbox-vector-tile)|text\/)/;

/**
 * Sends a successful response that the client may cache and revalidate. If the request has an API key, no shared cache may.
 * @param vary the request headers that it depends on.
 * @param isLasting whether later changes of the data leave the response as it is.
 */
export function sendTagged(
  reply: FastifyReply,
  type: string,
  body: Buffer | string,
  vary: string,
  isLasting = false,
): FastifyReply {
  addVary(reply, vary);
  return reply
    .headers({ 'cache-control': cacheControlOf(reply.request, isLasting), etag: tagOf(body) })
    .type(type)
    .send(body);
}

/** Compressed forms of bodies that never change, from the first request that needs each of them. */
const compressedForms = new WeakMap<Buffer, Map<Compression, Promise<Buffer>>>();

/** Marks a body that is sent to many clients: each compressed form is created once and shared by all responses. */
export function compressOnce(body: Buffer): Buffer {
  compressedForms.set(body, new Map());
  return body;
}

function compress(body: Buffer, coding: Compression): Promise<Buffer> {
  const forms = compressedForms.get(body);
  const known = forms?.get(coding);
  if (known) return known;
  const compressed = COMPRESSORS[coding](body);
  forms?.set(coding, compressed);
  compressed.catch(() => forms?.delete(coding));
  return compressed;
}

/** Property under which a body stores its tag: cached bodies are sent repeatedly. */
const TAG = Symbol('tag');

export function tagOf(body: (Buffer & { [TAG]?: string }) | string): string {
  if (typeof body === 'string') return tagFor(body);
  body[TAG] ??= tagFor(body);
  return body[TAG];
}

function tagFor(body: Buffer | string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/**
 * Compresses successful responses for clients that accept it, each as a representation with its own strong tag (RFC
 * 9110, 8.8.3), and sends 304 to a client that already has the representation. Response lengths reveal no secrets:
 * responses contain public data and the parameters of the request.
 *
 * `@fastify/etag` 6.2 with `@fastify/compress` 9.2 is not used: it ignores a list of tags in `If-None-Match`, sends HEAD
 * without the headers of GET, omits `Vary` unless it compresses, has one tag for all codings, streams the body, so that a
 * deadline cannot become a 504 any more, and compresses the body of a page for each client. It takes 1.17 times the
 * processor time for 36 kB with Brotli.
 */
export function completeRepresentations(app: FastifyInstance): void {
  // Compression takes cores from the event loop and from the database.
  const queue = new FairQueue({ size: Math.max(1, availableParallelism() - 1), perKey: 1 });

  function compressInTurn(body: Buffer, coding: Compression, { caller, abortSignal }: FastifyRequest): Promise<Buffer> {
    if (body.length < LARGE || !caller) return compress(body, coding);
    return queue.run(caller.keyId, () => compress(body, coding), abortSignal);
  }

  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const isBody = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (reply.statusCode !== 200 || !isBody || !isCompressible(reply)) return done(null, payload);
    addVary(reply, 'Accept-Encoding');
    const coding = Buffer.byteLength(payload) < LEAST_COMPRESSED ? 'identity' : codingFor(request);
    if (isSupported(request, reply, coding)) return done(null, withoutBody(request, reply));
    // Node sends a text in one piece with its headers, a buffer in a second one.
    if (coding === 'identity') return done(null, payload);
    reply.header('content-encoding', coding).removeHeader('content-length');
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    // Rejects when the request is aborted: the error is then sent instead of the body.
    untilAborted(compressInTurn(body, coding, request), request.abortSignal)
      .then(
        (compressed) => done(null, compressed),
        (error) => done(error),
      )
      .catch((error) => {
        logCause(request, error);
        reply.raw.destroy();
      });
  });
}

function isCompressible(reply: FastifyReply): boolean {
  return COMPRESSIBLE.test(String(reply.getHeader('content-type'))) && !reply.hasHeader('content-encoding');
}

function codingFor({ headers }: FastifyRequest): (typeof CODINGS)[number] {
  const accepted = headers['accept-encoding'];
  return accepted === undefined ? 'identity' : (negotiate(String(accepted).toLowerCase(), [...CODINGS]) ?? 'identity');
}

/**
 * Adds the content coding to the tag of the response and returns whether the client already has that representation.
 */
function isSupported(request: FastifyRequest, reply: FastifyReply, coding: string): boolean {
  const whole = reply.getHeader('etag');
  if (typeof whole !== 'string') return false;
  const tag = coding === 'identity' ? whole : whole.replace(/"$/, `-${coding}"`);
  reply.header('etag', tag);
  const known = request.headers['if-none-match'];
  return known !== undefined && hasTag(known, tag);
}

/**
 * Returns whether a list of tags contains a tag, by weak comparison (RFC 9110, 13.1.2): a proxy that changes the coding
 * weakens the tag.
 */
function hasTag(list: string, tag: string): boolean {
  return list.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag);
}

/**
 * Sets status 304 and returns an empty body. For HEAD, Fastify reads the length of the body, which fails for null but
 * not for an empty stream.
 */
function withoutBody({ method }: FastifyRequest, reply: FastifyReply): Readable | null {
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  return method === 'HEAD' ? Readable.from([]) : null;
}

export function addVary(reply: FastifyReply, names: string): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? names : `${vary}, ${names}`);
}
