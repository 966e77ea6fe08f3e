import { createClient, type TestRequest, type TestResponse } from '../client.ts';
import { Tally } from '../report.ts';

/** A version of the service: the one before the upgrade, or the one after it. */
export type Version = 'old' | 'new';

/** A request that both versions answer, with their answers. */
export interface JudgedRequest {
  readonly request: TestRequest;
  readonly answers: Readonly<Record<Version, string>>;
}

export interface PhaseCounts {
  old: number;
  new: number;
  failed: number;
  wrong: number;
  slowestMs: number;
}

export interface UpgradeReaders {
  /** The version that each gateway has, by the name with which the load balancer marks its responses. */
  readonly versions: Map<string, Version>;
  /** What failed, and how often. */
  readonly failures: Tally;
  /** Begins a phase, to which all requests belong that end from now on. */
  begin(phase: string): void;
  counts(): Readonly<Record<string, PhaseCounts>>;
  stop(): Promise<void>;
}

/** The header with which the load balancer names the gateway of a response. */
export const GATEWAY_HEADER = 'x-gateway';

/**
 * Starts readers that send requests continuously, and compare each response with that of the version that the gateway had: before
 * or after the request, as it may be replaced in between.
 */
export function startUpgradeReaders(
  url: string,
  key: string,
  requests: readonly JudgedRequest[],
  count: number,
): UpgradeReaders {
  const client = createClient(url);
  const versions = new Map<string, Version>();
  const failures = new Tally();
  const phases: Record<string, PhaseCounts> = {};
  let counts: PhaseCounts;
  let phase = '';
  let isOver = false;

  function begin(name: string): void {
    phase = name;
    counts = { old: 0, new: 0, failed: 0, wrong: 0, slowestMs: 0 };
    phases[name] = counts;
  }

  function fail(kind: 'failed' | 'wrong', what: string): void {
    counts[kind]++;
    failures.add(`${phase}: ${what}`);
  }

  function judge(
    { request, answers }: JudgedRequest,
    before: ReadonlyMap<string, Version>,
    { status, text, headers }: TestResponse,
  ): void {
    const gateway = String(headers[GATEWAY_HEADER]);
    const possible = [before.get(gateway), versions.get(gateway)];
    const version = possible.find((each) => each !== undefined && answers[each] === text);
    const what = `${gateway} ${request.path} ${request.body?.slice(0, 500) ?? ''}: ${status} ${text.slice(0, 300)}`;
    if (status !== 200) fail('failed', what);
    else if (version === undefined) fail('wrong', what);
    else counts[version]++;
  }

  async function read(reader: number): Promise<void> {
    for (let n = reader; !isOver; n += count) {
      const judged = requests[n % requests.length] as JudgedRequest;
      const before = new Map(versions);
      const began = performance.now();
      try {
        judge(judged, before, await client.send(judged.request, key));
      } catch (error) {
        fail('failed', error instanceof Error ? error.message : String(error));
      }
      counts.slowestMs = Math.max(counts.slowestMs, Math.round(performance.now() - began));
    }
  }

  begin('start');
  const readers = Array.from({ length: count }, (_, reader) => read(reader));
  return {
    versions,
    failures,
    begin,
    counts: () => phases,
    stop: async () => {
      isOver = true;
      await Promise.all(readers);
      client.close();
    },
  };
}
