import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { untilAborted } from '../until-aborted.ts';

/** Bytes below which compressing takes more time than it saves: with its headers, such an answer is one packet. */
const LEAST_COMPRESSED = 1_024;
/** As good as gzip at its best, in a fraction of the time. */
const BROTLI_QUALITY = 4;

const COMPRESSORS = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: promisify<Buffer, Buffer>(gzip),
};
/** The preferred one first. */
const CODINGS = ['br', 'gzip', 'identity'] as const;
type Compression = keyof typeof COMPRESSORS;
const COMPRESSIBLE = /^(application\/([a-z-]+\+)?json|text\/)/;

/**
 * Sends a success that its client may keep, to ask whether it is still the same the next time. It depends on the key,
 * which no cache on the way looks at, so it is for this client alone.
 * @param vary the headers on which it depends.
 */
export function sendTagged(reply: FastifyReply, type: string, body: Buffer, vary: string): FastifyReply {
  addVary(reply, vary);
  return reply
    .headers({ 'cache-control': 'private, no-cache', etag: tagOf(body) })
    .type(type)
    .send(body);
}

/** The compressed forms of bodies that never change, from the moment that the first request asks for one. */
const compressedForms = new WeakMap<Buffer, Map<Compression, Promise<Buffer>>>();

/** Marks a body that is sent to many clients: each of its compressed forms is made once and shared by all responses. */
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

/** Where a body has its tag: those that are kept are sent again and again. */
const TAG = Symbol('tag');

export function tagOf(body: Buffer & { [TAG]?: string }): string {
  body[TAG] ??= `"${hash('sha1', body, 'base64url')}"`;
  return body[TAG];
}

/**
 * Compresses successes for clients that ask for it, each in a representation with a strong tag of its own (RFC 9110,
 * 8.8.3), and answers 304 to a client that has the one that it would get. An answer holds no secret that somebody could
 * guess by its length: public data, and what was asked for them.
 */
export function completeRepresentations(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (reply.statusCode !== 200 || !Buffer.isBuffer(body) || !isCompressible(reply)) return done(null, payload);
    addVary(reply, 'Accept-Encoding');
    const coding = body.length < LEAST_COMPRESSED ? 'identity' : codingFor(request);
    if (isKnown(request, reply, coding)) return done(null, withoutBody(request, reply));
    if (coding === 'identity') return done(null, body);
    reply.header('content-encoding', coding).removeHeader('content-length');
    // Rejected when the request ends: its error is then sent in the place of the body, and the body not after it.
    untilAborted(compress(body, coding), request.ending)
      .then(
        (compressed) => done(null, compressed),
        (error) => done(error),
      )
      .catch((error) => {
        request.log.error({ err: error }, 'a response could not be sent');
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

/** Completes the tag of the answer, and tells whether the client has what it names. */
function isKnown(request: FastifyRequest, reply: FastifyReply, coding: string): boolean {
  const whole = reply.getHeader('etag');
  if (typeof whole !== 'string') return false;
  const tag = coding === 'identity' ? whole : whole.replace(/"$/, `-${coding}"`);
  reply.header('etag', tag);
  const known = request.headers['if-none-match'];
  return known !== undefined && hasTag(known, tag);
}

/** RFC 9110, 13.1.2: compared weakly, as a proxy that changes the coding weakens it. */
function hasTag(list: string, tag: string): boolean {
  return list.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag);
}

/** Fastify measures the body of a response to HEAD, which null has none of; an empty stream is not measured. */
function withoutBody({ method }: FastifyRequest, reply: FastifyReply): Readable | null {
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  return method === 'HEAD' ? Readable.from([]) : null;
}

export function addVary(reply: FastifyReply, names: string): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? names : `${vary}, ${names}`);
}
