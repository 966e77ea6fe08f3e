import type { Request as HandlerRequest } from 'graphql-http';
import { ServiceError } from '../errors.ts';
import { checkNesting } from '../http/json-body.ts';
import type { DocumentRequest, Resolved } from './persisted.ts';

type RawRequest = HandlerRequest<unknown, unknown>;

/**
 * The same request with the document itself in the place of what stands for it.
 * @param mostNesting of the JSON in an address; that of a body was checked when it was read.
 * @throws what `resolve` throws; ServiceError for JSON in an address that is none.
 */
export function resolveDocument(
  request: RawRequest,
  resolve: (asked: DocumentRequest) => Resolved,
  mostNesting: number,
): { readonly request: RawRequest; readonly resolved: Resolved } {
  if (request.method === 'GET') {
    const { pathname, searchParams: given } = new URL(request.url, 'http://localhost');
    const resolved = resolve({
      query: given.get('query') ?? undefined,
      documentId: given.get('documentId') ?? undefined,
      extensions: jsonIn(given, 'extensions', mostNesting),
    });
    jsonIn(given, 'variables', mostNesting);
    if (typeof resolved.query === 'string') given.set('query', resolved.query);
    return { request: { ...request, url: `${pathname}?${given}` }, resolved };
  }
  const body = request.body as Record<string, unknown> | null;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { request, resolved: { query: undefined } };
  }
  const resolved = resolve(body);
  if (resolved.query === body.query) return { request, resolved };
  return { request: { ...request, body: { ...body, query: resolved.query } }, resolved };
}

function jsonIn(parameters: URLSearchParams, name: string, mostNesting: number): unknown {
  const text = parameters.get(name);
  if (!text) return undefined;
  checkNesting(text, mostNesting);
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('INVALID_REQUEST', `${name} must be JSON.`);
  }
}
