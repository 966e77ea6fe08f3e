import type { FastifyInstance } from 'fastify';
import type { Readiness, Store } from '../store/store.ts';
import { untilAborted } from '../until-aborted.ts';

/** Whether the process lives and whether it can answer, for supervisors and balancers. Neither needs a key. */
export function healthRoutes(app: FastifyInstance, store: Store, stopping: AbortSignal): void {
  app.get('/health', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }));
  app.get('/ready', async (_request, reply) => {
    const readiness = await readinessOf(store, stopping);
    reply.header('cache-control', 'no-store');
    if (readiness.ready) return { status: 'ready' };
    reply.code(503).header('retry-after', '2');
    return { status: 'not ready', reason: readiness.reason };
  });
}

/** A store that is slow to tell does not keep the news of the stop from who asked before it. */
async function readinessOf(store: Store, stopping: AbortSignal): Promise<Readiness> {
  try {
    return await untilAborted(store.ready(), stopping);
  } catch (error) {
    if (!stopping.aborted) throw error;
    return { ready: false, reason: 'stopping' };
  }
}

const LANDING = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Ballotgraph</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>Ballotgraph</h1>
<p>Districts, officeholders, elections and ballots of any point in the United States.</p>
<ul>
<li><a href="/graphql">/graphql</a>: the GraphQL endpoint, and GraphiQL to explore it</li>
<li><a href="/docs">/docs</a>: the REST endpoints under <code>/data</code>, also as <a href="/openapi.json">/openapi.json</a></li>
<li><a href="/ready">/ready</a>: whether the service can answer</li>
</ul>
</html>
`;

/** The page at the root: where everything is. */
export function landingRoute(app: FastifyInstance): void {
  app.get('/', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(LANDING),
  );
}
