import { beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../../src/gateway/access/access.store.ts';
import { DEMO_KEY } from '../../../src/gateway/access/demo-key.ts';
import { examples } from '../../../src/gateway/graphql/graphiql/graphiql-examples.ts';
import { useApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { request } from '../../support/graph.ts';
import { createWorld } from '../../support/world.ts';

const database = useDatabase();
beforeAll(async () => {
  await createWorld(database.db);
  await createApiKey(database.db, 'full', { key: DEMO_KEY });
});

it.each(examples.map((example) => [example.split('\n')[0], example]))(
  'the example is valid: %s',
  async (_, example) => {
    expect((await request(database.db, example ?? '')).errors).toBeUndefined();
  },
);

const service = useApp(database, { GRAPHIQL: 'true' });

it('is a small page whose files never change under their names, and that runs no script in it', async () => {
  const page = await service.app.inject({ url: '/graphql', headers: { accept: 'text/html' } });
  expect(page.body.length).toBeLessThan(5_000);
  expect(page.body).not.toMatch(/<script>|<style|\sstyle=/);
  expect(page.headers['content-security-policy']).toContain("script-src 'self';");
  const [, start = ''] = /src="(\/graphiql\/start-[^"]+)"/.exec(page.body) ?? [];
  const { body } = await service.app.inject(start);
  const ofPage = [...page.body.matchAll(/(?:src|href)="(\/graphiql\/[^"]+)"/g)];
  const ofStart = [...body.matchAll(/"(\/graphiql\/[^"]+worker[^"]+)"/g)];
  expect([ofPage.length, ofStart.length]).toEqual([3, 3]);
  for (const [, url = ''] of [...ofPage, ...ofStart]) {
    const { statusCode, headers } = await service.app.inject(url);
    expect([url, statusCode, headers['cache-control']]).toEqual([url, 200, 'public, max-age=31536000, immutable']);
  }
  expect((await service.app.inject('/graphiql/start-000000000000.js')).statusCode).toBe(404);
});
