/** An error of a GraphQL response. */
export interface ResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly [name: string]: unknown };
}

/** A response with errors, or one that is not GraphQL. */
export class BallotgraphError extends Error {
  override readonly name = 'BallotgraphError';
  /** The HTTP status. */
  readonly status: number;
  /** The errors of the response; empty if it is not GraphQL. */
  readonly errors: readonly ResponseError[];
  /** Identifies the request in the log of the gateway; null if the response has none. */
  readonly requestId: string | null;

  constructor(response: Response, errors: readonly ResponseError[]) {
    super(errors.map(({ message }) => message).join('\n') || `HTTP status ${response.status}`);
    this.status = response.status;
    this.errors = errors;
    this.requestId = response.headers.get('x-request-id');
  }

  /** The code of the first error, for example `UNAUTHENTICATED`. */
  get code(): string | undefined {
    return this.errors[0]?.extensions?.code;
  }
}
