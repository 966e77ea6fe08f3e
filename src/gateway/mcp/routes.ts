import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { JSONRPCMessageSchema, ErrorCode as JsonRpcError } from '@modelcontextprotocol/sdk/types.js';
import { inTurn } from '../../base/event-loop-turns.ts';
import { createErrorFormat } from '../graphql/execution/error-format.ts';
import { schemaText } from '../graphql/schema-text.ts';
import type { Routes } from '../graphql/surface.ts';
import type { WorkKind } from '../http/admission.ts';
import { logCause } from '../http/error-handler.ts';
import { createMcpServer, listTools } from './server.ts';
import type { ToolScope } from './tool.ts';

/** The body of the response to a request that is not one JSON-RPC message. */
const NOT_A_MESSAGE = {
  jsonrpc: '2.0',
  id: null,
  error: {
    code: JsonRpcError.InvalidRequest,
    message:
      'A request is one JSON-RPC message, an object with jsonrpc: "2.0". Batches (arrays) are not supported: send each message in a request of its own.',
  },
};

/**
 * Serves the Model Context Protocol over streamable HTTP, without sessions: each POST has one JSON-RPC message and gets
 * one JSON response. API keys, packages, rate limits and deadlines are those of all APIs.
 * @param workKind what a request counts as.
 */
export const mcpRoutes =
  (path = '/mcp', workKind: WorkKind = 'lookup'): Routes =>
  async (app, { config, execute, prepare }) => {
    if (!config.mcp) return;
    const sdl = config.introspection ? schemaText() : undefined;
    const scope = {} as ToolScope;
    const tools = await listTools(createMcpServer({ scope, sdl, onFailure: () => undefined }));
    app.post(path, { onRequest: app.authenticate(), config: { workKind } }, async (request, reply) => {
      if (!JSONRPCMessageSchema.safeParse(request.body).success) {
        request.errorCode = 'INVALID_REQUEST';
        return reply.code(400).send(NOT_A_MESSAGE);
      }
      const context = app.contextOf(request);
      const formatError = createErrorFormat(request.id, (cause) => logCause(request, cause));
      const server = createMcpServer({
        scope: { context, execute, prepare, formatError },
        ...{ sdl, tools },
        onFailure: (code) => {
          request.errorCode = code;
        },
      });
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      try {
        const headers = new Headers(request.headers as Record<string, string>);
        const received = new Request('http://localhost/mcp', { method: 'POST', headers });
        const handle = () => transport.handleRequest(received, { parsedBody: request.body });
        // A call of a tool takes turns with its document.
        const { method } = request.body as { method?: unknown };
        const response = await (method === 'tools/call' ? handle() : inTurn(context, handle));
        return await reply
          .code(response.status)
          .headers(Object.fromEntries(response.headers))
          .send(await response.text());
      } finally {
        await server.close();
      }
    });
  };
