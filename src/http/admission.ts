import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../access/authenticator.ts';
import type { Caller } from '../access/caller.ts';
import type { LoadLimits, PageLimits } from '../config/limits.ts';
import { type ReplicaLag, rejectOutdatedData } from '../database/replica-lag.ts';
import type { AccessGrant } from '../database/tables.ts';
import { ServiceError } from '../errors.ts';
import { clientNetwork } from './client-network.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import type { TakeTurn } from './keyless-turns.ts';
import type { LoadShedding } from './load-shedding.ts';
import { publicCaller } from './public-answers.ts';
import { type Headers, RateLimitError, type RateLimiter } from './rate-limiter.ts';

/**
 * The work of a request: `export` waits for a file that several requests share, `none` needs only the API key and
 * counts for no limit, `lookup` is all other work.
 */
export type WorkKind = 'lookup' | 'export' | 'none';

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
  readonly shedding: LoadShedding;
  /** Replication lag of the data; undefined where it does not matter. */
  readonly lag?: ReplicaLag | undefined;
  /** Admits what needs no key, by the limits of pages. */
  readonly admitPage: AdmitPage;
  /** Returns the grants of the package `public`; undefined if there is none. */
  readonly publicGrants: () => Promise<ReadonlySet<AccessGrant> | undefined>;
}

const TOO_MANY = 'The service has too many requests at once.';

/** Creates the counters of admitted requests by API key, each with its own limits. */
export function createWorkInFlight({ inFlight: total, inFlightPerKey, exportsPerKey }: LoadLimits) {
  const counterOf = (limit: number, perKey: number, what: string) =>
    createInFlight<number>(
      { total: limit, perKey },
      {
        ofKey: (active) => `Limit Exceeded: this key has ${active} ${what} under way, at most ${perKey} are allowed.`,
        inTotal: TOO_MANY,
      },
    );
  return {
    lookup: counterOf(total, inFlightPerKey, 'requests'),
    export: counterOf(Number.POSITIVE_INFINITY, exportsPerKey, 'requests for exports'),
  } satisfies Record<Exclude<WorkKind, 'none'>, InFlight<number>>;
}

/**
 * Creates the function that admits requests, and sets their caller. It checks, in this order: the age of the data, the
 * API key, the load, the work in flight of the key and in total, and the rate limit of the key. A request counts as work
 * from here until its response has ended. Only a key lookup and a rate limit take a promise.
 */
export function createAdmission(options: AdmissionOptions) {
  const { authenticate, takeTurn, limiter, limits, shedding, lag, admitPage, publicGrants } = options;
  const inFlight = createWorkInFlight(limits);
  // Whose they are is not known yet.
  const keyLookups = createInFlight<null>(
    { total: limits.inFlight, perKey: limits.inFlight },
    { ofKey: () => TOO_MANY, inTotal: TOO_MANY },
  );

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
    const counter = inFlight[workKind];
    shedding.checkKey(caller.keyId, counter.of(caller.keyId));
    reply.raw.once('close', counter.enter(caller.keyId));
    const count = limiter.take(caller);
    if (count) return withHeaders(reply, count).then(() => setCaller(request, caller));
    return setCaller(request, caller);
  }

  async function admitWithoutKey(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    await admitPage(request, reply);
    return setCaller(request, publicCaller(request, await publicGrants()) ?? (await authenticate(undefined)));
  }

  function admit(request: FastifyRequest, reply: FastifyReply): Caller | Promise<Caller> {
    rejectOutdatedData(lag);
    const isWithoutKey = request.headers['x-api-key'] === undefined && request.routeOptions.config.withoutKey;
    if (isWithoutKey) return admitWithoutKey(request, reply);
    const leaveLookup = keyLookups.enter(null);
    const found = authenticate(request.headers['x-api-key']);
    if (found instanceof Promise) {
      const lookup = callerOf(found, request, reply).finally(leaveLookup);
      return lookup.then((caller) => enter(caller, request, reply));
    }
    leaveLookup();
    return enter(found, request, reply);
  }

  return { admit, inFlight: () => inFlight.lookup.count + inFlight.export.count };
}

export type AdmitPage = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Creates the hook that admits requests which need no API key, and counts each from now until its response is sent or its
 * connection is closed. The hook throws ServiceError OVERLOADED when there are too many, in total or from one address.
 */
export function createPageAdmission({ inFlight: total, inFlightPerAddress: perKey }: PageLimits): AdmitPage {
  const inFlight = createInFlight<string>(
    { total, perKey },
    {
      ofKey: (active) =>
        `Limit Exceeded: this address has ${active} requests for pages in flight; at most ${perKey} are allowed.`,
      inTotal: 'There are too many requests for pages at once.',
    },
  );
  return async function admitPage(request, reply) {
    request.abortSignal.throwIfAborted();
    reply.raw.once('close', inFlight.enter(clientNetwork(request.ip)));
  };
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
