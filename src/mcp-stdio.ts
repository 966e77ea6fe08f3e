import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { type JSONRPCMessage, ErrorCode as JsonRpcError } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createClock } from './base/clock.ts';
import { type Config, ConfigError, readConfig } from './base/config/config.ts';
import { FairQueue } from './base/fair-queue.ts';
import { createLogger, type Logger } from './base/logger.ts';
import { writeLine } from './base/progress.ts';
import { DEMO_KEY } from './gateway/access/demo-key.ts';
import { buildApp } from './gateway/app.ts';
import { mcpRoutes } from './gateway/mcp/routes.ts';
import { readCommandLine } from './operate/start/command-line.ts';
import { openPreparedEmbedded } from './operate/start/prepare-embedded.ts';
import { type DatabaseBackend, openBackend } from './store/backend.ts';
import { joinEmbeddedDatabase } from './store/embedded/embedded-database.ts';

const ACCEPTED = 202;
/** Where tools are called, within the limits of the API key. */
const CALLS = '/mcp';
/** Where messages are sent that cost next to nothing, and therefore count for no limit. */
const UNCOUNTED = '/uncounted';
const UNCOUNTED_METHODS: ReadonlySet<string> = new Set(['initialize', 'ping']);

/** Opens the configured database; an embedded one that a running gateway has open is used together with it. */
async function openDatabase(config: Config['database'], log: Logger): Promise<DatabaseBackend> {
  if (config.url !== undefined) return openBackend(config, { purpose: 'gateway', log });
  const isOpen = await joinEmbeddedDatabase(config.dataDir);
  return isOpen ? openBackend(config, { purpose: 'command', log }) : openPreparedEmbedded(config, log);
}

/** Returns whether a message counts for no limit: a notification, or the request of a method that does no work. */
function isUncounted(message: JSONRPCMessage): boolean {
  return !('id' in message && 'method' in message) || UNCOUNTED_METHODS.has(message.method);
}

/** Returns the response of an MCP endpoint to a message; undefined if it has none. */
async function post(
  app: FastifyInstance,
  url: string,
  key: string,
  message: JSONRPCMessage,
): Promise<JSONRPCMessage | undefined> {
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url,
    headers: { 'x-api-key': key, accept: 'application/json, text/event-stream' },
    payload: message,
  });
  if (statusCode === ACCEPTED) return undefined;
  const response = JSON.parse(body) as { jsonrpc?: string; message?: string };
  if (response.jsonrpc === '2.0') return response as JSONRPCMessage;
  const error = { code: -32_000, message: response.message ?? `HTTP status ${statusCode}` };
  return 'id' in message ? { jsonrpc: '2.0', id: message.id as string | number, error } : undefined;
}

/** Returns the response to a line that is not a message. Its id is not known, which JSON-RPC writes as null. */
function errorOfLine(error: Error) {
  const described =
    error instanceof SyntaxError
      ? { code: JsonRpcError.ParseError, message: 'A message must be JSON, in one line.' }
      : {
          code: JsonRpcError.InvalidRequest,
          message:
            'A line must be one JSON-RPC message, an object of at most 10 MiB. Batches (arrays) are not supported.',
        };
  return { jsonrpc: '2.0', id: null, error: described };
}

/**
 * Returns the configuration for a single user, whose calls wait instead of being rejected: the number of calls at once
 * is that of an API key, and a busy process delays none.
 */
function forOneUser(config: Config): Config {
  const load = { ...config.limits.load, eventLoopDelay: 0 };
  return { ...config, mcp: true, limits: { ...config.limits, load } };
}

/**
 * Serves the Model Context Protocol on standard input and output, for a client that starts it as a process: without a
 * port, with the same tools, packages and limits as `/mcp` of a gateway. Logs go to standard error.
 */
async function serve(config: Config): Promise<void> {
  const log = createLogger(config.logLevel, pino.destination({ dest: 2, sync: true }));
  const backend = await openDatabase(config.database, log);
  const app = await buildApp({
    config: forOneUser(config),
    backend,
    logger: log,
    clock: createClock(config.clock),
    routes: [mcpRoutes(CALLS), mcpRoutes(UNCOUNTED, 'none')],
  });
  const { inFlight, inFlightPerKey } = config.limits.load;
  const atOnce = Math.min(inFlight, inFlightPerKey);
  const calls = new FairQueue({ size: atOnce, perKey: atOnce });
  const key = config.mcpApiKey ?? (backend.kind === 'embedded' ? DEMO_KEY : '');
  const transport = new StdioServerTransport();
  const running = new Set<Promise<void>>();
  const respond = async (message: JSONRPCMessage) => {
    const response = isUncounted(message)
      ? await post(app, UNCOUNTED, key, message)
      : await calls.run(0, () => post(app, CALLS, key, message));
    if (response) await transport.send(response);
  };
  // The types of the SDK do not allow for the id null.
  transport.onerror = (error) => void transport.send(errorOfLine(error) as unknown as JSONRPCMessage);
  transport.onmessage = (message) => {
    const response = respond(message).finally(() => running.delete(response));
    running.add(response);
  };
  const stop = async () => {
    await Promise.allSettled(running);
    await app.close();
    await backend.close();
  };
  transport.onclose = stop;
  process.stdin.once('end', stop);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => transport.close());
  await transport.start();
}

readCommandLine(
  'npm run mcp',
  'Serves the Model Context Protocol on standard input and output, for the client that starts it.',
);
try {
  await serve(readConfig(process.env));
} catch (error) {
  writeLine(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof ConfigError ? 2 : 1);
}
