import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { DEMO_KEY } from './access/demo-key.ts';
import { buildApp } from './app.ts';
import { createClock } from './clock.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { type DatabaseBackend, openBackend } from './database/backend.ts';
import { joinEmbeddedDatabase } from './database/embedded/embedded-database.ts';
import { createLogger, type Logger } from './logger.ts';
import { writeLine } from './progress.ts';
import { openPreparedEmbedded } from './start/prepare-embedded.ts';

const ACCEPTED = 202;

/** Opens the configured database; an embedded one that a running gateway has open is used together with it. */
async function openDatabase(config: Config['database'], log: Logger): Promise<DatabaseBackend> {
  if (config.url !== undefined) return openBackend(config, { purpose: 'gateway', log });
  const isOpen = await joinEmbeddedDatabase(config.dataDir);
  return isOpen ? openBackend(config, { purpose: 'command', log }) : openPreparedEmbedded(config, log);
}

/** Returns the response of the `/mcp` endpoint to a message; undefined if it has none. */
async function post(app: FastifyInstance, key: string, message: JSONRPCMessage): Promise<JSONRPCMessage | undefined> {
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { 'x-api-key': key, accept: 'application/json, text/event-stream' },
    payload: message,
  });
  if (statusCode === ACCEPTED) return undefined;
  const response = JSON.parse(body) as { jsonrpc?: string; message?: string };
  if (response.jsonrpc === '2.0') return response as JSONRPCMessage;
  const error = { code: -32_000, message: response.message ?? `HTTP status ${statusCode}` };
  return 'id' in message ? { jsonrpc: '2.0', id: message.id as string | number, error } : undefined;
}

/**
 * Serves the Model Context Protocol on standard input and output, for a client that starts it as a process: without a
 * port, with the same tools, packages and limits as `/mcp` of a gateway. Logs go to standard error.
 */
async function serve(config: Config): Promise<void> {
  const log = createLogger(config.logLevel, pino.destination({ dest: 2, sync: true }));
  const backend = await openDatabase(config.database, log);
  const app = await buildApp({
    config: { ...config, mcp: true },
    backend,
    logger: log,
    clock: createClock(config.clock),
  });
  const key = config.mcpApiKey ?? (backend.kind === 'embedded' ? DEMO_KEY : '');
  const transport = new StdioServerTransport();
  const running = new Set<Promise<void>>();
  const respond = async (message: JSONRPCMessage) => {
    const response = await post(app, key, message);
    if (response) await transport.send(response);
  };
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

try {
  await serve(readConfig(process.env));
} catch (error) {
  writeLine(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof ConfigError ? 2 : 1);
}
