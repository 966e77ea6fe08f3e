import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { PUBLIC } from './public-answers.ts';
import { addVary, compressOnce, tagOf } from './representation.ts';

/** A document that is the same for all clients for the lifetime of the process. */
export interface StaticPage {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** The request headers that it depends on, in addition to those of every response. */
  readonly vary: string | undefined;
}

export interface PageOptions {
  readonly vary?: string;
  /** Allowed sources by directive of the content security policy; nothing else may be loaded. */
  readonly sources?: Readonly<Record<string, string>>;
}

/** Creates an HTML page that may load only its own inline scripts and styles and may not be framed by any page. */
export function htmlPage(html: string, { vary, sources = {} }: PageOptions = {}): StaticPage {
  const policy = {
    'default-src': "'none'",
    'script-src': hashesOf(html, 'script'),
    'style-src': hashesOf(html, 'style'),
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...sources,
  };
  return staticPage(Buffer.from(html), 'text/html; charset=utf-8', vary, {
    'content-security-policy': Object.entries(policy)
      .filter(([, allowed]) => allowed !== '')
      .map(([directive, allowed]) => `${directive} ${allowed}`)
      .join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  });
}

/** Creates a JSON document. */
export function jsonPage(value: unknown): StaticPage {
  return staticPage(Buffer.from(JSON.stringify(value)), 'application/json; charset=utf-8', undefined, {});
}

/** Creates a plain text document. */
export function textPage(text: string): StaticPage {
  return staticPage(Buffer.from(text), 'text/plain; charset=utf-8', undefined, {});
}

/** Creates a file of a type that pages load. */
export function fileOf(content: Buffer, type: string): StaticPage {
  return staticPage(content, type, undefined, {});
}

/** Creates a file whose address changes with its content, so that no client ever needs to load it again. */
export function unchangingFile(content: Buffer, type: string): StaticPage {
  return staticPage(content, type, undefined, { 'cache-control': 'public, max-age=31536000, immutable' });
}

/** Sends a page, or 304 to a client that has it. All responses share one buffer for each content coding. */
export function sendPage(reply: FastifyReply, { body, headers, vary }: StaticPage): FastifyReply {
  if (vary !== undefined) addVary(reply, vary);
  return reply.headers(headers).send(body);
}

function staticPage(
  content: Buffer,
  type: string,
  vary: string | undefined,
  headers: Readonly<Record<string, string>>,
): StaticPage {
  const body = compressOnce(content);
  return { body, vary, headers: { 'content-type': type, 'cache-control': PUBLIC, etag: tagOf(body), ...headers } };
}

/**
 * Returns the hashes with which a content security policy allows the inline elements of a page; '' if there are none.
 */
function hashesOf(html: string, element: 'script' | 'style'): string {
  const [opening, closing] = [`<${element}>`, `</${element}>`];
  const hashes: string[] = [];
  for (let at = html.indexOf(opening); at >= 0; at = html.indexOf(opening, at)) {
    const start = at + opening.length;
    at = html.indexOf(closing, start);
    if (at < 0) break;
    hashes.push(`'sha256-${hash('sha256', html.slice(start, at), 'base64')}'`);
  }
  return hashes.join(' ');
}
