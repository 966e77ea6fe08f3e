import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createErrorFormat } from '../graphql/error-format.ts';
import type { Routes } from '../http/routes.ts';
import { schemaText } from '../schema-text.ts';
import { createMcpServer } from './server.ts';

/**
 * Serves the Model Context Protocol over streamable HTTP, without sessions: each POST has one JSON-RPC message and gets
 * one JSON response. API keys, packages, rate limits and deadlines are those of all APIs.
 */
export const mcpRoutes: Routes = async (app, { config, execute, prepare }) => {
  if (!config.mcp) return;
  const sdl = config.introspection ? schemaText() : undefined;
  app.post('/mcp', { onRequest: app.authenticate() }, async (request, reply) => {
    const context = app.contextOf(request);
    const formatError = createErrorFormat(request.id, (err) => request.log.error({ err }, 'an MCP tool failed'));
    const server = createMcpServer({ scope: { context, execute, prepare }, sdl, formatError });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const headers = new Headers(request.headers as Record<string, string>);
      const received = new Request('http://localhost/mcp', { method: 'POST', headers });
      const response = await transport.handleRequest(received, { parsedBody: request.body });
      return await reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(await response.text());
    } finally {
      await server.close();
    }
  });
};
