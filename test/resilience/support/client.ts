import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface TestRequest {
  readonly path: string;
  /** The JSON body of a POST; without one the request is a GET. */
  readonly body?: string;
}

export interface TestResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Client {
  /**
   * Sends a request.
   * @throws Error if the connection breaks before the response is complete.
   */
  send(request: TestRequest, key?: string, signal?: AbortSignal): Promise<TestResponse>;
  close(): void;
}

export function graphql(query: string, variables?: object): TestRequest {
  return { path: '/graphql', body: JSON.stringify({ query, variables }) };
}

/** Creates a client with persistent connections, at most the given number at once. */
export function createClient(url: string, connections = Number.POSITIVE_INFINITY): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  return {
    send: ({ path, body }, key, signal) =>
      new Promise((resolve, reject) => {
        const headers = {
          ...(key !== undefined && { 'x-api-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        };
        const method = body === undefined ? 'GET' : 'POST';
        const sent = httpRequest(
          { hostname, port, path, method, agent, headers, ...(signal && { signal }) },
          (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (part) => (text += part));
            response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
            response.on('error', reject);
          },
        );
        sent.on('error', reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** Returns the status and the body of the response to each request in turn, without the ids of requests in errors. */
export async function responsesTo(requests: readonly TestRequest[], client: Client, key: string): Promise<string[]> {
  const responses: string[] = [];
  for (const request of requests) {
    const { status, text } = await client.send(request, key);
    responses.push(`${status} ${text.replace(/"request_id":"[^"]*"/g, '')}`);
  }
  return responses;
}

/** Returns the GraphQL error code in a response of either API; empty for a success. */
export function codeIn(text: string): string {
  const [, code, type] = /"code":\s*"([A-Z_]+)"|"type":\s*"urn:ballotgraph:error:([a-z-]+)"/.exec(text) ?? [];
  return code ?? type?.toUpperCase().replaceAll('-', '_') ?? '';
}
