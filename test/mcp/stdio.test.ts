import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { createApiKey } from '../../src/access/access.store.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { POINTS } from '../support/world.ts';
import { call } from './client.ts';

const PROGRAM = join(import.meta.dirname, '../../src/mcp-stdio.ts');

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
  expect((await client.listTools()).tools).toHaveLength(7);
  const { structured } = await call(client, 'who_represents', { ...POINTS.southWest, districtTypes: ['STATE'] });
  expect(structured?.districts).toMatchObject([{ type: 'STATE', name: 'Alpha' }]);
});

it('reports the problem with the key', async () => {
  await expect(start('bg_wrong')).rejects.toThrow(/active API key/);
});
