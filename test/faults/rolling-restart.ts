import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { argument, type FaultGateway, keyOf, report, startGateway } from './support/gateway.ts';
import { startPostgres } from './support/postgres.ts';

// Two gateways behind haproxy are ended by SIGTERM in turn and started again, ten times, under 32 clients.

const restarts = argument('restarts', 10);
const CLIENTS = 32;
const base = 20_000 + Math.floor(Math.random() * 20_000);
const ports = [base, base + 1];
const front = base + 2;

const postgres = await startPostgres();
const key = await keyOf(postgres.url, 'full');
const environment = { DATABASE_URL: postgres.url, POOL_SIZE: '8', MAX_IN_FLIGHT_PER_KEY: '64' };
const start = (port: number) => startGateway({ ...environment, PORT: String(port) });
const gateways: FaultGateway[] = await Promise.all(ports.map(start));

const folder = await mkdtemp(join(tmpdir(), 'faults-'));
const config = join(folder, 'haproxy.cfg');
await writeFile(
  config,
  `defaults
  mode http
  timeout connect 2s
  timeout check 5s
  timeout client 30s
  timeout server 30s
  option redispatch
  retries 3
frontend front
  bind 127.0.0.1:${front}
  default_backend gateways
backend gateways
  balance roundrobin
  option httpchk GET /ready
${ports.map((port) => `  server g${port} 127.0.0.1:${port} check inter 100ms fall 1 rise 1`).join('\n')}
`,
);
const haproxy = spawn('haproxy', ['-f', config, '-db'], {
  stdio: ['ignore', 'ignore', process.env.DEBUG ? 'inherit' : 'ignore'],
});
await sleep(1_000);

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
const body = JSON.stringify({ query: '{ location(latitude: 42, longitude: -98) { districts { id name } } }' });
const ask = () =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': body.length };
    const sent = request({ port: front, path: '/graphql', method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
const right = (await ask()).text;

const counts = { answered: 0, wrong: 0, failed: 0, inFlightAtSignal: 0, restarts: 0 };
const failures = new Map<string, number>();
let inFlight = 0;
let isOver = false;

async function client(): Promise<void> {
  while (!isOver) {
    inFlight++;
    try {
      const { status, text } = await ask();
      if (status === 200 && text === right) counts.answered++;
      else if (status === 200) counts.wrong++;
      else throw new Error(`status ${status}: ${text.slice(0, 120)}`);
    } catch (error) {
      counts.failed++;
      const reason = error instanceof Error ? error.message : '';
      failures.set(reason, (failures.get(reason) ?? 0) + 1);
    }
    inFlight--;
  }
}

const clients = Array.from({ length: CLIENTS }, client);
const exitCodes: (number | null)[] = [];
for (; counts.restarts < restarts; counts.restarts++) {
  await sleep(1_000);
  const which = counts.restarts % 2;
  counts.inFlightAtSignal += inFlight;
  exitCodes.push((await gateways[which]?.stop()) ?? null);
  gateways[which] = await start(ports[which] ?? 0);
}
await sleep(1_000);
isOver = true;
await Promise.all(clients);
await Promise.all(gateways.map((gateway) => gateway.stop()));
haproxy.kill();
agent.destroy();
await rm(folder, { recursive: true });
await postgres.remove();
report(
  'SIGTERM of two gateways in turn behind haproxy',
  { ...counts, exitCodes, failures: Object.fromEntries(failures) },
  {
    'requests were in flight': counts.inFlightAtSignal > 0,
    'no failed request': counts.failed + counts.wrong === 0,
    'each ended in order': exitCodes.every((code) => code === 0),
  },
);
