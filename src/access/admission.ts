import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { createInFlight, type LoadLimits } from '../http/in-flight.ts';
import { type ReplicaLag, refuseOldData } from '../store/replica-lag.ts';
import type { Authenticate } from './authenticator.ts';
import type { Caller } from './caller.ts';
import { RateLimitError, type RateLimiter } from './rate-limiter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests of this route mostly wait for work that they share, and so do not count as work of their key. */
    isShared?: boolean;
  }
}

export interface AdmissionOptions {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  readonly limits: LoadLimits;
  /** How far the data are behind; undefined where that does not matter. */
  readonly lag?: ReplicaLag | undefined;
  /** For how many milliseconds a request that comes now will wait for a connection to the store. */
  queueMs(): number;
}

/**
 * Lets requests in, in this order: are the data recent, is there room, whose key is it, has the key room, is it within its rate. A request
 * counts as work from here to the end of its answer.
 */
export function createAdmission(options: AdmissionOptions) {
  const { authenticate, limiter, limits } = options;
  const inFlight = createInFlight(limits, options.queueMs);

  async function callerOf(request: FastifyRequest): Promise<Caller> {
    const header = request.headers['x-api-key'];
    try {
      return await authenticate(header);
    } catch (error) {
      // Nobody guesses keys by sending none.
      const isGuess = header !== undefined && error instanceof ServiceError && error.code === 'UNAUTHENTICATED';
      if (isGuess) await limiter.takeFailure(request.ip);
      throw error;
    }
  }

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    refuseOldData(options.lag);
    // A response that is closed already would never give its place back.
    request.ending.throwIfAborted();
    const place = inFlight.enter();
    reply.raw.once('close', () => place.leave());
    try {
      const caller = await callerOf(request);
      // Its client may have gone while the key was looked up.
      const counts = !request.routeOptions.config.isShared && !request.ending.aborted;
      if (counts) place.takeKey(caller.keyId);
      reply.headers(await limiter.take(caller));
      return caller;
    } catch (error) {
      if (error instanceof RateLimitError) reply.headers(error.headers);
      throw error;
    }
  }

  return { admit, inFlight };
}
