import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '../../src/operate/publish/publish.ts';
import { hasChromium, IN_CHROMIUM, namesInApi, overflow, useSite, violations } from './support.ts';

const ROOT = join(import.meta.dirname, '../..');
const LONG = { timeout: 90_000 };
/** Two places in the same districts: in Montpelier. */
const [HERE, THERE] = [
  { latitude: 44.260123, longitude: -72.575432 },
  { latitude: 44.255987, longitude: -72.583219 },
];

describe.skipIf(!hasChromium)(`the page examples/private ${IN_CHROMIUM}`, () => {
  let folder: string;
  let vite: ViteDevServer;
  const site = useSite({
    allowed: 'http://127.0.0.1:',
    addData: async ({ db }) => {
      folder = await mkdtemp(join(tmpdir(), 'private-'));
      await publish(db, folder, { days: ['2026-09-15'] });
    },
  });
  const { browser } = site;
  beforeAll(async () => {
    const files = {
      name: 'cells',
      configureServer: ({ middlewares }: ViteDevServer) => {
        middlewares.use('/cells', async (request, response) => {
          const bytes = await readFile(join(folder, new URL(request.url ?? '', 'http://x').pathname)).catch(
            () => undefined,
          );
          response.writeHead(bytes ? 200 : 404).end(bytes);
        });
      },
    };
    vite = await createServer({
      root: join(ROOT, 'examples'),
      configFile: false,
      logLevel: 'error',
      plugins: [files],
      optimizeDeps: { noDiscovery: true },
      server: { host: '127.0.0.1', port: 0, hmr: false, watch: null, fs: { allow: [ROOT] } },
    });
    await vite.listen();
  }, 60_000);
  afterAll(async () => {
    await vite?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Opens the page, and returns what it requests: addresses, headers and bodies. */
  async function open(options?: Parameters<typeof browser.open>[0]) {
    const page = await browser.open(options);
    const requests: { address: string; text: string }[] = [];
    page.on('request', (request) => {
      const text = `${decodeURIComponent(request.url())} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`;
      requests.push({ address: request.url(), text });
    });
    const gateway = new URLSearchParams({ gateway: `${site.address}/graphql`, key: site.service.key('full') });
    await page.goto(`${vite.resolvedUrls?.local[0]}private/?${gateway}`);
    await page.locator('option[value=""] + option').waitFor({ state: 'attached' });
    return { page, requests };
  }

  async function prefetch(page: Page): Promise<void> {
    await page.locator('select').selectOption('VT');
    await page.locator('svg path').first().waitFor({ state: 'attached' });
  }

  async function find(page: Page, { latitude, longitude }: typeof HERE): Promise<void> {
    await page.locator('input').fill(`${latitude}, ${longitude}`);
    await page.locator('form button').first().click();
    await page.getByText('Becca Balint').waitFor();
  }

  const topNames = (page: Page) =>
    page.locator('section > ul > li').evaluateAll((items) => items.map((item) => item.firstChild?.textContent ?? ''));

  it('finds the districts that the gateway has, with their officeholders', LONG, async () => {
    const { page } = await open();
    await prefetch(page);
    await find(page, HERE);
    expect((await topNames(page)).sort()).toEqual((await namesInApi(site, HERE)).sort());
    expect(await page.locator('section').innerText()).toMatch(/Becca Balint \(Democratic\)/);
    expect(await page.locator('path.found').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  it('sends the point to nobody, and for every point of the same districts the same requests', LONG, async () => {
    const logs: string[][] = [];
    for (const point of [HERE, THERE]) {
      const { page, requests } = await open();
      await prefetch(page);
      const before = requests.length;
      await find(page, point);
      for (const { text } of requests)
        for (const number of [point.latitude, -point.longitude]) expect(text).not.toContain(String(number).slice(0, 5));
      const after = requests.slice(before).map(({ address }) => address);
      // No file is requested once the point is known; the gateway is asked once, for ids.
      expect(after.filter((address) => !address.startsWith(site.address))).toEqual([]);
      expect(after.length).toBeGreaterThan(0);
      logs.push(requests.map(({ address }) => address).sort());
    }
    expect(logs[0]).toEqual(logs[1]);
  });

  it('finds the districts of a click, and of the position of the device, without sending it either', LONG, async () => {
    const { page, requests } = await open({ geolocation: HERE, permissions: ['geolocation'] });
    await prefetch(page);
    await page.locator('[name=device]').click();
    await page.getByText('Becca Balint').waitFor();
    const names = await topNames(page);
    expect(names).toContain('Washington County');
    /** Clicks beside the point that is shown, and waits for the districts there. */
    const clickBeside = async (away: number) => {
      await page.locator('circle').scrollIntoViewIfNeeded();
      const box = await page.locator('circle').boundingBox();
      const before = await page.locator('section > ul').innerText();
      await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2 + away);
      await expect.poll(() => page.locator('section > ul').innerText(), { timeout: 10_000 }).not.toBe(before);
      await page.getByText('Becca Balint').waitFor();
    };
    await clickBeside(60);
    expect(await topNames(page)).not.toContain('Washington County');
    await clickBeside(-60);
    expect(await topNames(page)).toContain('Washington County');
    for (const { text } of requests) expect(text).not.toMatch(/44\.26|72\.57/);
  });

  it('says what is missing or wrong', LONG, async () => {
    const { page, requests } = await open();
    const alert = page.locator('[role=alert]');
    await page.locator('input').fill('44.26');
    await page.locator('form button').first().click();
    await expect.poll(() => alert.innerText()).toContain('Type a latitude and a longitude');
    await page.locator('input').fill('44.26, -72.57');
    await page.locator('form button').first().click();
    await expect.poll(() => alert.innerText()).toContain('Choose a state first');
    await prefetch(page);
    await page.locator('input').fill('144.26, -72.57');
    await page.locator('form button').first().click();
    await expect.poll(() => alert.innerText()).toContain('latitude must be a number from -90 to 90');
    const before = requests.length;
    await page.locator('input').fill('44.31, -69.78');
    await page.locator('form button').first().click();
    await expect.poll(() => alert.innerText()).toContain('this place is outside the map of the state that you chose');
    expect(requests.slice(before)).toEqual([]);
  });
});
