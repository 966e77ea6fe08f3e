import { BallotgraphError, type ResponseError } from './error.ts';
import { type Body, bodyOf, type NotInPackage, sendWithRetries } from './send.ts';

export { type Batch, type Change, type FollowOptions, follow, type Position } from './follow.ts';
export {
  type CellDistrict,
  type CellLine,
  type CellPoint,
  type Cells,
  type DistrictsOfPoint,
  type OnDay,
  openCells,
} from './open-cells.ts';
export { BallotgraphError, type NotInPackage, type ResponseError };

/**
 * A document with the types of its result and variables, as GraphQL Code Generator writes it with
 * `documentMode: 'string'`. A plain string is a document of unknown types.
 */
export interface TypedDocument<Result, Variables> {
  toString(): string;
  readonly __apiType?: (variables: Variables) => Result;
}

export interface QueryResult<Result> {
  readonly data: Result;
  /** Empty if the package includes all selected fields. */
  readonly notInPackage: readonly NotInPackage[];
}

export interface ClientOptions {
  /** The endpoint, for example `https://gateway.example.org/graphql`. */
  readonly url: string;
  readonly apiKey: string;
  /** Time limit of a query with its retries, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
  /** How often a query that is rejected with `Retry-After` is sent again; 2 by default. */
  readonly retries?: number;
  /** Maximum number of results that are cached with their `ETag`; 100 by default, 0 disables the cache. */
  readonly cacheSize?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface QueryOptions {
  readonly signal?: AbortSignal;
}

export interface Client {
  /**
   * Executes a query.
   * @throws BallotgraphError for a response with errors; the reason of the signal, or a TimeoutError.
   */
  query<Result, Variables extends object>(
    document: TypedDocument<Result, Variables>,
    variables?: Variables,
    options?: QueryOptions,
  ): Promise<QueryResult<Result>>;
}

/** The gateway accepts addresses of 8 KiB by default. Only GET has an ETag; longer queries are sent as POST. */
const MAX_URL_LENGTH = 8_000;
const NOT_MODIFIED = 304;

/** Creates a client. Results are revalidated by their `ETag` with every query, so they are never outdated. */
export function createClient(options: ClientOptions): Client {
  const { url, apiKey, timeoutMs = 30_000, retries = 2, cacheSize = 100 } = options;
  const send = options.fetch ?? fetch;
  const cached = new Map<string, { readonly tag: string; readonly body: Body }>();
  const headers = { 'x-api-key': apiKey, accept: 'application/graphql-response+json, application/json;q=0.9' };

  function store(address: string, tag: string | null, body: Body): void {
    cached.delete(address);
    if (tag === null || cacheSize <= 0) return;
    cached.set(address, { tag, body });
    const [oldest] = cached.keys();
    if (cached.size > cacheSize && oldest !== undefined) cached.delete(oldest);
  }

  async function fetchOnce(query: string, variables: object, signal: AbortSignal): Promise<[Response, Body]> {
    const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
    const address = `${url}?${parameters}`;
    if (address.length > MAX_URL_LENGTH) {
      const body = JSON.stringify({ query, variables });
      const type = { 'content-type': 'application/json' };
      const response = await send(url, { method: 'POST', headers: { ...headers, ...type }, body, signal });
      return [response, await bodyOf(response)];
    }
    const known = cached.get(address);
    const condition = known && { 'if-none-match': known.tag };
    const response = await send(address, { headers: { ...headers, ...condition }, signal });
    if (response.status === NOT_MODIFIED && known) return [response, known.body];
    const body = await bodyOf(response);
    if (response.ok && !body.errors) store(address, response.headers.get('etag'), body);
    return [response, body];
  }

  return {
    async query<Result, Variables extends object>(
      document: TypedDocument<Result, Variables>,
      variables?: Variables,
      { signal }: QueryOptions = {},
    ): Promise<QueryResult<Result>> {
      const deadline = AbortSignal.timeout(timeoutMs);
      const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
      const once = () => fetchOnce(document.toString(), variables ?? {}, either);
      const [response, body] = await sendWithRetries(once, retries, either);
      const isFound = response.ok || response.status === NOT_MODIFIED;
      if (!isFound || body.errors || body.data == null) throw new BallotgraphError(response, body.errors ?? []);
      return { data: body.data as Result, notInPackage: body.extensions?.notInPackage ?? [] };
    },
  };
}
