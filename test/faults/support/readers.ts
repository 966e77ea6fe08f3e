import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, codeIn, createClient, graphql, type Question } from './client.ts';
import { percentile, Tally } from './report.ts';

/** Of the small country of the tests: a point with all that is there, a list, a ballot, and the same by REST. */
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
    /** Answers that say that the service cannot answer now: 503 or 504, with Retry-After. */
    refused: number;
    /** Any other answer than these and the right one. */
    misnamed: number;
    /** Connections that broke. */
    broken: number;
  };
  /** Requests that wait for their answer now. */
  readonly inFlight: number;
  readonly refusals: Tally;
  slowestMs(): number;
  /** Resolves at the next right answer with the milliseconds that it took to come, from now on. */
  served(): Promise<number>;
  stop(): Promise<void>;
}

export interface ReaderOptions {
  readonly url: string;
  readonly key: string;
  readonly count: number;
  /** What they ask, in turn; `QUESTIONS` when not set. */
  readonly questions?: readonly Question[];
  /** Between two requests of a reader; 0 when not set. */
  readonly pauseMs?: number;
}

/** Readers that ask on and on, and know the right answers: those that they get now. */
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

/** The answer of the first attempt that is not refused, as the fault before this one may not be over. */
async function onceAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  for (const end = performance.now() + SETTLE_LIMIT_MS; ; await sleep(100)) {
    const answer = await ask();
    if (answer.status === 200) return answer;
    if (performance.now() > end) throw new Error(`A question is not answered: ${answer.status} ${answer.text}`);
  }
}
