import type {
  AreaQuery,
  BallotQuery,
  BallotSizesQuery,
  CompareQuery,
  CoverageQuery,
  FindableQuery,
  GeocodeQuery,
  LooksExchangedQuery,
  MapSharesQuery,
  NearbyQuery,
  OutlinesQuery,
  PlaceQuery,
  SourcesQuery,
  SurroundingsQuery,
  VotingQuery,
} from './generated/operations.ts';

/** The results of the trusted documents of the page, by the name of their operation. */
interface Results {
  readonly Place: PlaceQuery;
  readonly Ballot: BallotQuery;
  readonly BallotSizes: BallotSizesQuery;
  readonly Outlines: OutlinesQuery;
  readonly Compare: CompareQuery;
  readonly MapShares: MapSharesQuery;
  readonly Coverage: CoverageQuery;
  readonly Sources: SourcesQuery;
  readonly Surroundings: SurroundingsQuery;
  readonly Nearby: NearbyQuery;
  readonly Geocode: GeocodeQuery;
  readonly Findable: FindableQuery;
  readonly Area: AreaQuery;
  readonly LooksExchanged: LooksExchangedQuery;
  readonly Voting: VotingQuery;
}

type Variables = Readonly<Record<string, unknown>>;
type Documents = Readonly<Record<string, { readonly id: string; readonly text: string }>>;

/** Why there is no answer. */
export class NoAnswer extends Error {
  readonly reason: 'key' | 'too many' | 'unreachable' | 'rejected';
  /** How long to wait, in seconds. */
  readonly seconds: number;

  constructor(reason: NoAnswer['reason'], message: string, seconds = 5) {
    super(message);
    this.reason = reason;
    this.seconds = seconds;
  }
}

const STORED_KEY = 'ballotgraph-key';
let documents: Promise<Documents> | undefined;
const missingGrants = new Set<string>();

/** Whether the package of the key lacks a grant, as far as responses have said. */
export const lacksGrant = (grant: string) => missingGrants.has(grant);

/** Whether a key has been entered in this tab. */
export const hasOwnKey = () => sessionStorage.getItem(STORED_KEY) !== null;

/** Returns the API key of this tab, otherwise the one that the server has given the page. */
export function apiKey(): string | undefined {
  return sessionStorage.getItem(STORED_KEY) ?? document.body.dataset.key;
}

export function keepKey(key: string): void {
  sessionStorage.setItem(STORED_KEY, key);
  missingGrants.clear();
}

/**
 * Executes a trusted document, with the point in the body of a POST request.
 * @throws NoAnswer
 */
export async function ask<Name extends keyof Results>(
  name: Name,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Results[Name]> {
  const { id } = (await loadDocuments())[name] ?? {};
  const response = await send({ documentId: id, variables }, signal);
  if (response.status === 401) throw new NoAnswer('key', 'The key is not valid.');
  if (response.status === 429 || response.status === 503) {
    throw new NoAnswer('too many', 'Too many lookups.', Number(response.headers.get('retry-after')) || 5);
  }
  const { data, errors, extensions } = await response.json().catch(() => ({}));
  for (const { grant } of extensions?.notInPackage ?? []) missingGrants.add(String(grant));
  if (data) return data;
  // The connection ended within an answer.
  if (response.ok && !errors) throw new NoAnswer('unreachable', 'The server did not answer.');
  throw new NoAnswer('rejected', errors?.[0]?.message ?? `Status ${response.status}`);
}

async function send(body: object, signal: AbortSignal | undefined): Promise<Response> {
  const key = apiKey();
  if (!key) throw new NoAnswer('key', 'There is no key.');
  try {
    return await fetch('/graphql', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NoAnswer('unreachable', 'The server did not answer.');
  }
}

/** Returns the address of GraphiQL with an operation; in the fragment, so that no log has it. */
export async function graphiqlAddress(name: string, variables: Variables): Promise<string> {
  const { text = '' } = (await loadDocuments())[name] ?? {};
  const parts = new URLSearchParams({ query: text, variables: JSON.stringify(variables, null, 2) });
  return `/graphql#${parts}`;
}

function loadDocuments(): Promise<Documents> {
  documents ??= fetch('/web/documents.json').then((response) => response.json());
  documents.catch(() => {
    documents = undefined;
  });
  return documents.catch(() => {
    throw new NoAnswer('unreachable', 'The server did not answer.');
  });
}
