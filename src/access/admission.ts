import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { createInFlight, type LoadLimits, type LoadState, type WorkKind } from '../http/in-flight.ts';
import { type ReplicaLag, refuseOldData } from '../store/replica-lag.ts';
import type { Authenticate } from './authenticator.ts';
import type { Caller } from './caller.ts';
import { RateLimitError, type RateLimiter } from './rate-limiter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What requests of this route do, which decides how they are limited; `lookup` when not set. */
    workKind?: WorkKind;
  }
}

export interface AdmissionOptions {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  readonly limits: LoadLimits;
  readonly load: LoadState;
  /** How far the data are behind; undefined where that does not matter. */
  readonly lag?: ReplicaLag | undefined;
}

/**
 * Admits requests. Checks, in this order: whether the data are recent, the key, how much work the key has under way and
 * waiting, how much work there is in total, the rate of the key. A request counts as work from here to the end of its
 * response.
 */
export function createAdmission(options: AdmissionOptions) {
  const { authenticate, limiter, limits } = options;
  const inFlight = createInFlight(limits, options.load);

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
    const leaveLookup = inFlight.enterLookup();
    try {
      const caller = await callerOf(request).finally(leaveLookup);
      // The close event has passed already when the client went away during the lookup.
      request.ending.throwIfAborted();
      reply.raw.once('close', inFlight.enter(caller.keyId, request.routeOptions.config.workKind ?? 'lookup'));
      reply.headers(await limiter.take(caller));
      return caller;
    } catch (error) {
      if (error instanceof RateLimitError) reply.headers(error.headers);
      throw error;
    }
  }

  return { admit, inFlight };
}
