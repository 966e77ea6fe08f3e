import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../access/authenticator.ts';
import type { Caller } from '../access/caller.ts';
import type { LoadLimits } from '../config/limits.ts';
import { type ReplicaLag, rejectOutdatedData } from '../database/replica-lag.ts';
import { ServiceError } from '../errors.ts';
import { createInFlight, type LoadState, type WorkKind } from './in-flight.ts';
import type { TakeTurn } from './keyless-turns.ts';
import { type Headers, RateLimitError, type RateLimiter } from './rate-limiter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kind of work that requests of this route do, which determines their limits; `lookup` by default. */
    workKind?: WorkKind;
  }
}

export interface AdmissionOptions {
  readonly authenticate: Authenticate;
  /** Waits for the turn of a request whose key is not valid. */
  readonly takeTurn: TakeTurn;
  readonly limiter: RateLimiter;
  readonly limits: LoadLimits;
  readonly load: LoadState;
  /** Replication lag of the data; undefined where it does not matter. */
  readonly lag?: ReplicaLag | undefined;
}

/**
 * Creates the function that admits requests, and sets their caller. It checks, in this order: the age of the data, the
 * API key, the running and queued work of the key, the total amount of work, and the rate limit of the key. A request
 * counts as work from here until its response has ended. Only a key lookup and a rate limit take a promise.
 */
export function createAdmission(options: AdmissionOptions) {
  const { authenticate, takeTurn, limiter, limits } = options;
  const inFlight = createInFlight(limits, options.load);

  async function callerOf(lookup: Promise<Caller>, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    try {
      return await lookup;
    } catch (error) {
      // A request without a key is not an attempt to guess one.
      const isSent = request.headers['x-api-key'] !== undefined;
      const isGuess = isSent && error instanceof ServiceError && error.code === 'UNAUTHENTICATED';
      if (isGuess) {
        await takeTurn(request);
        await withHeaders(reply, limiter.takeFailure(request.ip));
      }
      throw error;
    }
  }

  function enter(caller: Caller, request: FastifyRequest, reply: FastifyReply): Caller | Promise<Caller> {
    // The close event has already fired if the client disconnected during the lookup.
    request.abortSignal.throwIfAborted();
    const { workKind = 'lookup' } = request.routeOptions.config;
    if (workKind === 'none') return setCaller(request, caller);
    reply.raw.once('close', inFlight.enter(caller.keyId, workKind));
    const count = limiter.take(caller);
    if (count) return withHeaders(reply, count).then(() => setCaller(request, caller));
    return setCaller(request, caller);
  }

  function admit(request: FastifyRequest, reply: FastifyReply): Caller | Promise<Caller> {
    rejectOutdatedData(options.lag);
    const leaveLookup = inFlight.enterLookup();
    const found = authenticate(request.headers['x-api-key']);
    if (found instanceof Promise) {
      const lookup = callerOf(found, request, reply).finally(leaveLookup);
      return lookup.then((caller) => enter(caller, request, reply));
    }
    leaveLookup();
    return enter(found, request, reply);
  }

  return { admit, inFlight };
}

/** An `onRequest` hook. */
export type RequestHook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * Returns the hook that admits requests.
 * @param check throws an error for callers that may not use the route.
 */
export function admissionHook(
  admit: (request: FastifyRequest, reply: FastifyReply) => Caller | Promise<Caller>,
  check: (caller: Caller) => void = () => undefined,
): RequestHook {
  return (request, reply, done) => {
    const admitted = admit(request, reply);
    if (admitted instanceof Promise) return void admitted.then(check).then(() => done(), done);
    check(admitted);
    done();
  };
}

function setCaller(request: FastifyRequest, caller: Caller): Caller {
  request.caller = caller;
  return caller;
}

/** Adds the headers of a rate limit to the response, whether or not it is exceeded. */
async function withHeaders(reply: FastifyReply, count: Promise<Headers | undefined>): Promise<void> {
  try {
    reply.headers((await count) ?? {});
  } catch (error) {
    if (error instanceof RateLimitError) reply.headers(error.headers);
    throw error;
  }
}
