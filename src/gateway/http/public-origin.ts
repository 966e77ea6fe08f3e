import type { FastifyInstance } from 'fastify';
import type { Config } from '../../base/config/config.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/**
 * Returns the origin of the addresses in responses, such as `https://data.example.org`: `PUBLIC_URL`. Without it, that
 * of a gateway which only this machine can reach is the address that it listens on; for any other gateway it is empty,
 * so that addresses are relative. What a request says about itself (`Host`, `X-Forwarded-*`) never decides: a cache or a
 * proxy could pass the response on to others.
 */
export function publicOrigin(
  app: Pick<FastifyInstance, 'listeningOrigin' | 'server'>,
  { listen, exports: { publicUrl } }: Pick<Config, 'listen' | 'exports'>,
): string {
  if (publicUrl !== undefined) return publicUrl;
  return app.server.listening && LOOPBACK.test(listen.host) ? app.listeningOrigin : '';
}
