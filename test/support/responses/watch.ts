import { channel } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import type { Exchange } from './check.ts';

export interface Watch {
  /** Returns the violations since the last call, after waiting for responses whose check is still loading. */
  take(): Promise<string[]>;
  /** The number of responses of both APIs that have been checked so far. */
  readonly checked: number;
}

let watch: Watch | undefined;

/**
 * Checks every response of this process from the first call on: those of each Fastify server that it creates, over a socket
 * or by `inject`, and those that `fetch` receives from gateways in other processes. The schema is loaded with the first
 * server or response, since many suites have neither. Each test file of the process calls it and gets the same watch.
 */
export function watchResponses(): Watch {
  watch ??= startWatch();
  return watch;
}

function startWatch(): Watch {
  let violations: string[] = [];
  let checked = 0;
  let loading: Promise<typeof import('./check.ts')> | undefined;
  let loaded: typeof import('./check.ts') | undefined;
  const pending = new Set<Promise<void>>();
  const load = async () => {
    loading ??= import('./check.ts');
    loaded = await loading;
    return loaded;
  };

  function check({ violationsOf }: typeof import('./check.ts'), exchange: Exchange): void {
    let found: string[] | undefined;
    try {
      found = violationsOf(exchange);
    } catch (error) {
      // A hook that throws would change the response.
      found = [`the check failed: ${error instanceof Error ? error.stack : error}`];
    }
    if (!found) return;
    checked++;
    const { method, url, status, requestBody } = exchange;
    const requested = `${method} ${url} ${requestBody === undefined ? '' : JSON.stringify(requestBody)}`.slice(0, 600);
    violations.push(...found.map((violation) => `${violation}\n  in the ${status} to ${requested}`));
  }

  function note(exchange: Exchange): void {
    if (loaded) {
      check(loaded, exchange);
      return;
    }
    const later = load().then((checks) => check(checks, exchange));
    pending.add(later);
    void later.finally(() => pending.delete(later));
  }

  // Before any other hook, and therefore before the body is compressed.
  channel('fastify.initialization').subscribe((message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    void load();
    fastify.addHook('onSend', (request, reply, payload, done) => {
      const body = textOf(payload);
      const { method, url, body: requestBody } = request;
      const seen = { method, url, requestBody, status: reply.statusCode, headers: reply.getHeaders() };
      if (body !== undefined) note({ ...seen, body });
      else if (isSurface(url) && !isOfEvents(reply.getHeader('content-type')))
        violations.push(`a stream is not checked yet: ${method} ${url}`);
      done();
    });
  });

  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    if (isSurface(url.pathname) && !isOfEvents(response.headers.get('content-type'))) {
      const body = await response.clone().text();
      const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
      const headers = Object.fromEntries(response.headers);
      const requestBody = typeof init?.body === 'string' ? init.body : undefined;
      const seen = { method: method.toUpperCase(), status: response.status, headers, body, requestBody };
      note({ ...seen, url: url.pathname + url.search });
    }
    return response;
  };

  return {
    async take() {
      await Promise.all(pending);
      const taken = violations;
      violations = [];
      return taken;
    },
    get checked() {
      return checked;
    },
  };
}

function isSurface(url: string): boolean {
  return /^\/(graphql|data\/|getQuery)/.test(url);
}

/** The events of a subscription, whose pages are those of the query: test/changes/subscription.test.ts compares them. */
function isOfEvents(type: unknown): boolean {
  return String(type).startsWith('text/event-stream');
}

function textOf(payload: unknown): string | undefined {
  if (payload === undefined || payload === null) return '';
  if (typeof payload === 'string') return payload;
  return payload instanceof Uint8Array ? Buffer.from(payload).toString() : undefined;
}
