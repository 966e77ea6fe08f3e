import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../access/authenticator.ts';
import type { Caller } from '../access/caller.ts';
import type { LoadLimits } from '../config/limits.ts';
import { type ReplicaLag, rejectOutdatedData } from '../database/replica-lag.ts';
import { ServiceError } from '../errors.ts';
import { createInFlight, type LoadState, type WorkKind } from './in-flight.ts';
import { RateLimitError, type RateLimiter } from './rate-limiter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kind of work that requests of this route do, which determines their limits; `lookup` by default. */
    workKind?: WorkKind;
  }
}

export interface AdmissionOptions {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  readonly limits: LoadLimits;
  readonly load: LoadState;
  /** Replication lag of the data; undefined where it does not matter. */
  readonly lag?: ReplicaLag | undefined;
}

/**
 * Creates the function that admits requests. It checks, in this order: the age of the data, the API key, the running
 * and queued work of the key, the total amount of work, and the rate limit of the key. A request counts as work from
 * here until its response has ended.
 */
export function createAdmission(options: AdmissionOptions) {
  const { authenticate, limiter, limits } = options;
  const inFlight = createInFlight(limits, options.load);

  async function callerOf(request: FastifyRequest): Promise<Caller> {
    const header = request.headers['x-api-key'];
    try {
      return await authenticate(header);
    } catch (error) {
      // A request without a key is not an attempt to guess one.
      const isGuess = header !== undefined && error instanceof ServiceError && error.code === 'UNAUTHENTICATED';
      if (isGuess) await limiter.takeFailure(request.ip);
      throw error;
    }
  }

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    rejectOutdatedData(options.lag);
    const leaveLookup = inFlight.enterLookup();
    try {
      const caller = await callerOf(request).finally(leaveLookup);
      // The close event has already fired if the client disconnected during the lookup.
      request.abortSignal.throwIfAborted();
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
