import { describe, expect, it } from 'vitest';
import { DEMO_KEY } from '../../src/gateway/access/demo-key.ts';
import { hasChromium, IN_CHROMIUM, overflow, useSite, violations } from './support.ts';

const LONG = { timeout: 60_000 };
const PAGES = [
  '/docs',
  '/docs/data/districts/point',
  '/docs/getQueryResults',
  '/docs/graphql',
  '/docs/errors',
  '/docs/scaling',
];

describe.skipIf(!hasChromium)(`the docs ${IN_CHROMIUM}`, () => {
  const site = useSite();
  const { service, browser } = site;

  it('send a request with the demo key and show its status and time', LONG, async () => {
    const page = await browser.open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${site.address}/docs/data/districts/point`);
    expect(await page.locator('#key').inputValue()).toBe(DEMO_KEY);
    await page.locator('[name=lat]').fill('44.3106');
    await page.locator('[name=long]').fill('-69.7795');
    expect(await page.locator('#curl').innerText()).toContain(
      `${site.address}/data/districts/point?lat=44.3106&long=-69.7795'`,
    );
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.url().includes('/data/')),
      page.getByRole('button', { name: 'Send request' }).click(),
    ]);
    expect([request.method(), request.url(), await request.headerValue('x-api-key')]).toEqual([
      'GET',
      `${site.address}/data/districts/point?lat=44.3106&long=-69.7795`,
      DEMO_KEY,
    ]);
    await page.locator('#outcome').getByText('200').waitFor();
    expect(await page.locator('#outcome').innerText()).toMatch(/^200 application\/json, \d+ ms$/);
    const response = JSON.parse(await page.locator('#response').innerText());
    expect(response.data.map(({ name }: { name: string }) => name)).toContain('Maine');
    expect(page.url()).toBe(`${site.address}/docs/data/districts/point`);
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  });

  it('show errors of a request, send a body by POST, and keep another key for the tab', LONG, async () => {
    const page = await browser.open();
    await page.goto(`${site.address}/docs/data/districts/point`);
    await page.locator('[name=lat]').fill('100');
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.locator('#outcome').getByText('400').waitFor();
    expect(await page.locator('#response').innerText()).toContain('"success": false');

    const key = service.key('lookup');
    await page.goto(`${site.address}/docs/getQueryResults`);
    await page.locator('#key').fill(key);
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.url().endsWith('/getQueryResults') && each.method() === 'POST'),
      page.getByRole('button', { name: 'Send request' }).click(),
    ]);
    expect(request.postDataJSON()).toEqual({ id: 'upcoming-elections', format: 'csv' });
    await page.locator('#outcome').getByText('403').waitFor();
    await page.goto(`${site.address}/docs/data/officeholders`);
    expect(await page.locator('#key').inputValue()).toBe(key);
    // The browser reports statuses of errors on the console.
    const statuses = browser.complaints.splice(0);
    expect(statuses.filter((each) => !/status of 40[03]/.test(each))).toEqual([]);
    expect(statuses).toHaveLength(2);
  });

  it('say of a required field that it is empty, and send nothing', LONG, async () => {
    const page = await browser.open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${site.address}/docs/data/districts/point`);
    await page.locator('[name=lat]').fill('');
    await page.getByRole('button', { name: 'Send request' }).click();
    expect(await page.locator('[name=lat]').evaluate((field: HTMLInputElement) => field.validationMessage)).not.toBe(
      '',
    );
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('lat');
    expect(await page.locator('#outcome').innerText()).toContain('in the sample');
  });

  it('show the status of a request where the eye is', LONG, async () => {
    const page = await browser.open({ viewport: { width: 1440, height: 700 } });
    await page.goto(`${site.address}/docs/data/districts/point`);
    await page.locator('[name=lat]').fill('x');
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.locator('#outcome').getByText('400').waitFor();
    const isInView = async () => {
      const box = await page.locator('#outcome').boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 700;
    };
    await expect.poll(isInView).toBe(true);
    browser.complaints.splice(0);
  });

  it('are searched by all words, in headings first, on this host alone', LONG, async () => {
    const page = await browser.open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${site.address}/docs`);
    const field = page.getByLabel('Search the docs');
    await field.fill('rate limits');
    await page.locator('#docs-status', { hasText: /parts? of the docs:/ }).waitFor();
    const results = page.locator('#docs-results a');
    expect(await results.first().innerText()).toContain('Limits');
    expect(await violations(page)).toEqual([]);
    await field.fill('zzqq');
    await page.getByText('No part of the docs has all of these words.').waitFor();
    expect(await results.count()).toBe(0);
    await field.fill('zcta');
    await results.first().waitFor();
    await field.press('Enter');
    await page.waitForURL(/\/docs\/sources/);
  });

  it('change the theme, and keep it', LONG, async () => {
    const page = await browser.open({ colorScheme: 'light' });
    await page.goto(`${site.address}/docs/errors`);
    const colour = () => page.evaluate(() => getComputedStyle(document.body).color);
    const light = await colour();
    const button = page.getByRole('button', { name: 'Light or dark' });
    await button.click();
    expect(await colour()).toBe(light);
    await button.click();
    const dark = await colour();
    expect(dark).not.toBe(light);
    await page.goto(`${site.address}/docs/graphql`);
    expect(await colour()).toBe(dark);
  });

  it('copy the request as curl', LONG, async () => {
    const page = await browser.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${site.address}/docs/data/geocode`);
    await page.locator('[name=text]').fill("Hell's Gate & more");
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`-H 'x-api-key: ${DEMO_KEY}'`);
    expect(copied).toContain(`text=Hell%27s+Gate+%26+more`);
  });

  it.each(PAGES)('%s can be read without JavaScript', LONG, async (path) => {
    const page = await browser.open({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    await page.goto(site.address + path);
    expect(await page.locator('h1').isVisible()).toBe(true);
    expect(await page.locator('#try').count()).toBe(path.includes('data') || path.includes('get') ? 1 : 0);
    for (const form of await page.locator('#try').all()) expect(await form.isVisible()).toBe(false);
    await page.locator('summary').click();
    expect(await page.locator('details').getByRole('link', { name: 'Errors', exact: true }).isVisible()).toBe(true);
  });

  describe.each(PAGES)('%s', (path) => {
    it('has no violations of axe-core in light and dark colors, wide and narrow', LONG, async () => {
      const page = await browser.open({ viewport: { width: 1440, height: 900 } });
      await page.goto(site.address + path);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await violations(page), `${colorScheme}, ${width} pixels`).toEqual([]);
        }
      }
    });

    it('is not wider than 320 pixels', LONG, async () => {
      const page = await browser.open({ viewport: { width: 320, height: 800 }, isMobile: true });
      await page.goto(site.address + path);
      expect(await page.evaluate(() => window.innerWidth)).toBe(320);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    });
  });
});
