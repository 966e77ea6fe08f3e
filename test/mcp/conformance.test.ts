import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createWorld } from '../support/world.ts';

const CONFORMANCE = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
/**
 * The scenarios that apply. The others call tools, prompts and resources of a reference server by name, or test
 * sessions, sampling, elicitation and logging, which this server does not have; `dns-rebinding-protection` is meant for
 * servers without authentication.
 */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'tools-call-error', 'resources-list'];

const database = useDatabase();
beforeAll(() => createWorld(database.db));
const service = useApp(database);

/** The conformance client cannot send an API key, so this proxy adds it. */
const proxy = createServer((incoming, outgoing) => {
  const { method, headers } = incoming;
  const withKey = { method, headers: { ...headers, 'x-api-key': service.key('full') } };
  incoming.pipe(
    request(new URL('/mcp', service.app.listeningOrigin), withKey, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    }),
  );
});
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await rm(folder, { recursive: true });
});

it.each(SCENARIOS)('conforms to the scenario %s', async (scenario) => {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  const args = [CONFORMANCE, 'server', '--url', url, '--scenario', scenario, '--output-dir', folder];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/);
});
