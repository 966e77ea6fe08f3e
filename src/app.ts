import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { DocumentNode } from 'graphql';
import { createAdmission } from './access/admission.ts';
import { createAuthenticator } from './access/authenticator.ts';
import type { Caller } from './access/caller.ts';
import { createCorsHook } from './access/cors.ts';
import { createOriginList } from './access/origins.ts';
import { createRateLimiter } from './access/rate-limiter.ts';
import { groundOf } from './answers/answers.store.ts';
import { type Answers, createAnswers } from './answers/answers.ts';
import type { Day } from './calendar.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { ServiceError } from './errors.ts';
import { openQueryLibrary, type QueryLibrary } from './exports/query-library.ts';
import { exportRoutes } from './exports/routes.ts';
import type { Context } from './graphql/context.ts';
import { createExecute, type Execute, traceExecute } from './graphql/execute.ts';
import { fairExecute } from './graphql/fair-execute.ts';
import { logPlannerFailure } from './graphql/planner-failure.ts';
import { graphqlRoutes } from './graphql/routes.ts';
import { schema } from './graphql/schema.ts';
import { consistentExecute } from './graphql/snapshot-consistency.ts';
import { createPlanner } from './graphql/sql/planner.ts';
import { answerClientError } from './http/client-errors.ts';
import { createDeadlineHook } from './http/deadline.ts';
import { answerError } from './http/errors.ts';
import { readJsonBodies } from './http/json-body.ts';
import { createLimitsHook, type Limits } from './http/limits.ts';
import { shedLoad } from './http/load-shedding.ts';
import { completeMethods } from './http/methods.ts';
import { type AdmitPage, createPageAdmission } from './http/page-admission.ts';
import { healthRoutes, landingRoute } from './http/pages.ts';
import { completeRepresentations } from './http/representation.ts';
import { requestId } from './http/request-id.ts';
import { logRequest } from './http/request-log.ts';
import type { Logger } from './logger.ts';
import { Caches } from './observe/caches.ts';
import type { Measured, Metrics } from './observe/metrics.ts';
import type { RequestTrace } from './observe/request-trace.ts';
import type { TracingConfig } from './observe/tracing-config.ts';
import { RejectedValues } from './redis/rejected-values.ts';
import { createSharedSecret } from './redis/shared-secret.store.ts';
import { type CommonGround, RequestContext } from './request-context.ts';
import { restRoutes } from './rest/routes.ts';
import { createConnectionTurns, shareOfKey } from './store/connection-turns.ts';
import { dataState } from './store/data-state.ts';
import type { Database } from './store/database.ts';
import { observeAll } from './store/observe-statement.ts';
import { type RunInTurn, requestDatabase } from './store/request-database.ts';
import { createSharedReads } from './store/shared-reads.ts';
import type { Store } from './store/store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null until `authenticate` has found out. */
    caller: Caller | null;
    /** The day that counts as today throughout the request. */
    today: Day;
    /** Aborted when the request's time is over or its client went away. */
    ending: AbortSignal;
    /** The name of the trusted document that the request asks for; null for any other. */
    operation: string | null;
    /** The GraphQL document that is run; null until one was found in order. */
    document: DocumentNode | null;
    /** The code of the error that answers the request, if one does. */
    refusal: string | null;
    /** Where the request is timed; null when it is not traced. */
    trace: RequestTrace | null;
    /** The store as long as the request lasts; null until somebody reads. */
    db: Database | null;
  }
  interface FastifyInstance {
    /**
     * Finds out who asks, from the `x-api-key` header alone, and keeps it as `request.caller`. Routes call it in
     * `onRequest`, before they look at any parameter.
     * @throws ServiceError UNAUTHENTICATED, STORE_UNAVAILABLE, or OVERLOADED and RATE_LIMITED when there is too much to do.
     */
    authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Caller>;
    /** Limits requests that need no key. Routes that send pages call it in `onRequest`. */
    admitPage: AdmitPage;
    /** What resolvers get for a request: who asks, and the store as long as the request lasts. */
    contextOf(request: FastifyRequest, reply: FastifyReply): Promise<Context>;
  }
}

/** What the routes get as their plugin options. */
export interface RouteOptions {
  readonly config: Config;
  readonly store: Store;
  /** The stored queries of the bulk download. */
  readonly queries: QueryLibrary;
  /** Executes the operations of all surfaces. */
  readonly execute: Execute;
  /** What is kept between requests; undefined when nothing is. */
  readonly answers: Answers | undefined;
  /** Whatever is kept between requests is opened here, for the metrics. */
  readonly caches: Caches;
}

export type Routes = FastifyPluginAsync<RouteOptions>;

export interface AppOptions extends Pick<RouteOptions, 'config' | 'store'> {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Aborted when the service is about to stop. */
  readonly stopping?: AbortSignal;
  readonly limits?: Limits;
  /** The surfaces; tests put others in their place. */
  readonly routes?: readonly Routes[];
}

const SURFACES: readonly Routes[] = [graphqlRoutes, restRoutes, exportRoutes];

/** The HTTP side of the service, ready to listen: limits, access, errors, health, and the surfaces behind them. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, store, clock, limits = config.limits.http, stopping = new AbortController().signal } = options;
  const app = createServer(options.logger, limits, config.trustedProxies);
  const queries = openQueryLibrary(config.exports.queriesDir, app.log);
  const caches = new Caches();
  const rejected = new RejectedValues(options.logger);
  const poolSize = store.pool.options.max;
  const turns = createConnectionTurns({
    total: poolSize,
    perKey: config.store.connectionsPerKey ?? shareOfKey(poolSize),
    perRequest: config.store.connectionsPerRequest,
    waitMs: config.store.poolWaitMs,
  });
  const readShared = createSharedReads(({ keyIds, ending, observe }) =>
    requestDatabase(
      store,
      config.store,
      ending,
      observeAll([metrics?.observeStatement, observe]),
      turns.ofKeys(keyIds),
    ),
  );
  const onPlannerFailure = (error: unknown, document: DocumentNode) => {
    logPlannerFailure(options.logger, error, document);
    metrics?.countPlannerFailure();
  };
  const planner = config.queryPlans ? createPlanner(schema, { caches, onFailure: onPlannerFailure }) : undefined;
  const readVersion = async () => (await dataState(lasting)).state;
  const untraced = fairExecute(consistentExecute(createExecute(schema, planner), readVersion));
  const execute = config.tracing ? traceExecute(untraced) : untraced;
  app.decorateRequest('caller', null);
  app.decorateRequest('today', '');
  app.decorateRequest('ending');
  app.decorateRequest('operation', null);
  app.decorateRequest('document', null);
  app.decorateRequest('refusal', null);
  app.decorateRequest('trace', null);
  app.decorateRequest('db', null);
  app.decorate('authenticate', async (request, reply) => {
    request.caller ??= await admission.admit(request, reply);
    return request.caller;
  });
  app.decorate('admitPage', createPageAdmission(config.limits.pages));
  const databaseOf = (request: FastifyRequest, runInTurn: RunInTurn) =>
    requestDatabase(
      store,
      config.store,
      request.ending,
      observeAll([metrics?.observeStatement, request.trace?.observeStatement]),
      runInTurn,
    );
  const ground: CommonGround = { databaseOf, turns, readShared, queries, responseLimits: config.limits.response };
  app.decorate(
    'contextOf',
    async (request, reply) => new RequestContext(request, await app.authenticate(request, reply), ground),
  );
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw new ServiceError('NOT_FOUND', 'There is nothing at this address.');
  });
  readJsonBodies(app, limits.nesting);

  if (config.tracing) await traceRequests(app, config.tracing, options.logger);
  app.addHook('onRequest', (request, reply, done) => {
    request.today = clock.today();
    setCommonHeaders(reply);
    if (stopping.aborted) reply.header('connection', 'close');
    done();
  });
  app.addHook('onRequest', createDeadlineHook(limits.handlerTimeout));
  const isLate = shedLoad(app, config.limits.load.eventLoopDelay);
  app.addHook('onRequest', createLimitsHook(limits));
  app.addHook('onRequest', createCorsHook(createOriginList(store.db)));
  const shared = config.redisUrl === undefined ? undefined : await shareOver(config.redisUrl, options, rejected);
  app.addHook('onClose', async () => shared?.close());
  const admission = createAdmission({
    authenticate: createAuthenticator(store.db, { onLook: (...look) => metrics?.observeKeyLookup(...look) }),
    limiter: createRateLimiter(config.limits.failedKeysPerSecond, shared?.counts),
    limits: config.limits.load,
    lag: store.lag,
    load: {
      isLate,
      // The embedded store has one connection: all wait when a statement runs away, and for not much longer.
      queueMs: (keyId) => (store.kind === 'server' ? turns.waitMs(keyId) : 0),
    },
  });
  app.addHook('onResponse', logRequest);
  completeRepresentations(app);
  const metrics =
    config.metricsPort === undefined
      ? undefined
      : await startMetrics(app, options, {
          ...{ caches, rejected },
          inFlight: () => admission.inFlight.count,
          waiting: () => turns.waiting,
        });

  const refuseOtherMethods = completeMethods(app);
  // Counted apart, so that no number of page loads makes a supervisor take the process for dead.
  const admitProbe = createPageAdmission({ ...config.limits.pages, inFlight: Number.POSITIVE_INFINITY });
  healthRoutes(app, { store, stopping, onRequest: admitProbe });
  landingRoute(app);
  // What all share ends with no request.
  const lasting = requestDatabase(store, config.store, new AbortController().signal, metrics?.observeStatement);
  const answers =
    config.cacheBytes > 0
      ? createAnswers(groundOf(lasting), { bytes: config.cacheBytes, shared: shared?.answers, caches })
      : undefined;
  const surfaces: RouteOptions = { config, store, queries, execute, answers, caches };
  for (const routes of options.routes ?? SURFACES) await app.register(routes, surfaces);
  refuseOtherMethods();
  return app;
}

/** OpenTelemetry is loaded only where somebody wants traces. */
async function traceRequests(app: FastifyInstance, config: TracingConfig, logger: Logger): Promise<void> {
  const { startTracing } = await import('./observe/tracing.ts');
  await startTracing(app, config, logger);
}

/** The library is loaded only where there is somebody who asks. */
async function startMetrics(
  app: FastifyInstance,
  { config, store }: AppOptions,
  measured: Omit<Measured, 'pool'>,
): Promise<Metrics> {
  const { createMetrics, serveMetrics } = await import('./observe/metrics.ts');
  const metrics = createMetrics(app, { ...measured, pool: store.pool });
  const stop = await serveMetrics(metrics, { host: config.listen.host, port: config.metricsPort ?? 0 });
  app.addHook('onClose', async () => stop());
  return metrics;
}

/** What gateways share over Redis, whose client is loaded only where there is one. */
async function shareOver(url: string, { config, store, logger: log }: AppOptions, rejected: RejectedValues) {
  const { openSharedCounts } = await import('./access/shared-counts.ts');
  const { openSharedAnswers } = await import('./answers/shared-answers.ts');
  const secret = createSharedSecret(store.db);
  const counts = openSharedCounts(url, log, rejected);
  const answers = config.cacheBytes > 0 ? openSharedAnswers(url, { secret, rejected, log }) : undefined;
  return {
    counts,
    answers,
    close: () => {
      counts.close();
      answers?.close();
    },
  };
}

function createServer(logger: Logger, limits: Limits, trustedProxies: string | undefined): FastifyInstance {
  const app = fastify({
    trustProxy: trustedProxies ?? false,
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: limits.body,
    requestTimeout: limits.requestTimeout,
    // Late requests on open connections are still served while the service stops.
    return503OnClosing: false,
    http: {
      headersTimeout: limits.headersTimeout,
      connectionsCheckingInterval: 1_000,
      // Checked by our limits, whose answer has the envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(reply);
      reply.raw.once('finish', () => logRequest(request, reply));
      answerError(error, request, reply);
    },
  });
  // Node would send an empty 417; the limits hook sends one with a body.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  return app;
}

function setCommonHeaders(reply: FastifyReply): void {
  reply.headers({ 'x-request-id': reply.request.id, vary: 'Origin', 'x-content-type-options': 'nosniff' });
}
