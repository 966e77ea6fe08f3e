import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_KEY } from '../../src/gateway/access/demo-key.ts';
import { type Gateway, runCommand, startGateway } from './support/process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-start-'));
});
afterAll(() => rm(folder, { recursive: true }));

const request = async (gateway: Gateway, path: string) =>
  (await fetch(`${gateway.url}${path}`, { headers: { 'x-api-key': DEMO_KEY } })).json();
const MONTPELIER = 'lat=44.26&long=-72.57';

async function stop(gateway: Gateway): Promise<void> {
  gateway.child.kill('SIGTERM');
  expect((await gateway.ended).code).toBe(0);
}

it('of an embedded database: from an empty folder to a correct response; the second one loads nothing', async () => {
  const environment = { DATA_DIR: join(folder, 'data'), TODAY: '2026-07-01' };
  const first = await startGateway(environment);
  expect(first.output.stderr).toContain(DEMO_KEY);
  const districts = await request(first, `/data/districts/point?${MONTPELIER}`);
  expect(
    districts.data.map((district: { type: string; name: string }) => `${district.type}: ${district.name}`),
  ).toEqual([
    'Country: United States',
    expect.stringMatching(/^Congress: /),
    'State: Vermont',
    'County: Washington County',
    'County subdivision: Montpelier',
  ]);
  const officeholders = JSON.stringify(await request(first, `/data/officeholders?${MONTPELIER}`));
  for (const name of ['Sanders', 'Welch', 'Balint']) expect(officeholders).toContain(name);

  // A command uses the database of the running gateway.
  const keys = await runCommand(['keys', 'list'], environment);
  expect(keys.stdout.match(/bg_demo0000 .*active/g)).toHaveLength(1);
  const second = await runCommand(['migrate'], environment);
  expect(second.code).toBe(0);
  await stop(first);

  const again = await startGateway(environment);
  expect(again.output.stderr).not.toMatch(/Loading|Preparing|First start/);
  expect(await request(again, `/data/districts/point?${MONTPELIER}`)).toEqual(districts);
  await stop(again);
}, 240_000);

it('rejects a data folder that another gateway has open, in one line', async () => {
  const environment = { DATA_DIR: join(folder, 'data') };
  const owner = await startGateway(environment);
  await expect(startGateway(environment)).rejects.toThrow(/The embedded database is open in process/);
  await stop(owner);
}, 120_000);
