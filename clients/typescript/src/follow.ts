import { BallotgraphError } from './error.ts';
import { type Body, bodyOf, pause, sendWithRetries } from './send.ts';

const CONTACT = 'contacts { type value } socialLinks { network url }';
/** The fields that hold a record's own values, and the ids of the records that it belongs to: those whose changes are told. */
const FIELDS: readonly (readonly [type: string, fields: string])[] = [
  ['District', 'type name state url ocdId geoId ncesId'],
  ['Boundary', 'district { id } startDate endDate precise geometry'],
  ['Party', 'name url'],
  ['Office', 'district { id } name type level branch chamber isPartisan partisanship seat url'],
  ['Person', `name firstName lastName url imageUrl ${CONTACT}`],
  ['Officeholder', `office { id } person { id } startDate endDate party { id } ${CONTACT}`],
  [
    'Election',
    `date type description candidateListsComplete status district { id }
    deadlines { kind day label { text } phrase { text language } district { id } time timeZone asOf url }`,
  ],
  [
    'Race',
    `election { id } office { id } type year stageType stageParty officePosition url numberOfSeats isMarquee isRankedChoice
    resultsCertified swearingInDate scopeBasis`,
  ],
  [
    'Candidate',
    `race { id } person { id } stageParty runningMate fecId isWriteIn withdrewStillOnBallot isIncumbent status
    parties { id } votes rankedChoiceRounds { round votesGained status }`,
  ],
  [
    'BallotMeasure',
    `election { id } district { id } name type officialTitle yesVote noVote url status yesVotesTotal noVotesTotal`,
  ],
  [
    'VotingPlace',
    `election { id } kind name address longitude latitude hours openIntervals { opens closes } timeZone status movedTo
    notes url districts { id }`,
  ],
];

/** What one transaction did to one record. */
export interface Change {
  readonly kind: 'CREATED' | 'UPDATED' | 'DELETED';
  readonly type: string;
  readonly recordId: string;
  readonly fields: readonly string[] | null;
  readonly changedAt: string | null;
  readonly source: string | null;
}

/** A change with its record under the name of its type. */
type Told = Change & { readonly [type: string]: Batch['records'][number] | null };

/** Where a copy is: how often it began at the start, and whether it still reads what was there before. */
export interface Position {
  readonly cursor: string;
  readonly pass: number;
  readonly isCopying: boolean;
}

export interface Batch {
  readonly changes: readonly Change[];
  /** The records that changed, as they are now; fields that the package of the key does not include are null. */
  readonly records: readonly { readonly __typename: string; readonly id: string; readonly [field: string]: unknown }[];
  /** The ids of records that are no longer there. */
  readonly removed: readonly string[];
  /** Store it in one step with the records, each of them with its `pass`. */
  readonly next: Position;
  /** A pass is complete: after this batch, drop the records of earlier passes, since this one did not tell of them. */
  readonly dropsEarlierPasses: boolean;
  readonly isUpToDate: boolean;
}

export interface FollowOptions {
  /** The endpoint of GraphQL, for example `https://gateway.example.org/graphql`. */
  readonly url: string;
  readonly apiKey: string;
  /** The `next` of the last batch that was stored; without it, the copy begins at the start. */
  readonly from?: Position | undefined;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
}

/**
 * The changes and the records in one request, whose answer is of one version of the data: the answer to another request may come from a
 * gateway or a standby that is behind, and the copy would keep its old values.
 */
const PAGE = `query Follow($after: String!, $first: Int!) {
  changes(after: $after, first: $first) {
    nodes {
      kind type recordId fields changedAt source
      ${FIELDS.map(([type, fields]) => `${type}: record { ... on ${type} { __typename id updatedAt ${fields} } }`).join(
        ' ',
      )}
    }
    next isUpToDate
  }
}`;
/** As many changes as one request may cost; half of them if their records are too large. */
const MOST_CHANGES = 40;
const TIMEOUT_MS = 60_000;
const ACCEPT = 'application/graphql-response+json, application/json';
/** Statuses that may be others later; 200 is that of an answer with an error in one of its fields. */
const NOT_NOW = [200, 429, 500, 502, 503, 504];

/**
 * Returns the changes with the values of the records, batch by batch: all that there is, then each change when it is made.
 * A change is told at least once. After failures of the network or the gateway it goes on, unless the first request fails.
 * @throws BallotgraphError for a request that is refused, such as one with a wrong key; the reason of the signal.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<Batch, never> {
  const signal = options.signal ?? new AbortController().signal;
  let at: Position = options.from ?? { cursor: 'start', pass: 1, isCopying: true };
  let first = MOST_CHANGES;
  let failures: number | undefined;
  for (;;) {
    try {
      const variables = { after: at.cursor, first };
      const { changes: page } = (await request(options, '', { query: PAGE, variables })) as {
        readonly changes: { readonly nodes: readonly Told[]; readonly next: string; readonly isUpToDate: boolean };
      };
      const { next: cursor, isUpToDate } = page;
      const next = { cursor, pass: at.pass, isCopying: at.isCopying && !isUpToDate };
      const dropsEarlierPasses = at.isCopying && isUpToDate;
      if (dropsEarlierPasses || cursor !== at.cursor) {
        yield { ...contentsOf(page.nodes), next, dropsEarlierPasses, isUpToDate };
      }
      [at, first, failures] = [next, Math.min(MOST_CHANGES, first * 2), 0];
      // It tells only that there is something: the gateway of the next page may be behind, and has nothing yet.
      if (isUpToDate) await request(options, `data/changes?first=1&wait=25&after=${cursor}`);
      if (isUpToDate && page.nodes.length === 0) await pause(500, signal);
    } catch (error) {
      signal.throwIfAborted();
      const { status, code = '' } = error instanceof BallotgraphError ? error : {};
      if (code === 'GONE' || status === 410) at = { cursor: 'start', pass: at.pass + 1, isCopying: true };
      else if (first > 1 && ['QUERY_TOO_COSTLY', 'RESPONSE_TOO_LARGE'].includes(code)) first = Math.ceil(first / 2);
      else if (failures === undefined || (status !== undefined && !NOT_NOW.includes(status))) throw error;
      else await pause(Math.min(10_000, 500 * 2 ** failures++), signal);
    }
  }
}

function contentsOf(nodes: readonly Told[]): Pick<Batch, 'changes' | 'records' | 'removed'> {
  const records = new Map(nodes.map((node) => [node.recordId, node[node.type] ?? null]));
  return {
    changes: nodes.map(({ kind, type, recordId, fields, changedAt, source }) => ({
      ...{ kind, type, recordId, fields, changedAt, source },
    })),
    records: [...records.values()].filter((record) => record !== null),
    removed: [...records].flatMap(([id, record]) => (record === null ? [id] : [])),
  };
}

/** Sends a request to the endpoint of GraphQL, or to an address beside it, and returns its data. */
async function request(options: FollowOptions, path: string, body?: object): Promise<unknown> {
  const headers = { 'x-api-key': options.apiKey, 'content-type': 'application/json', accept: ACCEPT };
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const init = { headers, signal, ...(body && { method: 'POST', body: JSON.stringify(body) }) };
  const once = async (): Promise<[Response, Body]> => {
    const response = await (options.fetch ?? fetch)(new URL(path, options.url), init);
    return [response, await bodyOf(response)];
  };
  const [response, { data, errors, message }] = await sendWithRetries(once, 2, signal);
  if (response.ok && !errors && data != null) return data;
  const own = `HTTP status ${response.status}, which is no answer of a gateway`;
  throw new BallotgraphError(response, message === undefined && errors ? errors : [{ message: message ?? own }]);
}
