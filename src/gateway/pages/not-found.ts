import { ServiceError } from '../../base/errors.ts';
import { type ErrorHandler, prepareError, sendError } from '../http/error-handler.ts';
import { createMediaTypeNegotiator } from '../http/media-type-negotiator.ts';
import { HEAD, ownPage, topBar } from './frame.ts';

/** The legacy paths: the contract has one format for all their errors. */
const LEGACY_PATHS = '/data/';

/**
 * Returns the error handler of addresses that people open in browsers: an address that does not exist is answered by a
 * page if the client prefers HTML to JSON, everything else as by `sendError`.
 */
export function createPageErrors(hasGraphiql: boolean): ErrorHandler {
  const { body, headers } = ownPage(`<!doctype html>
<html lang="en">
<title>Nothing at this address · Ballotgraph</title>
${HEAD}
<script type="module" src="/web/docs.ts"></script>
<a class="skip" href="#content">Skip to the content</a>
${topBar(undefined, hasGraphiql)}
<main class="wide" id="content" tabindex="-1"><h1>There is nothing at this address.</h1>
<p>Check the address for a typing error, or go on from one of these pages.</p>
<dl class="ledger">
<div><dt><a href="/">Map</a></dt><dd>Find your districts, who represents you, and your ballot.</dd></div>
<div><dt><a href="/docs">Docs</a></dt><dd>Guides and reference of GraphQL and REST, and how to run a gateway.</dd></div>
<div><dt><a href="/widget">Widget</a></dt><dd>Put the lookup on your own pages.</dd></div></dl></main>
</html>
`);
  const { etag: _, ...pageHeaders } = headers;
  const negotiate = createMediaTypeNegotiator(['application/json', 'text/html']);
  return (thrown, request, reply) => {
    const isMissing = thrown instanceof ServiceError && thrown.code === 'NOT_FOUND';
    const prefersHtml = !request.url.startsWith(LEGACY_PATHS) && negotiate(request.headers.accept) === 'text/html';
    if (!isMissing || !prefersHtml) return sendError(thrown, request, reply);
    prepareError(thrown, request, reply);
    return reply.headers({ ...pageHeaders, 'cache-control': 'no-store', vary: 'Origin, Accept' }).send(body);
  };
}
