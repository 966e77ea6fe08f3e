import { createHash } from 'node:crypto';
import { openApiDocument } from '../../../src/gateway/rest/document.ts';
import { schema } from '../../../src/graph/schema.ts';
import { type GraphQLRequest, graphqlViolations } from './graphql.ts';
import { createRestCheck } from './rest.ts';

/** A response of the gateway, with the parts of its request that determine the expected form. */
export interface Exchange {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  /** The body of the request, if it was read. */
  readonly requestBody?: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const checkRest = createRestCheck(openApiDocument());

/** Documents by their SHA-256, for requests that send only the hash. */
const documents = new Map<string, string>();

/** Registers documents that requests will reference by their SHA-256 without ever sending them. */
export function knowDocuments(texts: Iterable<string>): void {
  for (const text of texts) documents.set(createHash('sha256').update(text).digest('hex'), text);
}

/** Returns how a response violates the schema or the OpenAPI document; undefined for other paths. */
export function violationsOf(exchange: Exchange): string[] | undefined {
  const [path = '', search = ''] = exchange.url.split('?', 2);
  if (path !== '/graphql') return checkRest({ ...exchange, path });
  const { method, status, headers, body } = exchange;
  // GraphQL responds to GET and POST only.
  if (!['GET', 'POST'].includes(method)) return undefined;
  if (body === '') return [];
  if (String(headers['content-type']).startsWith('text/html') && method === 'GET' && status === 200) return [];
  const request = requestOf(exchange, new URLSearchParams(search));
  let response: unknown;
  try {
    response = JSON.parse(body);
  } catch {
    return [`the body is no JSON: ${body.slice(0, 80)}`];
  }
  return graphqlViolations(schema, request, response);
}

function requestOf({ method, requestBody }: Exchange, inAddress: URLSearchParams): GraphQLRequest {
  const sent = method === 'POST' ? asRecord(requestBody) : fromAddress(inAddress);
  const { query, operationName, variables, extensions, documentId } = sent;
  const persisted = asRecord(asRecord(extensions).persistedQuery).sha256Hash;
  const hash = String(documentId ?? persisted ?? '').replace(/^sha256:/, '');
  if (typeof query === 'string') knowDocuments([query]);
  return {
    query: typeof query === 'string' ? query : documents.get(hash),
    operationName: typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
    variables: asRecord(variables),
  };
}

function fromAddress(parameters: URLSearchParams): Record<string, unknown> {
  const read = (name: string) => {
    try {
      return JSON.parse(parameters.get(name) ?? '{}');
    } catch {
      return {};
    }
  };
  const texts = ['query', 'operationName', 'documentId'].map((name) => [name, parameters.get(name) ?? undefined]);
  return { ...Object.fromEntries(texts), variables: read('variables'), extensions: read('extensions') };
}

function asRecord(value: unknown): Record<string, unknown> {
  const read = typeof value === 'string' && value.startsWith('{') ? parsed(value) : value;
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
