import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestApp } from '../support/app.ts';

/** Connects the official MCP client to a gateway; its client checks every result against the tool's output schema. */
export async function connect({ app }: Pick<TestApp, 'app'>, key: string): Promise<Client> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { 'x-api-key': key } };
  // The types of the SDK do not allow for `exactOptionalPropertyTypes`.
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', app.listeningOrigin), { requestInit });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  // The client validates results only for tools that it has listed.
  await client.listTools();
  return client;
}

export interface ToolResult {
  readonly isError?: boolean;
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>> | undefined;
}

export async function call(client: Client, name: string, input: Record<string, unknown>): Promise<ToolResult> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: input });
  const [{ text }] = content as [{ text: string }];
  return { text, structured: structuredContent as ToolResult['structured'], ...(isError === true && { isError }) };
}
