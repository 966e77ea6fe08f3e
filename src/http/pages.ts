import type { FastifyInstance } from 'fastify';
import { SAMPLE_COVERAGE } from '../access/demo-key.ts';
import { usableDemoKey } from '../access/usable-demo-key.ts';
import type { DatabaseBackend, Readiness } from '../database/backend.ts';
import { untilAborted } from '../until-aborted.ts';
import type { AdmitPage } from './page-admission.ts';
import { htmlPage, type StaticPage, sendPage } from './static-page.ts';

export interface HealthOptions {
  readonly backend: DatabaseBackend;
  /** Aborted when the process is about to stop. */
  readonly stopping: AbortSignal;
  readonly onRequest: AdmitPage;
}

/** Adds the liveness and readiness endpoints for supervisors and load balancers. Neither needs a key. */
export function healthRoutes(app: FastifyInstance, { backend, stopping, onRequest }: HealthOptions): void {
  app.get('/health', { onRequest }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );
  app.get('/ready', { onRequest }, async (_request, reply) => {
    const readiness = await readinessOf(backend, stopping);
    reply.header('cache-control', 'no-store');
    if (readiness.ready) return { status: 'ready' };
    reply.code(503).header('retry-after', '2');
    return { status: 'not ready', reason: readiness.reason };
  });
}

/**
 * Returns the readiness of the database. When the process stops, pending readiness checks end immediately even if the
 * database is slow to respond.
 */
async function readinessOf(backend: DatabaseBackend, stopping: AbortSignal): Promise<Readiness> {
  try {
    return await untilAborted(backend.ready(), stopping);
  } catch (error) {
    if (!stopping.aborted) throw error;
    return { ready: false, reason: 'stopping' };
  }
}

function landingPage(coverage: readonly string[]): StaticPage {
  return htmlPage(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Ballotgraph</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;overflow-wrap:break-word}</style>
<h1>Ballotgraph</h1>
<p>Districts, officeholders, elections and ballots of any point in the United States.</p>
<ul>
<li><a href="/graphql">/graphql</a>: the GraphQL endpoint, and GraphiQL to explore it</li>
<li><a href="/docs">/docs</a>: the REST endpoints under <code>/data</code>, also as <a href="/openapi.json">/openapi.json</a></li>
<li><a href="/ready">/ready</a>: whether the service is ready for requests</li>
</ul>
${coverage.map((sentence) => `<p>${sentence}</p>`).join('\n')}
</html>
`);
}

/**
 * Adds the landing page at the root, which links to all parts of the service and, if the gateway serves the sample, says
 * what the sample covers.
 */
export async function landingRoute(app: FastifyInstance, backend: DatabaseBackend): Promise<void> {
  const page = landingPage((await usableDemoKey(backend)) ? SAMPLE_COVERAGE : []);
  app.get('/', { onRequest: app.admitPage }, (_request, reply) => sendPage(reply, page));
}
