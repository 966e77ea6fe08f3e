import { isDeepStrictEqual } from 'node:util';
import { loosely } from './content.ts';
import type { RunningServer, Subject } from './subjects.ts';
import type { Ask, Draw, WorkName } from './works.ts';

/** Returns a server's response to one request, as JSON. */
export async function fetchJson(server: RunningServer, { path, method, headers, body }: Ask): Promise<unknown> {
  const answer = await fetch(server.url + path, { method, headers: { ...headers }, body: body ?? null });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

/**
 * Compares the responses of a target with those of the baseline.
 * @throws Error naming the first request whose responses differ.
 */
export async function checkAnswers(
  work: WorkName,
  subject: Subject,
  servers: ReadonlyMap<string, RunningServer>,
  floor: Subject,
  draw: Draw,
  count: number,
): Promise<void> {
  for (let i = 0; i < count; i++) {
    const [ask, askedFloor] = [subject.ask(work, i, draw), floor.ask(work, i, draw)];
    if (!ask || !askedFloor) return;
    const expected = floor.content(work, await fetchJson(serverOf(servers, floor), askedFloor));
    const answered = subject.content(work, await fetchJson(serverOf(servers, subject), ask));
    const [one, other] = subject.strict ? [answered, expected] : [loosely(answered), loosely(expected)];
    const same = isDeepStrictEqual(one, work === 'state' && subject.strict ? withoutDate(one, other) : other);
    if (!same) throw new Error(`${subject.name} answers ${work} ${i} unlike the floor: ${firstDifference(one, other)}`);
  }
}

/** Removes the date from a state's ballot, which only REST responses have. */
function withoutDate(answered: unknown, expected: unknown): unknown {
  if ('election_date' in (answered as object)) return expected;
  const { election_date: _, ...rest } = expected as Record<string, unknown>;
  return rest;
}

export function serverOf(servers: ReadonlyMap<string, RunningServer>, { server }: Subject): RunningServer {
  const found = servers.get(server);
  if (!found) throw new Error(`The server ${server} does not run`);
  return found;
}

function firstDifference(one: unknown, other: unknown, path = ''): string {
  if (typeof one === 'object' && typeof other === 'object' && one && other) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const [a, b] = [(one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]];
      if (!isDeepStrictEqual(a, b)) return firstDifference(a, b, `${path}.${key}`);
    }
  }
  return `${path}: ${JSON.stringify(one)?.slice(0, 200)} and not ${JSON.stringify(other)?.slice(0, 200)}`;
}
