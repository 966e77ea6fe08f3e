import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/access/access.store.ts';
import { DEMO_KEY } from '../../src/access/demo-key.ts';
import { examples } from '../../src/graphql/graphiql.ts';
import { useApp } from '../support/app.ts';
import { ask } from '../support/graph.ts';
import { useStore } from '../support/store.ts';
import { createWorld } from '../support/world.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const store = useStore();
beforeAll(async () => {
  await createWorld(store.db);
  await createApiKey(store.db, 'full', DEMO_KEY);
});
const service = useApp(store, {}, 'embedded');

it.each(examples.map((example) => [example.split('\n')[0], example]))(
  'the example runs as it is: %s',
  async (_, example) => {
    expect((await ask(store.db, example ?? '')).errors).toBeUndefined();
  },
);

it('is served without a key, but only to browsers', async () => {
  const page = await service.app.inject({ url: '/graphql', headers: { accept: 'text/html,*/*' } });
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect((await service.app.inject({ url: '/graphql', headers: { accept: '*/*' } })).statusCode).toBe(401);
});

describe.skipIf(!existsSync(CHROMIUM))(`in Chromium (${CHROMIUM}, or where CHROMIUM says)`, () => {
  let browser: Browser;
  let page: Page;
  const elsewhere: string[] = [];
  let address: string;

  beforeAll(async () => {
    address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ];
    browser = await chromium.launch({ executablePath: CHROMIUM, args });
    page = await browser.newPage();
    await page.route('**/*', (route) => {
      const url = route.request().url();
      if (url.startsWith(address) || /^(blob|data):/.test(url)) return route.continue();
      elsewhere.push(url);
      return route.abort();
    });
  });
  afterAll(() => browser?.close());

  it('opens, runs the first example with the demo key, and shows the answer', async () => {
    await page.goto(`${address}/graphql`);
    await page.getByText('WhoRepresentsMe').first().waitFor();
    const answered = page.waitForResponse(async (response) => {
      const sent = response.request().postData() ?? '';
      return response.url() === `${address}/graphql` && sent.includes('WhoRepresentsMe') && !sent.includes('__schema');
    });
    await page.locator('button[aria-label^="Execute query"]').click();
    const response = await answered;
    expect(response.status()).toBe(200);
    expect(await response.json()).toMatchObject({ data: { location: { districts: expect.any(Array) } } });
    await page.locator('.graphiql-response', { hasText: '"location"' }).waitFor();
  });

  it('has a tab for each example', async () => {
    expect(await page.getByRole('tab').count()).toBe(examples.length);
  });

  it('asks nothing of any other host', () => {
    expect(elsewhere).toEqual([]);
  });
});
