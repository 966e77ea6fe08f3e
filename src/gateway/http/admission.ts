import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoadLimits, PageLimits } from '../../base/config/limits.ts';
import { ServiceError } from '../../base/errors.ts';
import { FairQueue, type Leave } from '../../base/fair-queue.ts';
import type { Caller } from '../../graph/builder/caller.ts';
import type { InTurn } from '../../graph/builder/context.ts';
import { type ReplicaLag, rejectOutdatedData } from '../../store/replica-lag.ts';
import type { AccessGrant } from '../../store/sql/tables.ts';
import type { Authenticate } from '../access/authenticator.ts';
import { PAGE_ONLY } from '../access/page-key.ts';
import { clientNetwork } from './client-network.ts';
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
    /** Whether the map page requests the route: its key is for no other one. */
    isForPage?: boolean;
  }
}

export interface AdmissionOptions {
  readonly authenticate: Authenticate;
  /** Waits for the turn of a request that is rejected. */
  readonly takeTurn: TakeTurn;
  readonly limiter: RateLimiter;
  readonly limits: LoadLimits;
  /** Limits of what the map page requests, in total and from one address. */
  readonly pageLimits: PageLimits;
  readonly shedding: LoadShedding;
  /** Replication lag of the data; undefined where it does not matter. */
  readonly lag?: ReplicaLag | undefined;
  /** Admits what needs no key, by the limits of pages. */
  readonly admitPage: AdmitPage;
  /** Returns the grants of the package `public`; undefined if there is none. */
  readonly publicGrants: () => Promise<ReadonlySet<AccessGrant> | undefined>;
}

/** Creates the queues in which requests of API keys wait for others to end, each with its own limits. */
export function createWorkQueues(limits: LoadLimits, isDelayed: () => boolean) {
  const { inFlight, inFlightPerKey, exportsPerKey, waiting } = limits;
  const queueOf = (size: number, perKey: number, what: string) =>
    new FairQueue({
      size,
      perKey: () => (isDelayed() ? 1 : perKey),
      waiting: {
        ...waiting,
        error: (isFull) => tooMany(isFull || isDelayed(), `this key has ${what}`, perKey, waiting),
      },
    });
  return {
    lookup: queueOf(inFlight, inFlightPerKey, 'requests'),
    export: queueOf(Number.POSITIVE_INFINITY, exportsPerKey, 'requests for exports'),
  } satisfies Record<Exclude<WorkKind, 'none'>, FairQueue>;
}

/** Creates the queue of the requests that wait for changes, which take neither time nor a connection to the database meanwhile. */
function createReaderQueue({ readersPerKey: perKey }: LoadLimits): FairQueue {
  const message = `Limit Exceeded: at most ${perKey} requests of this key may wait for changes. Wait for fewer at once.`;
  const error = () => new ServiceError('TOO_MANY_AT_ONCE', message);
  return new FairQueue({ size: Number.POSITIVE_INFINITY, perKey, waiting: { perKey: 0, ms: 0, error } });
}

function tooMany(isFull: boolean, whose: string, atOnce: number, waiting: LoadLimits['waiting']): ServiceError {
  if (isFull)
    return new ServiceError('OVERLOADED', 'The service has too many requests at once. Try again in a second.');
  return new ServiceError(
    'TOO_MANY_AT_ONCE',
    `Limit Exceeded: too many at once: ${whose} under way, at most ${atOnce}, and others that wait, at most ${waiting.perKey}, for up to ${waiting.ms / 1_000} seconds. Send fewer before the responses to the others, and try again in a second.`,
  );
}

/**
 * Creates the function that admits requests, and sets their caller. It checks, in this order: the age of the data, the
 * API key, and its rate limit; then the request waits until its key and all keys together have fewer requests under way than they may.
 * It counts as one of them until its response has ended. A key that was used recently never waits behind requests whose key is
 * not valid, and those that are rejected are so one at a time. Only what waits takes a promise.
 */
export function createAdmission(options: AdmissionOptions) {
  const { authenticate, takeTurn, limiter, limits, pageLimits, shedding, lag, admitPage, publicGrants } = options;
  const queues = createWorkQueues(limits, shedding.isDelayed);
  const ofPage = createPageQueue(pageLimits);
  const readers = createReaderQueue(limits);
  // All that wait for the same change: each has its turn, as none may be rejected for what others of its key do.
  const woken = new FairQueue({ size: Number.POSITIVE_INFINITY, perKey: limits.inFlightPerKey });

  async function callerOf(lookup: Promise<Caller>, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    try {
      return await lookup;
    } catch (error) {
      // A request without a key is not an attempt to guess one.
      const isSent = request.headers['x-api-key'] !== undefined;
      const isGuess = isSent && error instanceof ServiceError && error.code === 'UNAUTHENTICATED';
      if (!isGuess) throw error;
      await takeTurn(request);
      await withHeaders(reply, limiter.takeFailure(request.ip));
      throw error;
    }
  }

  function count(caller: Caller, request: FastifyRequest, reply: FastifyReply): Caller | Promise<Caller> {
    const { workKind, isForPage = false } = request.routeOptions.config;
    if (caller.isPage && !isForPage) throw new ServiceError('FORBIDDEN', PAGE_ONLY);
    if (workKind === 'none') return setCaller(request, caller);
    const counted = limiter.take(caller, request.ip);
    if (!counted) return enter(caller, request, reply);
    return withHeaders(reply, counted).then(
      () => enter(caller, request, reply),
      (error) => rejectInTurn(request, error),
    );
  }

  function enter(caller: Caller, request: FastifyRequest, reply: FastifyReply): Caller | Promise<Caller> {
    const begin = (leave: Leave) => {
      request.leave = leave;
      reply.raw.once('close', () => request.leave?.());
      return setCaller(request, caller);
    };
    const entered = enterQueue(caller, request);
    if (!(entered instanceof Promise)) return begin(entered);
    return entered.then(begin, (error) => rejectInTurn(request, error));
  }

  /** The signal is aborted if the client disconnected during the lookup. */
  function enterQueue({ isPage, keyId }: Caller, request: FastifyRequest): Leave | Promise<Leave> {
    if (isPage) return ofPage.enter(clientNetwork(request.ip), request.abortSignal);
    const { workKind = 'lookup' } = request.routeOptions.config;
    return queues[workKind as keyof typeof queues].enter(keyId, request.abortSignal);
  }

  /** Gives up the place of a request, and takes one among those that wait. The returned function does work in its turn. */
  async function pause(request: FastifyRequest): Promise<InTurn> {
    const { caller, abortSignal } = request;
    if (!caller) throw new Error('The request is not admitted');
    request.leave?.();
    request.leave = null;
    request.leave = await readers.enter(caller.keyId, abortSignal);
    request.hasWaited = true;
    return (work) => woken.run(caller.keyId, work, abortSignal);
  }

  /** However many requests of a key are rejected, one at a time delays those of others. */
  async function rejectInTurn(request: FastifyRequest, error: unknown): Promise<never> {
    await takeTurn(request);
    throw error;
  }

  async function admitWithoutKey(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    await admitPage(request, reply);
    return setCaller(request, publicCaller(request, await publicGrants()) ?? (await authenticate(undefined)));
  }

  function admit(request: FastifyRequest, reply: FastifyReply): Caller | Promise<Caller> {
    rejectOutdatedData(lag);
    const isWithoutKey = request.headers['x-api-key'] === undefined && request.routeOptions.config.withoutKey;
    if (isWithoutKey) return admitWithoutKey(request, reply);
    const found = authenticate(request.headers['x-api-key']);
    if (!(found instanceof Promise)) return count(found, request, reply);
    return callerOf(found, request, reply).then((caller) => count(caller, request, reply));
  }

  const inFlight = () => queues.lookup.running + queues.export.running + ofPage.running + woken.running;
  return { admit, pause, inFlight, readers: () => readers.running };
}

export type AdmitPage = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Creates the hook that admits requests which need no API key, and counts each from now until its response is sent or its
 * connection is closed. They wait while there are too many, in total or from one address.
 */
export function createPageAdmission(limits: PageLimits): AdmitPage {
  const queue = createPageQueue(limits);
  return async function admitPage(request, reply) {
    reply.raw.once('close', await queue.enter(clientNetwork(request.ip), request.abortSignal));
  };
}

/** Creates a queue of requests by address, for pages and for what they request. */
function createPageQueue({ inFlight: size, inFlightPerAddress: perKey, waiting }: PageLimits): FairQueue<string> {
  const error = (isFull: boolean) => tooMany(isFull, 'this address has requests for pages', perKey, waiting);
  return new FairQueue<string>({ size, perKey, waiting: { ...waiting, error } });
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
