import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';

/** Node closes the connection of a CONNECT request itself. */
const NEVER_ROUTED = 'CONNECT';

/**
 * Makes every route that is registered from now on respond to the other methods too: OPTIONS with 204, all others with
 * 405, both with `Allow`.
 * @returns a function that adds these routes, to be called after all routes are registered.
 */
export function completeMethods(app: FastifyInstance): () => void {
  const served = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = served.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    served.set(url, methods);
  });
  for (const method of METHODS) {
    if (method !== NEVER_ROUTED && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }

  return () => {
    for (const [url, methods] of [...served]) {
      const allow = [...methods]
        .filter((method) => method !== 'OPTIONS')
        .concat('OPTIONS')
        .join(', ');
      if (!methods.has('OPTIONS')) {
        app.options(url, (_request, reply) => reply.code(204).header('allow', allow).send());
      }
      const others = METHODS.filter(
        (method) => method !== NEVER_ROUTED && method !== 'OPTIONS' && !methods.has(method),
      );
      // In onRequest, before an unneeded body is read.
      app.route({ method: others, url, exposeHeadRoute: false, onRequest: reject(allow), handler: () => undefined });
    }
  };
}

function reject(allow: string) {
  return async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.header('allow', allow);
    throw new ServiceError('METHOD_NOT_ALLOWED', `This address supports ${allow} only.`);
  };
}
