import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TracingConfig } from '../../base/config/tracing-config.ts';
import type { Logger } from '../../base/logger.ts';
import type { ObserveStatement } from '../../store/reading/observe-statement.ts';
import type { RequestTrace } from '../../store/reading/request-trace.ts';
import { FREQUENT_ROUTES } from './request-log.ts';

/** Milliseconds that stopping waits for the last spans to be sent. */
const FLUSH_MS = 2_000;
const LOG_EVERY_MS = 60_000;

/**
 * Traces requests, their operations, their statements and the waiting for a connection with OpenTelemetry. Names and
 * attributes of spans are defined by the program: routes, names of statements, statuses, error codes. They never
 * contain the text of statements or what a caller sends (address, headers, documents, variables).
 *
 * The hooks are registered before all others, so that a request is timed from its start.
 */
export async function startTracing(app: FastifyInstance, config: TracingConfig, log: Logger): Promise<void> {
  setGlobalErrorHandler(createFailureLog(log));
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': config.serviceName }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(await exporterFor(config.protocol))],
  });
  const tracer = provider.getTracer('ballotgraph');

  app.addHook('onRequest', (request, reply, done) => {
    if (!FREQUENT_ROUTES.has(request.routeOptions.url ?? '')) request.trace = traceRequest(tracer, request, reply);
    done();
  });
  app.addHook('onClose', async () => {
    const limit = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS).unref());
    await Promise.race([provider.shutdown().catch(() => undefined), limit]);
  });
}

/** Imports only the configured exporter. */
async function exporterFor(protocol: TracingConfig['protocol']): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

/**
 * Logs an unreachable collector at most once a minute; the errors themselves contain its address and occur with every
 * batch.
 */
function createFailureLog(log: Logger): () => void {
  let mutedUntil = 0;
  return () => {
    if (performance.now() < mutedUntil) return;
    mutedUntil = performance.now() + LOG_EVERY_MS;
    log.warn('traces could not be sent');
  };
}

function traceRequest(tracer: Tracer, request: FastifyRequest, reply: FastifyReply): RequestTrace {
  const { url: route } = request.routeOptions;
  const span = tracer.startSpan(
    route === undefined ? request.method : `${request.method} ${route}`,
    {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': request.method, ...(route !== undefined && { 'http.route': route }) },
    },
    parentOf(request),
  );
  reply.raw.once('close', () => endRequest(span, request, reply));
  let parentContext = trace.setSpan(ROOT_CONTEXT, span);
  return {
    traceId: span.spanContext().traceId,
    observeStatement: (name) => traceStatement(tracer, name, parentContext),
    async during(part, work) {
      const outer = parentContext;
      const inner = tracer.startSpan(part, {}, outer);
      parentContext = trace.setSpan(outer, inner);
      try {
        return await work();
      } catch (error) {
        recordError(inner, error);
        throw error;
      } finally {
        parentContext = outer;
        inner.end();
      }
    },
  };
}

/** Returns the parent span of W3C's `traceparent` (ids and flags). Other tracing headers of callers are ignored. */
function parentOf({ headers: { traceparent } }: FastifyRequest): Context {
  const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

function endRequest(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  const isAborted = !reply.raw.writableEnded;
  span.setAttribute('ballotgraph.request_id', request.id);
  if (!isAborted) span.setAttribute('http.response.status_code', reply.statusCode);
  if (request.caller) span.setAttribute('ballotgraph.package', request.caller.packageName);
  if (request.operation?.trustedName) span.setAttribute('graphql.operation.name', request.operation.trustedName);
  if (request.errorCode !== null) span.setAttribute('ballotgraph.refusal', request.errorCode);
  if (isAborted || reply.statusCode >= 500) {
    span.setAttribute('error.type', isAborted ? 'aborted' : (request.errorCode ?? String(reply.statusCode)));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/**
 * Creates the span of a statement with all its attempts, and a child span for the waiting for a connection of the pool.
 */
function traceStatement(tracer: Tracer, name: string, parentContext: Context): ReturnType<ObserveStatement> {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parentContext);
  const waiting = tracer.startSpan('pool.wait', {}, trace.setSpan(parentContext, span));
  return {
    connected() {
      if (waiting.isRecording()) waiting.end();
    },
    ended(error) {
      if (waiting.isRecording()) waiting.end();
      if (error !== undefined) recordError(span, error);
      span.end();
    },
  };
}

/**
 * Error codes of PostgreSQL, of the network and of the gateway. Messages are omitted: they may repeat values of the
 * request.
 */
const CODE = /^[A-Z0-9_]{1,40}$/;

function recordError(span: Span, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const type = CODE.test(code) ? code : error instanceof Error ? error.name : 'unknown';
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
