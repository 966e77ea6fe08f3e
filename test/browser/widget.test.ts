import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readPageDocuments } from '../../src/pages/documents.ts';
import { loadSample } from '../../src/start/sample.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { knowDocuments } from '../support/responses/check.ts';
import { hasChromium, IN_CHROMIUM, overflow, PATIENT, useBrowser } from './support.ts';

const LONG = { timeout: 60_000 };
const AXE = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

knowDocuments([...readPageDocuments().values()].map(({ text }) => text));

describe.skipIf(!hasChromium)(`the widget ${IN_CHROMIUM}`, () => {
  const database = useDatabase();
  beforeAll(async () => {
    await loadSample(database.db);
  }, 300_000);
  const service = useApp(database, { ...PATIENT, TODAY: '2026-09-15' }, 'embedded');
  let address: string;
  let host: Server;
  let site: string;
  beforeAll(async () => {
    address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    host = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(`<!doctype html><html lang="en"><title>Site</title><main>
        <script src="${address}/web/ballot-lookup.js"></script>
        <ballot-lookup endpoint="${address}" key="${service.key('full')}" levels="federal" theme="dark"></ballot-lookup></main>`);
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    site = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });
  afterAll(() => host?.close());
  const browser = useBrowser(() => 'http://127.0.0.1:');
  afterEach(() => {
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  async function find(page: Page, text: string): Promise<void> {
    await page.locator('ballot-lookup input').fill(text);
    await page.locator('ballot-lookup input').press('Enter');
  }

  it('shows officeholders, the next election and the ballot on its own page', LONG, async () => {
    const page = await browser.open({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${address}/widget`);
    await find(page, '44.3106, -69.7795');
    await page.locator('ballot-lookup .holder').first().waitFor();
    const text = await page.locator('ballot-lookup .widget').innerText();
    expect(text).toContain('Susan M. Collins');
    expect(text).toContain('Tuesday, November 3, 2026');
    expect(text).toContain('Ballot of November 8, 2022');
    expect(await page.locator('ballot-lookup .votes').first().innerText()).toMatch(/votes/);
    expect(await page.locator('ballot-lookup #page').getAttribute('href')).toMatch(/^\/#at=44\.3106,-69\.7795/);
    await page.evaluate(AXE);
    const violations = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } };
      return (await axe.run()).violations.map(({ id }) => id);
    });
    expect(violations).toEqual([]);
  });

  it('works in a page of another origin, without cookies and storage, in 280 pixels', LONG, async () => {
    const page = await browser.open({ viewport: { width: 300, height: 700 } });
    await page.goto(site);
    await find(page, '44.3106, -69.7795');
    await page.locator('ballot-lookup .holder').first().waitFor();
    const text = await page.locator('ballot-lookup .widget').innerText();
    expect(text).toContain('Susan M. Collins');
    expect(text).not.toContain('Janet Mills');
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual([
      '',
      0,
      0,
    ]);
  });

  it('says that it finds nothing at sea, and no such place', LONG, async () => {
    const page = await browser.open();
    await page.goto(`${address}/widget`);
    await find(page, '38, -60');
    await page.getByText('No districts here.').waitFor();
    await find(page, 'zzzz qqqq');
    await page.getByText('Street addresses are not loaded on this server.').waitFor();
  });
});
