import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, codeIn, createClient, graphql, type Question } from './client.ts';
import { percentile, Tally } from './report.ts';

/**
 * Requests about the small country of the tests: a point with all its data, a list, a ballot, and the same over REST.
 */
export const QUESTIONS: readonly Question[] = [
  graphql('{ location(latitude: 42, longitude: -98) { districts { id name offices { id officeholders { id } } } } }'),
  graphql('{ districts(state: "AA") { totalCount edges { node { id name } } } }'),
  graphql(
    '{ location(latitude: 42, longitude: -98) { ballot(electionDate: "2024-11-05") { districts { races { id } } } } }',
  ),
  { path: '/data/elections_by_point?lat=42&long=-98&election_date=2022-11-08' },
];

export interface Readers {
  readonly counts: {
    answered: number;
    wrong: number;
    /** Rejections because the service is unavailable: 503 or 504, with Retry-After. */
    refused: number;
    /** Any other response except these and the correct one. */
    misnamed: number;
    /** Connections that broke. */
    broken: number;
  };
  /** Requests that are currently waiting for their response. */
  readonly inFlight: number;
  readonly refusals: Tally;
  slowestMs(): number;
  /** Resolves at the next correct response, with the milliseconds from the call to it. */
  served(): Promise<number>;
  stop(): Promise<void>;
}

export interface ReaderOptions {
  readonly url: string;
  readonly key: string;
  readonly count: number;
  /** The requests, sent in rotation; defaults to `QUESTIONS`. */
  readonly questions?: readonly Question[];
  /** Milliseconds between two requests of a reader; defaults to 0. */
  readonly pauseMs?: number;
}

/**
 * Starts readers that send requests continuously and compare the responses with the correct ones, which are those
 * received at the start.
 */
export async function startReaders(options: ReaderOptions): Promise<Readers> {
  const { url, key, count, questions = QUESTIONS, pauseMs = 0 } = options;
  const client = createClient(url);
  const right = await Promise.all(questions.map((question) => onceAnswered(() => client.ask(question, key))));

  const counts = { answered: 0, wrong: 0, refused: 0, misnamed: 0, broken: 0 };
  const refusals = new Tally();
  const times: number[] = [];
  let inFlight = 0;
  let isOver = false;
  let waiting: (() => void)[] = [];

  function take(answer: Answer, expected: string | undefined): void {
    if (answer.status === 200 && answer.text === expected) {
      counts.answered++;
      for (const tell of waiting.splice(0)) tell();
    } else if (answer.status === 200) {
      counts.wrong++;
      refusals.add(`wrong: ${answer.text.slice(0, 200)}`);
    } else {
      const isRefusal = [503, 504].includes(answer.status) && answer.headers['retry-after'] !== undefined;
      counts[isRefusal ? 'refused' : 'misnamed']++;
      refusals.add(`${answer.status} ${codeIn(answer.text)}`);
    }
  }

  async function read(reader: number): Promise<void> {
    for (let n = reader; !isOver; n++) {
      const which = n % questions.length;
      const began = performance.now();
      inFlight++;
      try {
        take(await client.ask(questions[which] as Question, key), right[which]?.text);
      } catch (error) {
        counts.broken++;
        refusals.add(error instanceof Error ? error.message : String(error));
      }
      inFlight--;
      times.push(performance.now() - began);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }

  const readers = Array.from({ length: count }, (_, reader) => read(reader));
  return {
    counts,
    refusals,
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
async function onceAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  for (const end = performance.now() + SETTLE_LIMIT_MS; ; await sleep(100)) {
    const answer = await ask();
    if (answer.status === 200) return answer;
    if (performance.now() > end) throw new Error(`A question is not answered: ${answer.status} ${answer.text}`);
  }
}
