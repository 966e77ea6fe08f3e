import type { FastifyRequest } from 'fastify';
import { LOOPBACK_HOST } from '../access/origins.ts';

/**
 * Returns the origin of the absolute addresses in a response, such as `https://data.example.org`: `PUBLIC_URL` if it is
 * set, otherwise the address that the gateway listens on. The `Host` of a request is trusted only if it names the same
 * machine, where the port may be mapped to another one: elsewhere a client could send any value, and a cache or a proxy
 * could pass the response on to others.
 */
export function publicOrigin(
  { server: app, host, protocol }: Pick<FastifyRequest, 'server' | 'host' | 'protocol'>,
  publicUrl: string | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl;
  if (LOOPBACK_HOST.test(host)) return `${protocol}://${host}`;
  return app.server.listening ? app.listeningOrigin : 'http://localhost';
}
