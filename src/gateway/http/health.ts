import type { FastifyInstance } from 'fastify';
import { untilAborted } from '../../base/until-aborted.ts';
import type { DatabaseBackend, Readiness } from '../../store/backend.ts';
import type { AdmitPage } from './admission.ts';

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
