import { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, fastify, LogController } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { HttpLimits } from '../base/config/limits.ts';
import type { TracingConfig } from '../base/config/tracing-config.ts';
import { ServiceError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { Caches } from '../base/lru-caches.ts';
import { schema } from '../graph/schema.ts';
import { createConnectionQueue, shareOfKey } from '../store/reading/connection-queue.ts';
import { type DataVersionWatch, readDataVersion, watchDataVersion } from '../store/reading/data-version.ts';
import { createLookupCache } from '../store/reading/lookup-cache.ts';
import { type ObserveStatement, observeAll } from '../store/reading/observe-statement.ts';
import { requestDatabase } from '../store/reading/request-database.ts';
import { createSharedReads, type StatementRequests } from '../store/reading/shared-reads.ts';
import { findPackage } from './access/access.store.ts';
import { createAuthenticator, createPageKey } from './access/authenticator.ts';
import { createKeyUse } from './access/key-use.ts';
import { createOriginList } from './access/origins.ts';
import { recordUseIn } from './access/record-use.ts';
import { usableDemoKey } from './access/usable-demo-key.ts';
import { findFootprints } from './cache/footprint.store.ts';
import { createResponseCache } from './cache/response-cache.ts';
import { openQueryLibrary, type QueryLibrary } from './exports/query-library.ts';
import { exportRoutes } from './exports/routes.ts';
import { createDocuments, type PreparedDocument } from './graphql/documents/documents.ts';
import { createExecute, type Execute, traceExecute } from './graphql/execution/execute.ts';
import { fairExecute } from './graphql/execution/fair-execute.ts';
import { logPlannerFailure } from './graphql/execution/planner-failure.ts';
import { type AppServices, RequestContext } from './graphql/execution/request-context.ts';
import { createPlanner } from './graphql/planner/planner.ts';
import { graphqlRoutes } from './graphql/routes.ts';
import type { RouteOptions, Routes } from './graphql/surface.ts';
import { admissionHook, createAdmission, createPageAdmission } from './http/admission.ts';
import { createHttpServer } from './http/connections.ts';
import { allowOrigins } from './http/cors.ts';
import { setDeadline } from './http/deadline.ts';
import { sendError } from './http/error-handler.ts';
import { healthRoutes } from './http/health.ts';
import { readJsonBodies } from './http/json-body.ts';
import { createKeylessTurns, type TakeTurn } from './http/keyless-turns.ts';
import { createLoadShedding, type LoadShedding } from './http/load-shedding.ts';
import { completeMethods } from './http/methods.ts';
import type { MetricSources, Metrics } from './http/metrics.ts';
import { PUBLIC_PACKAGE } from './http/public-answers.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { completeRepresentations } from './http/representation.ts';
import { decorateRequests } from './http/request.ts';
import { requestId } from './http/request-id.ts';
import { checkLimits } from './http/request-limits.ts';
import { logRequest } from './http/request-log.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { docsRoutes } from './pages/docs-routes.ts';
import { createPageErrors } from './pages/not-found.ts';
import { readPageDocuments } from './pages/page-documents.ts';
import { pageRoutes } from './pages/routes.ts';
import { RejectedValues } from './redis/rejected-values.ts';
import { createSharedSecret } from './redis/shared-secret.store.ts';
import { openApiRoutes } from './rest/openapi-routes.ts';
import { restRoutes } from './rest/routes.ts';
import { tileRoutes } from './tiles/routes.ts';

export interface AppOptions extends Pick<RouteOptions, 'config' | 'backend'> {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Aborted when the gateway is about to stop. */
  readonly stopping?: AbortSignal;
  readonly limits?: HttpLimits;
  /** The routes of the APIs; tests replace them. */
  readonly routes?: readonly Routes[];
}

/** Creates the HTTP server, ready to listen: limits, access, errors, health, and the routes of the APIs. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, backend, limits = config.limits.http, stopping = new AbortController().signal } = options;
  const takeTurn = createKeylessTurns();
  const app = createServer({ ...options, limits, takeTurn });
  const caches = new Caches();
  const rejected = new RejectedValues(options.logger);
  const queries = openQueryLibrary(config.exports.queriesDir, app.log);
  // Created below, and used by requests alone.
  let metrics: Metrics | undefined;
  const reading = openReading(options, (name) => metrics?.observeStatement(name));
  const { queue, versions } = reading;
  const execute = createExecution(options, versions, caches, () => metrics?.countPlannerFailure());

  decorateRequests(app);
  app.setErrorHandler(sendError);
  app.decorate('sendPageError', createPageErrors(config.graphiql));
  app.setNotFoundHandler((request, reply) =>
    app.sendPageError(new ServiceError('NOT_FOUND', 'There is nothing at this address.'), request, reply),
  );
  readJsonBodies(app, limits.nesting);

  if (config.tracing) await traceRequests(app, config.tracing, options.logger);
  const shedding = createLoadShedding(app, config.limits.load.eventLoopDelay);
  beginRequests(app, { ...options, limits, stopping, takeTurn, shedding });
  await allowOrigins(app, createOriginList(backend.db));
  const shared = config.redisUrl === undefined ? undefined : await shareOver(config.redisUrl, options, rejected);
  app.addHook('onClose', async () => shared?.close());
  const keyUse = createKeyUse(recordUseIn(backend, config.database.primaryUrl), {
    onError: (err) => options.logger.warn({ err }, 'the last use of keys could not be recorded'),
  });
  app.addHook('onClose', () => keyUse.close());
  const packages = createLookupCache({ lookup: (name) => findPackage(backend.db, name), size: 1 });
  app.decorate('admitPage', createPageAdmission(config.limits.pages));
  const authenticate = createAuthenticator(backend.db, {
    pagePackage: config.pagePackage,
    onLookup: (...lookup) => metrics?.observeKeyLookup(...lookup),
    onUse: keyUse.note,
  });
  const admission = createAdmission({
    authenticate,
    takeTurn,
    limiter: createRateLimiter(config.limits.failedKeysPerSecond, shared?.counts),
    limits: config.limits.load,
    pageLimits: config.limits.pages,
    shedding,
    lag: backend.lag,
    admitPage: app.admitPage,
    publicGrants: async () => (await packages(PUBLIC_PACKAGE))?.grants,
  });
  const { pause } = admission;
  const services: AppServices = { ...reading, queries, responseLimits: config.limits.response, stopping, pause };
  app.decorate('contextOf', (request, addedGrants) => new RequestContext(request, services, addedGrants));
  app.decorate('authenticate', (check) => admissionHook(admission.admit, check));
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
  const rejectOtherMethods = completeMethods(app);
  completeRepresentations(app);
  if (config.metricsPort !== undefined) {
    const sources = {
      caches,
      rejected,
      inFlight: admission.inFlight,
      readers: admission.readers,
      waiting: () => queue.waiting,
    };
    metrics = await startMetrics(app, options, sources);
  }

  // Counted separately, so that page loads cannot make a health check fail.
  const admitProbe = createPageAdmission({ ...config.limits.pages, inFlight: Number.POSITIVE_INFINITY });
  healthRoutes(app, { backend, stopping, onRequest: admitProbe });
  const responseCache =
    config.cacheBytes > 0
      ? createResponseCache(
          { versions, footprints: (requests) => findFootprints(reading.sharedDatabase, requests) },
          { bytes: config.cacheBytes, shared: shared?.responseCache, caches },
        )
      : undefined;
  const prepare = createDocuments(schema, config.limits.operation, { introspection: config.introspection, caches });
  const pageDocuments = readPageDocuments();
  const pageKey = createPageKey(authenticate, await usableDemoKey(backend));
  const routeOptions: RouteOptions = {
    config,
    backend,
    execute,
    prepare,
    versions,
    responseCache,
    caches,
    pageKey,
    pageDocuments,
  };
  for (const routes of options.routes ?? allRoutes(queries)) await app.register(routes, routeOptions);
  rejectOtherMethods();
  return app;
}

function allRoutes(queries: QueryLibrary): readonly Routes[] {
  return [
    graphqlRoutes(),
    restRoutes,
    exportRoutes(queries),
    openApiRoutes,
    docsRoutes,
    mcpRoutes(),
    tileRoutes,
    pageRoutes,
  ];
}

/**
 * Creates what requests read the database with: the queue for its connections, shared reads, and what is known of the data
 * version.
 */
function openReading({ config, backend }: AppOptions, observe: ObserveStatement) {
  const poolSize = backend.pool.options.max;
  const queue = createConnectionQueue({
    total: poolSize,
    perKey: config.database.connectionsPerKey ?? shareOfKey(poolSize),
    perRequest: config.database.connectionsPerRequest,
    waitMs: config.database.poolWaitMs,
  });
  const databaseOf = ({ abortSignal, observe: trace, enter }: StatementRequests) =>
    requestDatabase(backend, config.database, abortSignal, observeAll([observe, trace]), enter);
  /** Belongs to no request. */
  const sharedDatabase = requestDatabase(backend, config.database, new AbortController().signal, observe);
  return {
    ...{ queue, databaseOf, sharedDatabase },
    readShared: createSharedReads(databaseOf, queue),
    versions: watchDataVersion(() => readDataVersion(sharedDatabase)),
  };
}

/** Creates the function that executes the operations of all APIs. */
function createExecution(
  { config, logger }: AppOptions,
  versions: DataVersionWatch,
  caches: Caches,
  onPlannerFailure: () => void,
): Execute {
  const onFailure = (error: unknown, { analysis }: PreparedDocument) => {
    logPlannerFailure(logger, error, analysis.label);
    onPlannerFailure();
  };
  const planner = config.queryPlans ? createPlanner(schema, { caches, onFailure }) : undefined;
  const execute = fairExecute(createExecute(schema, planner, { suggestions: config.introspection, versions }));
  return config.tracing ? traceExecute(execute) : execute;
}

interface BeginOptions extends Pick<AppOptions, 'clock'> {
  readonly limits: HttpLimits;
  readonly stopping: AbortSignal;
  readonly takeTurn: TakeTurn;
  readonly shedding: LoadShedding;
}

/**
 * Adds the hook with which every request begins: its date, headers and deadline, and the limits that need no API key.
 * Without a key, a request waits for its turn.
 */
function beginRequests(app: FastifyInstance, { clock, limits, stopping, takeTurn, shedding }: BeginOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.days = clock();
    setCommonHeaders(reply);
    if (stopping.aborted) reply.header('connection', 'close');
    setDeadline(request, reply, limits.handlerTimeout);
    const check = () => {
      shedding.checkKeyless(request);
      checkLimits(request, reply, limits);
    };
    if (request.headers['x-api-key'] === undefined)
      return void takeTurn(request)
        .then(check)
        .then(() => done(), done);
    check();
    done();
  });
}

/** Enables tracing. OpenTelemetry is loaded only if tracing is configured. */
async function traceRequests(app: FastifyInstance, config: TracingConfig, logger: Logger): Promise<void> {
  const { startTracing } = await import('./http/tracing.ts');
  await startTracing(app, config, logger);
}

/** Creates and serves the metrics. The library is loaded only if metrics are configured. */
async function startMetrics(
  app: FastifyInstance,
  { config, backend }: AppOptions,
  sources: Omit<MetricSources, 'pool'>,
): Promise<Metrics> {
  const { createMetrics, serveMetrics } = await import('./http/metrics.ts');
  const metrics = createMetrics(app, { ...sources, pool: backend.pool });
  const stop = await serveMetrics(metrics, { host: config.listen.host, port: config.metricsPort ?? 0 });
  app.addHook('onClose', async () => stop());
  return metrics;
}

/** Opens what gateways share over Redis. Its client is loaded only if Redis is configured. */
async function shareOver(url: string, { config, backend, logger: log }: AppOptions, rejected: RejectedValues) {
  const { openSharedCounts } = await import('./http/shared-counts.ts');
  const { openSharedCache } = await import('./cache/redis-cache.ts');
  const secret = createSharedSecret(backend.db);
  const counts = openSharedCounts(url, log, rejected);
  const responseCache = config.cacheBytes > 0 ? openSharedCache(url, { secret, rejected, log }) : undefined;
  return {
    counts,
    responseCache,
    close: () => {
      counts.close();
      responseCache?.close();
    },
  };
}

interface ServerOptions extends Pick<AppOptions, 'config' | 'logger'> {
  readonly limits: HttpLimits;
  readonly takeTurn: TakeTurn;
}

function createServer({ config, logger, limits, takeTurn }: ServerOptions): FastifyInstance {
  const app = fastify({
    trustProxy: config.trustedProxies ?? false,
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: limits.body,
    // Requests that arrive on open connections while the gateway stops are still served.
    return503OnClosing: false,
    serverFactory: (handle) => createHttpServer(limits, config.limits.connections, handle),
    // The server itself sends these errors.
    clientErrorHandler: () => undefined,
    frameworkErrors: async (error, request, reply) => {
      // No hook is called for these requests.
      await takeTurn(request);
      setCommonHeaders(reply);
      reply.raw.once('finish', () => logRequest(request, reply));
      sendError(error, request, reply);
    },
  });
  return app;
}

function setCommonHeaders(reply: FastifyReply): void {
  reply.headers({ 'x-request-id': reply.request.id, vary: 'Origin', 'x-content-type-options': 'nosniff' });
}
