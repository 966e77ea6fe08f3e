import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GreedyRun } from './greedy.ts';

/** How long a client waits after a rejection: half of what `Retry-After` states. */
const PAUSE_MS = 500;

const counts: Record<string, number> = {};
let isOver = false;
let ended: Promise<unknown> = Promise.resolve();
const stopping = new AbortController();

process.on('message', async (message: GreedyRun | 'stop') => {
  if (message !== 'stop') {
    ended = start(message);
    return;
  }
  isOver = true;
  stopping.abort();
  await ended;
  process.send?.(counts);
});
process.on('disconnect', () => process.exit());

async function start({ url, key, headers, requests, connections, leaveAfterMs }: GreedyRun): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  const own = { ...(key !== undefined && { 'x-api-key': key }), ...headers };

  /** Sends a request and discards the response. */
  function query(at: number): Promise<number> {
    const request = requests[at % requests.length];
    const body = request?.body;
    return new Promise((resolve) => {
      const leaving = leaveAfterMs === undefined ? [] : [AbortSignal.timeout(leaveAfterMs)];
      const sent = httpRequest(
        {
          ...{ hostname, port, agent, path: request?.path, method: body === undefined ? 'GET' : 'POST' },
          headers: { ...own, ...(body !== undefined && { 'content-type': 'application/json' }) },
          signal: AbortSignal.any([stopping.signal, ...leaving]),
        },
        (response) => {
          response.resume().on('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0));
        },
      );
      sent.on('error', () => resolve(0));
      sent.end(body);
    });
  }

  async function one(number: number): Promise<void> {
    for (let at = number; !isOver; at += connections) {
      counts.sent = (counts.sent ?? 0) + 1;
      const status = await query(at);
      if (!isOver) counts[status] = (counts[status] ?? 0) + 1;
      if (status >= 400) await sleep(PAUSE_MS);
    }
  }

  await Promise.all(Array.from({ length: connections }, (_, number) => one(number)));
  agent.destroy();
}
