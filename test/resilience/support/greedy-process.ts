import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
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
    ended = message.pipelined || message.idle ? startSockets(message) : start(message);
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

/** Writes many requests at once on each connection, and reads the responses; or one request, and stays connected. */
async function startSockets({ url, key, headers, requests, connections, pipelined = 1, idle, from }: GreedyRun) {
  const { hostname, port } = new URL(url);
  const own = { host: hostname, ...(key !== undefined && { 'x-api-key': key }), ...headers };
  const head = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);

  function connection(number: number): Promise<void> {
    const lines = Array.from({ length: pipelined }, (_, n) => {
      const { path } = requests[(number + n) % requests.length] ?? { path: '/' };
      return `GET ${path} HTTP/1.1\r\n${head.join('')}\r\n`;
    });
    counts.sent = (counts.sent ?? 0) + pipelined;
    return new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: from }, () =>
        socket.write(lines.join('')),
      );
      let answered = 0;
      let rest = '';
      socket.setEncoding('latin1').on('data', (text: string) => {
        rest += text;
        const found = [...rest.matchAll(/HTTP\/1\.1 (\d{3}) /g)];
        for (const [, status = ''] of found) counts[status] = (counts[status] ?? 0) + (isOver ? 0 : 1);
        answered += found.length;
        // The beginning of a status line may be at the end.
        rest = rest.slice(found.length > 0 ? (found.at(-1)?.index ?? 0) + 13 : Math.max(0, rest.length - 13));
        if (answered >= pipelined && !idle) socket.destroy();
      });
      socket.on('error', () => undefined).on('close', () => resolve());
      stopping.signal.addEventListener('abort', () => socket.destroy());
    });
  }

  async function one(number: number): Promise<void> {
    // A short pause: the gateway may close connections at once.
    for (; !isOver; await sleep(5)) await connection(number);
  }

  await Promise.all(Array.from({ length: connections }, (_, number) => one(number)));
}
