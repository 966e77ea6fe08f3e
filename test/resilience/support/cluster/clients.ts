import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../../drawn/random.ts';
import { type Client, createClient, type TestResponse } from '../client.ts';
import { percentile } from '../report.ts';
import type { AskedRequest } from './undisturbed.ts';

const MOST_DESCRIBED = 20;
const PAUSE_MS = 30;

export interface ClientOptions {
  /** The addresses of the service: a client uses any of them. */
  readonly urls: readonly string[];
  readonly key: string;
  readonly count: number;
  readonly requests: readonly AskedRequest[];
  readonly seed: number;
  /** Returns what is disturbed now, for the description of a failure. */
  readonly disturbance: () => string;
}

export interface ClientCounts {
  correct: number;
  /** Responses to changed records from before and after the import. */
  old: number;
  new: number;
  /** Responses that are neither those before an import nor those after it. */
  wrong: number;
  /** Responses that are not successful, and connections that broke. */
  failed: number;
  /** Requests repeated at the other address, because the first one did not accept or broke the connection. */
  repeated: number;
}

/** Clients that send requests continuously, and compare every response with the correct ones. */
export interface Clients {
  readonly counts: ClientCounts;
  readonly failures: readonly string[];
  /** Whether clients may repeat a request at the other address, as browsers do: haproxy itself does not run. */
  mayRepeat: boolean;
  /** Sets the correct responses: while data change, those before and after. */
  expect(...answers: readonly (readonly string[])[]): void;
  /** Returns the responses that were correct since the last call, and the longest time in milliseconds. */
  sinceLast(): { readonly slowestMs: number; readonly completed: number };
  /** Returns percentiles of all times in milliseconds. */
  times(): { readonly p50: number; readonly p99: number; readonly max: number };
  stop(): Promise<void>;
}

export function startClients({ urls, key, count, requests, seed, disturbance }: ClientOptions): Clients {
  const counts: ClientCounts = { correct: 0, old: 0, new: 0, wrong: 0, failed: 0, repeated: 0 };
  const failures: string[] = [];
  /** The body under each ETag of a request: a second one would be wrong, even if it is right by itself. */
  const tagged = new Map<string, string>();
  const times: number[] = [];
  let since = 0;
  let expected: readonly (readonly string[])[] = [];
  let isOver = false;
  const connections = urls.map((url) => createClient(url));

  function describe(kind: 'wrong' | 'failed', request: AskedRequest, details: string): void {
    counts[kind]++;
    const isoTime = new Date().toISOString();
    if (failures.length < MOST_DESCRIBED)
      failures.push(
        `${isoTime} ${kind} during ${disturbance()}: ${request.path} ${request.body?.slice(0, 80) ?? ''}: ${details}`,
      );
  }

  function judge(which: number, before: typeof expected, { status, text, headers }: TestResponse, at: string): void {
    const request = requests[which] as AskedRequest;
    if (status !== 200) {
      describe('failed', request, `${at} ${status} ${text.slice(0, 300)}`);
      return;
    }
    const possible = [...before, ...expected].map((answers) => answers[which]);
    if (!possible.includes(text)) {
      describe('wrong', request, `${at} ${text.slice(0, 2_000)}`);
      return;
    }
    const tag = `${which} ${headers.etag}`;
    if (headers.etag !== undefined && (tagged.get(tag) ?? text) !== text) {
      describe('wrong', request, `${at} has the ETag of another response, ${headers.etag}`);
      return;
    }
    tagged.set(tag, text);
    counts.correct++;
    const [old, latest] = expected.map((answers) => answers[which]);
    if (latest !== undefined && old !== latest) counts[text === old ? 'old' : 'new']++;
  }

  async function run(number: number): Promise<void> {
    const draw = seeded(seed + number);
    while (!isOver) {
      const which = Math.floor(draw() * requests.length);
      const request = requests[which] as AskedRequest;
      const first = Math.floor(draw() * urls.length);
      const before = expected;
      const began = performance.now();
      const send = (to: number) =>
        (connections[to % urls.length] as Client).send(
          request,
          request.needsKey ? key : undefined,
          AbortSignal.timeout(60_000),
        );
      try {
        const response = await send(first).catch((error) => {
          if (!clients.mayRepeat) throw error;
          counts.repeated++;
          return send(first + 1);
        });
        judge(which, before, response, `${urls[first]} after ${Math.round(performance.now() - began)} ms`);
      } catch (error) {
        describe('failed', request, `${urls[first]} after ${Math.round(performance.now() - began)} ms: ${error}`);
      }
      times.push(performance.now() - began);
      await sleep(PAUSE_MS);
    }
  }

  const clients: Clients = {
    counts,
    failures,
    mayRepeat: false,
    expect: (...answers) => {
      expected = answers;
    },
    sinceLast: () => {
      const taken = times.slice(since);
      since = times.length;
      return { slowestMs: Math.round(percentile(taken, 100)), completed: taken.length };
    },
    times: () => {
      const [p50 = 0, p99 = 0, max = 0] = [50, 99, 100].map((percent) => Math.round(percentile(times, percent)));
      return { p50, p99, max };
    },
    stop: async () => {
      isOver = true;
      await Promise.all(running);
      for (const client of connections) client.close();
    },
  };
  const running = Array.from({ length: count }, (_, number) => run(number));
  return clients;
}
