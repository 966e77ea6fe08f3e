import { setTimeout as sleep } from 'node:timers/promises';
import { codeIn, createClient, graphql, type TestRequest, type TestResponse } from './client.ts';
import { percentile, Tally } from './report.ts';

/**
 * Requests about the small country of the tests: a point with all its data, a list, a ballot, and the same over REST.
 */
export const REQUESTS: readonly TestRequest[] = [
  graphql(
    '{ location(latitude: 42, longitude: -98) { districts { id: databaseId name offices { id: databaseId officeholders { id: databaseId } } } } }',
  ),
  graphql('{ districts(state: "AA") { totalCount edges { node { id: databaseId name } } } }'),
  graphql(
    '{ location(latitude: 42, longitude: -98) { ballot(electionDate: "2024-11-05") { districts { races { id: databaseId } } } } }',
  ),
  { path: '/data/elections_by_point?lat=42&long=-98&election_date=2022-11-08' },
];

export interface Readers {
  readonly counts: {
    completed: number;
    wrong: number;
    /** Rejections because the service is unavailable: 503 or 504, with Retry-After. */
    rejected: number;
    /** Any other response except these and the correct one. */
    misnamed: number;
    /** Connections that broke. */
    broken: number;
  };
  /** Requests that are currently waiting for their response. */
  readonly inFlight: number;
  readonly rejections: Tally;
  slowestMs(): number;
  /** Resolves at the next correct response, with the milliseconds from the call to it. */
  served(): Promise<number>;
  stop(): Promise<void>;
}

export interface ReaderOptions {
  readonly url: string;
  readonly key: string;
  readonly count: number;
  /** The requests, sent in rotation; defaults to `REQUESTS`. */
  readonly requests?: readonly TestRequest[];
  /** Milliseconds between two requests of a reader; defaults to 0. */
  readonly pauseMs?: number;
}

/**
 * Starts readers that send requests continuously and compare the responses with the correct ones, which are those
 * received at the start.
 */
export async function startReaders(options: ReaderOptions): Promise<Readers> {
  const { url, key, count, requests = REQUESTS, pauseMs = 0 } = options;
  const client = createClient(url);
  const right = await Promise.all(requests.map((request) => onceCompleted(() => client.send(request, key))));

  const counts = { completed: 0, wrong: 0, rejected: 0, misnamed: 0, broken: 0 };
  const rejections = new Tally();
  const times: number[] = [];
  let inFlight = 0;
  let isOver = false;
  let waiting: (() => void)[] = [];

  function take(response: TestResponse, expected: string | undefined): void {
    if (response.status === 200 && response.text === expected) {
      counts.completed++;
      for (const report of waiting.splice(0)) report();
    } else if (response.status === 200) {
      counts.wrong++;
      rejections.add(`wrong: ${response.text.slice(0, 200)}`);
    } else {
      const isRejection = [503, 504].includes(response.status) && response.headers['retry-after'] !== undefined;
      counts[isRejection ? 'rejected' : 'misnamed']++;
      rejections.add(`${response.status} ${codeIn(response.text)}`);
    }
  }

  async function read(reader: number): Promise<void> {
    for (let n = reader; !isOver; n++) {
      const which = n % requests.length;
      const began = performance.now();
      inFlight++;
      try {
        take(await client.send(requests[which] as TestRequest, key), right[which]?.text);
      } catch (error) {
        counts.broken++;
        rejections.add(error instanceof Error ? error.message : String(error));
      }
      inFlight--;
      times.push(performance.now() - began);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }

  const readers = Array.from({ length: count }, (_, reader) => read(reader));
  return {
    counts,
    rejections,
    get inFlight() {
      return inFlight;
    },
    slowestMs: () => Math.round(percentile(times, 100)),
    served: () => {
      const since = performance.now();
      return new Promise((resolve) => waiting.push(() => resolve(performance.now() - since)));
    },
    stop: async () => {
      isOver = true;
      await Promise.all(readers);
      client.close();
      waiting = [];
    },
  };
}

const SETTLE_LIMIT_MS = 60_000;

/**
 * Returns the first response that is not a rejection, since the service may still be recovering from the previous
 * failure.
 */
async function onceCompleted(request: () => Promise<TestResponse>): Promise<TestResponse> {
  for (const end = performance.now() + SETTLE_LIMIT_MS; ; await sleep(100)) {
    const response = await request();
    if (response.status === 200) return response;
    if (performance.now() > end)
      throw new Error(`A request has no successful response: ${response.status} ${response.text}`);
  }
}
