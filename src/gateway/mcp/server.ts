import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  type CallToolResult,
  ListToolsRequestSchema,
  type ListToolsResult,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { RELEASE } from '../../base/release.ts';
import { DocumentErrors, type Tool, type ToolScope } from './tool.ts';
import { compareMaps } from './tools/compare-maps.ts';
import { findElections } from './tools/find-elections.ts';
import { findPerson } from './tools/find-person.ts';
import { findPlace } from './tools/find-place.ts';
import { results } from './tools/results.ts';
import { runGraphql } from './tools/run-graphql.ts';
import { searchSchema } from './tools/search-schema.ts';
import { whatChanged } from './tools/what-changed.ts';
import { whatsOnMyBallot } from './tools/whats-on-my-ballot.ts';
import { deadlines, whereToVote } from './tools/where-to-vote.ts';
import { whoRepresents } from './tools/who-represents.ts';

/** The tools, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  findPlace,
  whoRepresents,
  whatsOnMyBallot,
  findElections,
  whereToVote,
  deadlines,
  findPerson,
  compareMaps,
  results,
  whatChanged,
  searchSchema,
  runGraphql,
];

const SCHEMA_URI = 'ballotgraph://schema.graphql';

const INSTRUCTIONS = `Elections data of the United States: districts, offices, officeholders, elections, ballots and results.
Locations are coordinates: find_place has those of an address if addresses are loaded. A ZIP code, town, county or state is
an area, never a point: find_place has its districts. Every result names its sources with their days; notKnown lists what the
data does not contain: do not fill these gaps with assumptions.`;

export interface ServerOptions {
  readonly scope: ToolScope;
  /** The schema as SDL; undefined if introspection is disabled. */
  readonly sdl: string | undefined;
  /** The tools as `listTools` returns them; listed anew if omitted. */
  readonly tools?: ListToolsResult;
  /** Called with the code of the error if a tool fails. */
  readonly onFailure: (code: string) => void;
}

/** Lists the tools of a server, which are the same for all requests: the SDK converts their schemas for each one. */
export async function listTools(server: McpServer): Promise<ListToolsResult> {
  const client = new Client({ name: 'ballotgraph', version: RELEASE });
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ofServer), client.connect(ofClient)]);
  const list = await client.request({ method: 'tools/list' }, ListToolsResultSchema);
  await client.close();
  return list;
}

/** Creates the MCP server for one request: it keeps no state between requests. */
export function createMcpServer({ scope, sdl, tools, onFailure }: ServerOptions): McpServer {
  const server = new McpServer({ name: 'ballotgraph', version: RELEASE }, { instructions: INSTRUCTIONS });
  for (const { name, title, description, input, output, run } of TOOLS) {
    if (name === searchSchema.name && sdl === undefined) continue;
    const annotations = { readOnlyHint: true, openWorldHint: false };
    const config = { title, description, inputSchema: input, outputSchema: output, annotations };
    server.registerTool(name, config, async (given: Record<string, unknown>): Promise<CallToolResult> => {
      try {
        const result = { ...(await run(given, scope)) };
        return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
      } catch (error) {
        const isOfDocument = error instanceof DocumentErrors;
        const [first] = isOfDocument ? error.errors : [scope.formatError(error as Error)];
        const code = String(first?.extensions.code);
        onFailure(code);
        if (!isOfDocument) return { isError: true, content: [{ type: 'text', text: `${code}: ${first?.message}` }] };
        const body = { errors: error.errors.map((each) => each.toJSON()) };
        return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body };
      }
    });
  }
  if (tools) server.server.setRequestHandler(ListToolsRequestSchema, () => tools);
  if (sdl !== undefined) {
    const mimeType = 'application/graphql';
    const about = {
      title: 'The GraphQL schema',
      description: 'For run_graphql; every element is described.',
      mimeType,
    };
    server.registerResource('schema', SCHEMA_URI, about, () => ({
      contents: [{ uri: SCHEMA_URI, mimeType, text: sdl }],
    }));
  }
  return server;
}
