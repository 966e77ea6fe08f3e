import { isDeepStrictEqual } from 'node:util';
import { loosely } from './content.ts';
import type { RunningServer } from './servers.ts';
import type { Target } from './targets.ts';
import type { BenchRequest, Sample, WorkloadName } from './workloads.ts';

/**
 * Returns a server's response to one request, parsed from JSON.
 * @throws Error if its status is not 200.
 */
export async function fetchJson(server: RunningServer, request: BenchRequest): Promise<unknown> {
  const { path, method, headers, body } = request;
  const response = await fetch(server.url + path, { method, headers: { ...headers }, body: body ?? null });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

/**
 * Compares the responses of a target with those of the baseline.
 * @returns how the first different response differs; undefined if all are equal.
 */
export async function findDifference(
  workload: WorkloadName,
  target: Target,
  servers: ReadonlyMap<string, RunningServer>,
  baseline: Target,
  sample: Sample,
  count: number,
): Promise<string | undefined> {
  for (let i = 0; i < count; i++) {
    const [request, toBaseline] = [target.request(workload, i, sample), baseline.request(workload, i, sample)];
    if (!request || !toBaseline) return undefined;
    const content = baseline.content(workload, await fetchJson(serverOf(servers, baseline), toBaseline));
    const found = target.content(workload, await fetchJson(serverOf(servers, target), request));
    const [actual, expected] = target.strict
      ? [found, workload === 'state' ? withDateOf(found, content) : content]
      : [loosely(found), loosely(content)];
    if (isDeepStrictEqual(actual, expected)) continue;
    const difference = differenceOf(actual, expected);
    return `${target.name} and the baseline respond differently to ${workload} ${i}: ${difference}`;
  }
  return undefined;
}

/** Returns the baseline's ballot of a state without its date if the target's has none: only REST responses have one. */
function withDateOf(found: unknown, content: unknown): unknown {
  if ('election_date' in (found as object)) return content;
  const { election_date: _, ...rest } = content as Record<string, unknown>;
  return rest;
}

/** Returns the running server of a target. */
export function serverOf(servers: ReadonlyMap<string, RunningServer>, { server }: Target): RunningServer {
  const found = servers.get(server);
  if (!found) throw new Error(`The server ${server} is not running`);
  return found;
}

function differenceOf(actual: unknown, expected: unknown, path = ''): string {
  if (typeof actual === 'object' && typeof expected === 'object' && actual && expected) {
    for (const key of new Set([...Object.keys(actual), ...Object.keys(expected)])) {
      const [one, other] = [(actual as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key]];
      if (!isDeepStrictEqual(one, other)) return differenceOf(one, other, `${path}.${key}`);
    }
  }
  return `${path} is ${JSON.stringify(actual)?.slice(0, 200)}, not ${JSON.stringify(expected)?.slice(0, 200)}`;
}
