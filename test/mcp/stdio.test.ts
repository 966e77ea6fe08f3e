import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createApiKey, setPackage } from '../../src/gateway/access/access.store.ts';
import { setRateLimits } from '../../src/gateway/access/rate-limits.store.ts';
import { TOOLS } from '../../src/gateway/mcp/server.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { POINTS } from '../support/world.ts';
import { call } from './client.ts';

const PROGRAM = join(import.meta.dirname, '../../src/mcp-stdio.ts');

// Each test starts a process, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const database = useDatabase();
beforeAll(() => createElectionWorld(database.db));

/** Starts the program as an MCP client does; on the embedded database, next to the process that has it open. */
async function start(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  const env = { PATH: process.env.PATH ?? '', LOG_LEVEL: 'silent', ...database.environment, MCP_API_KEY: key };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM], env, stderr: 'ignore' }));
  return client;
}

it('responds on standard output like /mcp', async () => {
  const client = await start(await createApiKey(database.db, 'full'));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(TOOLS.map(({ name }) => name));
  const { structured } = await call(client, 'who_represents', { ...POINTS.southWest, districtTypes: ['STATE'] });
  expect(structured?.districts).toMatchObject([{ type: 'STATE', name: 'Alpha' }]);
});

it('reports the problem with the key', async () => {
  await expect(start('bg_wrong')).rejects.toThrow(/active API key/);
});

/** Starts the program, and returns functions to write lines to it and to read the messages that it responds with. */
async function startRaw(key: string, environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH ?? '', ...database.environment, MCP_API_KEY: key, ...environment };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill());
  child.stdin.on('error', () => undefined);
  const messages: Message[] = [];
  let log = '';
  createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line) as Message));
  child.stderr.on('data', (data) => {
    log += String(data);
  });
  return {
    messages,
    log: () => log,
    write: (...lines: string[]) => child.stdin.write(lines.map((line) => `${line}\n`).join('')),
    received: (count: number) => expect.poll(() => messages.length, { timeout: 100_000 }).toBe(count),
  };
}

interface Message {
  readonly id: number | null;
  readonly result?: { readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

const request = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const callOf = (id: number) =>
  request(id, 'tools/call', { name: 'run_graphql', arguments: { query: '{ __typename }' } });

it('lets the calls of its only user wait, and rejects none, even behind a line of 5 MB', async () => {
  const program = await startRaw(await createApiKey(database.db, 'full'), { MAX_IN_FLIGHT_PER_KEY: '2' });
  program.write(request(0, 'ping', { padding: 'x'.repeat(5_000_000) }));
  program.write(...Array.from({ length: 40 }, (_, index) => callOf(index + 1)), request(41, 'ping'));
  await program.received(42);
  const failed = program.messages.filter(({ error, result }) => error || result?.isError);
  // Too large for a message, as over HTTP.
  expect(failed).toMatchObject([{ id: 0 }]);
  const lines = program
    .log()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'));
  expect(lines.length).toBeGreaterThanOrEqual(42);
  expect(program.log()).not.toContain('"aborted"');
  expect(program.log()).not.toContain('"level":"error"');
});

it('counts neither ping nor initialize', async () => {
  await setPackage(database.db, { name: 'one-a-day', grants: ['districts'] });
  await setRateLimits(database.db, 'one-a-day', { perDay: 1 });
  const program = await startRaw(await createApiKey(database.db, 'one-a-day'));
  const clientInfo = { name: 'test', version: '1' };
  program.write(request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }));
  program.write(request(2, 'ping'), request(3, 'ping'));
  await program.received(3);
  program.write(callOf(4));
  await program.received(4);
  expect(program.messages.filter(({ error }) => error)).toEqual([]);
  program.write(callOf(5));
  await program.received(5);
  expect(program.messages.at(-1)).toMatchObject({ id: 5, error: { message: expect.stringMatching(/Limit Exceeded/) } });
});

it('responds to every line that is no message', async () => {
  const program = await startRaw(await createApiKey(database.db, 'full'));
  program.write(
    'no JSON',
    `[${request(2, 'ping')},${request(3, 'ping')}]`,
    '{"hello":"world"}',
    '5',
    request(4, 'ping'),
  );
  await program.received(5);
  const codes = program.messages.map(({ id, error }) => [id, error?.code]);
  expect(codes).toEqual(
    expect.arrayContaining([
      [null, -32_700],
      [null, -32_600],
      [null, -32_600],
      [null, -32_600],
      [4, undefined],
    ]),
  );
  expect(codes.filter(([, code]) => code === -32_600)).toHaveLength(3);
});
