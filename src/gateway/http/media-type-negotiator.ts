import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Maximum number of header values whose result is remembered: negotiation takes 10 to 20 µs, more than a cached response. */
const MAX_HEADERS = 100;
/** A parameter of a media range that no representation here has, such as `indent=2`: it excludes nothing. */
const OTHER_PARAMETER = /;(?!\s*(?:q|charset)\s*=)[^;,]*/gi;

/**
 * Creates the function that returns the media type that an Accept header prefers (RFC 9110, 12.5.1), of those that a
 * path offers in UTF-8: the one with the highest weight. Of equal ones it is the one that the header names, then the one that
 * it names first, then the one that is offered first. A missing or empty header allows any.
 * @returns undefined if the header allows none of them.
 */
export function createMediaTypeNegotiator<Type extends string>(offered: readonly [Type, ...Type[]]) {
  const types = new Map(offered.map((type) => [`${type}; charset=utf-8`, type]));
  const found = new LRUCache<string, { readonly type: Type | undefined }>({ max: MAX_HEADERS });

  return function negotiate(header: string | undefined): Type | undefined {
    if (!header) return offered[0];
    const known = found.get(header);
    if (known) return known.type;
    const accept = header.replaceAll(OTHER_PARAMETER, '');
    const type = types.get(new Negotiator({ headers: { accept } }).mediaType([...types.keys()]) ?? '');
    found.set(header, { type });
    return type;
  };
}
