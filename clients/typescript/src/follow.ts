import { BallotgraphError } from './error.ts';
import { type Body, bodyOf, pause, sendWithRetries } from './send.ts';

/** The fields that hold a record's own values, and the ids of the records that it belongs to: those whose changes are told. */
const CONTACT = 'contacts { type value } socialLinks { network url }';
const FIELDS: Readonly<Record<string, string>> = {
  District: 'type name state url ocdId geoId ncesId',
  Boundary: 'district { id } startDate endDate precise geometry',
  Party: 'name url',
  Office: 'district { id } name type level branch chamber isPartisan partisanship seat url',
  Person: `name firstName lastName url imageUrl ${CONTACT}`,
  Officeholder: `office { id } person { id } startDate endDate party { id } ${CONTACT}`,
  Election: `date type description candidateListsComplete status district { id }
    deadlines { kind day label { text } phrase { text language } district { id } time timeZone asOf url }`,
  Race: `election { id } office { id } type year stageType stageParty officePosition url numberOfSeats isMarquee isRankedChoice
    resultsCertified swearingInDate scopeBasis`,
  Candidate: `race { id } person { id } stageParty runningMate fecId isWriteIn withdrewStillOnBallot isIncumbent status
    parties { id } votes rankedChoiceRounds { round votesGained status }`,
  BallotMeasure: `election { id } district { id } name type officialTitle yesVote noVote url status yesVotesTotal noVotesTotal`,
  VotingPlace: `election { id } kind name address longitude latitude hours openIntervals { opens closes } timeZone status movedTo
    notes url districts { id }`,
};

/** What one transaction did to one record, as `GET /data/changes` tells it. */
export interface Change {
  readonly kind: 'CREATED' | 'UPDATED' | 'DELETED';
  readonly type: string;
  readonly id: string;
  readonly fields: readonly string[] | null;
  readonly changed_at: string | null;
  readonly source: string | null;
}

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

/** A gateway that runs beside the one that told of a change may answer with older data for this long. */
const SETTLING_MS = 2_500;
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
  let isLive = true;
  let failures: number | undefined;
  for (;;) {
    try {
      const wait = at.isCopying ? 0 : 25;
      const page = (await request(
        options,
        `data/changes?first=100&after=${encodeURIComponent(at.cursor)}&wait=${wait}`,
      )) as {
        readonly changes: readonly Change[];
        readonly next: string;
        readonly up_to_date: boolean;
      };
      isLive ||= page.up_to_date;
      const read = await valuesOf(options, page.changes, performance.now() + (isLive ? SETTLING_MS : 0), signal);
      const next = { cursor: page.next, pass: at.pass, isCopying: at.isCopying && !page.up_to_date };
      const dropsEarlierPasses = at.isCopying && page.up_to_date;
      if (dropsEarlierPasses || page.next !== at.cursor) {
        yield { changes: page.changes, ...read, next, dropsEarlierPasses, isUpToDate: page.up_to_date };
      }
      [at, isLive, failures] = [next, page.up_to_date, 0];
    } catch (error) {
      signal.throwIfAborted();
      const status = error instanceof BallotgraphError ? error.status : undefined;
      if (status === 410 && at.cursor !== 'start') at = { cursor: 'start', pass: at.pass + 1, isCopying: true };
      else if (failures === undefined || (status !== undefined && !NOT_NOW.includes(status))) throw error;
      else await pause(Math.min(10_000, 500 * 2 ** failures++), signal);
    }
  }
}

/** Reads the records of a page, until they are no older than their changes or the time for that is over. */
async function valuesOf(
  options: FollowOptions,
  changes: readonly Change[],
  until: number,
  signal: AbortSignal,
): Promise<Pick<Batch, 'records' | 'removed'>> {
  const last = new Map(changes.map((change) => [change.id, change]));
  const found = new Map<string, Batch['records'][number]>();
  let missing = [...last.values()].filter(({ kind }) => kind !== 'DELETED');
  for (;;) {
    for (const type of new Set(missing.map((change) => change.type))) {
      const ids = missing.flatMap((change) => (change.type === type ? [change.id] : []));
      for (const record of await nodesOf(options, type, ids)) found.set(record.id, record);
    }
    missing = missing.filter(({ id, changed_at }) => isOlder(found.get(id)?.updatedAt, changed_at));
    if (missing.length === 0 || performance.now() > until) break;
    await pause(250, signal);
  }
  return { records: [...found.values()], removed: [...last.keys()].filter((id) => !found.has(id)) };
}

/** Whether a record is missing, or is from before its change. */
function isOlder(updatedAt: unknown, changedAt: string | null): boolean {
  return updatedAt === undefined || (changedAt !== null && Date.parse(String(updatedAt)) < Date.parse(changedAt));
}

/** Reads records of one type; in two halves if they are more than one response may have. */
async function nodesOf(options: FollowOptions, type: string, ids: readonly string[]): Promise<Batch['records']> {
  const fields = FIELDS[type] ?? '';
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on ${type} { updatedAt ${fields} } } }`;
  try {
    const { nodes } = (await request(options, '', { query, variables: { ids } })) as { nodes: Batch['records'] };
    return nodes.filter((node) => node !== null);
  } catch (error) {
    const isTooMuch =
      error instanceof BallotgraphError && /^(QUERY_TOO_COSTLY|RESPONSE_TOO_LARGE)$/.test(error.code ?? '');
    if (!isTooMuch || ids.length < 2) throw error;
    const half = Math.ceil(ids.length / 2);
    return [...(await nodesOf(options, type, ids.slice(0, half))), ...(await nodesOf(options, type, ids.slice(half)))];
  }
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
