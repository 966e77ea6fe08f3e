import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { clickPoint, sharesOf, spreadPoint } from './click.ts';
import {
  districtNames,
  hasChromium,
  IN_CHROMIUM,
  namesInApi,
  overflow,
  SMALL_WINDOW,
  useSite,
  violations,
} from './support.ts';

const LONG = { timeout: 120_000 };
/** Points of the sample in several states, among them one with a ranked-choice count. */
const AUGUSTA = { latitude: 44.3106, longitude: -69.7795 };
const JUNEAU = { latitude: 58.3019, longitude: -134.4197 };
const SEA = { latitude: 38, longitude: -60 };
/** More points are clicked with MAP_POINTS, for example 200. */
const POINTS = Number(process.env.MAP_POINTS ?? 12);

describe.skipIf(!hasChromium)(`the map page ${IN_CHROMIUM}`, () => {
  const site = useSite({ environment: { GRAPHIQL: 'true' } });
  const { service, browser } = site;

  /** Opens the page with a point and waits for its ballot. */
  async function openPlace(page: Page, { latitude, longitude }: typeof AUGUSTA, more = ''): Promise<void> {
    await page.goto(`${site.address}/#at=${latitude},${longitude}${more}`);
    await page.locator('#ballot h2').waitFor();
  }

  it('finds the districts of a click on the map', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await page.goto(site.address);
    const wyoming = await page.locator('#states text[data-abbr="WY"]').boundingBox();
    if (!wyoming) throw new Error('no label');
    await page.mouse.click(wyoming.x + wyoming.width / 2, wyoming.y + wyoming.height / 2);
    await page.locator('.ladder').waitFor();
    expect(await districtNames(page)).toEqual(expect.arrayContaining(['United States', 'Wyoming']));
  });

  it('draws the map of the states and its outlines where WebGL is missing, and the area of a race', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await openPlace(page, AUGUSTA, '&ballot=2022-11-08');
    await page.getByText('The moving map cannot run in this browser.').waitFor();
    expect(await page.locator('#gl-map canvas').count()).toBe(0);
    const emphasized = page.locator('#svg-map text.hot');
    expect(await emphasized.textContent()).toBe('Maine District 2');
    await expect.poll(() => page.locator('#svg-map path.on').count()).toBe(1);
    await page.locator('.race', { hasText: 'Governor of Maine' }).hover();
    await expect.poll(() => emphasized.textContent()).toBe('Maine');
    await page.locator('#people h2').hover();
    await expect.poll(() => emphasized.textContent()).toBe('Maine District 2');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('#map-notice').innerText()).toBe('');
    await page.locator('#svg-map').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).hash).not.toContain('-69.7795');
    await page.locator('.ladder').waitFor();
  });

  it('names the districts that are seen on the moving map, and others after it has moved', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    // The map takes the letters of its names from a canvas, on which they are drawn one by one.
    await page.addInitScript(() => {
      const drawn: Record<string, string> = {};
      Object.assign(window, { drawn });
      const { fillText } = OffscreenCanvasRenderingContext2D.prototype;
      OffscreenCanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        drawn[text] = this.font;
        fillText.call(this, text, ...place);
      };
    });
    await openPlace(page, AUGUSTA);
    const canvas = page.locator('#gl-map canvas');
    const named = async () =>
      (await canvas.getAttribute('aria-description'))?.replace('On the map: ', '').split(', ') ?? [];
    const wanted = ['Maine District 2', 'Kennebec County', 'Maine District 1', 'Franklin', 'Somerset'];
    await expect.poll(named, { timeout: 60_000 }).toEqual(expect.arrayContaining(wanted));
    const names = await named();
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain('Maine');
    expect(names).not.toContain('Aroostook');
    const fontOf = (letter: string) =>
      page.evaluate((text) => (window as unknown as { drawn: Record<string, string> }).drawn[text] ?? '', letter);
    for (const letter of new Set(wanted.join('').replaceAll(' ', ''))) {
      await expect.poll(() => fontOf(letter), { message: letter }).toContain('Atkinson Hyperlegible Next');
    }
    await page.getByRole('button', { name: 'Show Maine on the map', exact: true }).click();
    await expect.poll(named, { timeout: 60_000 }).toEqual(expect.arrayContaining(['Aroostook', 'Penobscot']));
  });

  it('says that it cannot find an address, and which points have no districts', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await page.goto(site.address);
    await page.locator('#q').fill('16 Cony St, Augusta ME');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText('Augusta, ME is known, but its addresses are not loaded on this server.').waitFor();
    await page.locator('#q').fill('16 Cony St, Zzyzx');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText('Neither the addresses nor the outline of this town are loaded on this server.').waitFor();
    await page.goto(`${site.address}/#at=${SEA.latitude},${SEA.longitude}`);
    await page.locator('h1', { hasText: 'No districts here' }).waitFor();
  });

  it('shows the rounds of a ranked-choice count as a flow and a table', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await openPlace(page, JUNEAU, '&ballot=2022-08-16');
    await page.locator('.rounds').waitFor();
    const rows = await page.locator('.rounds tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\n')[0])).toEqual([
      'Mary S. Peltola',
      'Sarah Palin',
      'Nicholas J. Begich III',
      expect.stringMatching(/^No further choice/),
    ]);
    expect(rows[0]).toMatch(/74,817|74,840/);
    expect(await page.locator('.flow svg').getAttribute('aria-label')).toMatch(/^Of .* votes, .* went to Peltola/);
  });

  it('keeps the camera in the fragment, and restores it', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await openPlace(page, AUGUSTA);
    await page.waitForTimeout(1_500);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/&map=\d+\.\d\/44\.\d\d\/-69\.\d\d$/);
    const { hash } = new URL(page.url());
    await page.reload();
    await page.locator('#ballot h2').waitFor();
    expect(new URL(page.url()).hash).toBe(hash);
  });

  it('says that the package has no results', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await page.addInitScript((key) => sessionStorage.setItem('ballotgraph-key', key), service.key('no-results'));
    await openPlace(page, AUGUSTA, '&ballot=2022-11-08');
    await page.getByText('Results are not included in this key.').waitFor();
    expect(await page.locator('.cand .who').allInnerTexts()).toContain('Jared F. Golden');
    expect(await page.locator('.bar').count()).toBe(0);
  });

  it('compares two days', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await openPlace(page, AUGUSTA, '&ballot=2022-11-08');
    await page.getByRole('button', { name: 'Compare two days' }).click();
    await page.locator('.same').waitFor();
    expect(await page.locator('.same tbody tr').count()).toBe((await namesInApi(site, AUGUSTA)).length);
    expect(await page.locator('.pair svg.map').count()).toBe(2);
    await page.getByRole('button', { name: /^Back to/ }).click();
    await page.locator('.ladder').waitFor();
  });

  it('draws the district of a stamp', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await openPlace(page, AUGUSTA);
    await page.locator('.stamp path').nth(2).waitFor();
    await page.getByRole('button', { name: 'Show Kennebec County on the map' }).click();
    await expect.poll(() => page.locator('.rung.on h3').allInnerTexts()).toEqual(['Kennebec County']);
    expect(new URL(page.url()).hash).toMatch(/&d=\d+$/);
  });

  it('links to GraphiQL with the query and the point in the fragment', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await openPlace(page, AUGUSTA);
    await page.locator('#people a[data-query]').click();
    await page.waitForURL(/\/graphql#query=/);
    expect(new URL(page.url()).search).not.toContain('44.3106');
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
    await expect.poll(() => page.locator('.graphiql-query-editor').innerText()).toContain('Place');
  });

  describe('on a server whose operator has made no package for it', () => {
    async function openWithoutKey(hash = ''): Promise<Page> {
      const page = await browser.open(SMALL_WINDOW);
      await page.route(`${site.address}/`, async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace(/ data-key="[^"]*"/, '');
        await route.fulfill({ response, body });
      });
      await page.goto(`${site.address}/${hash}`);
      await page.getByText('This page has not been set up.').waitFor();
      return page;
    }
    async function enterKey(page: Page, key: string): Promise<void> {
      await page.locator('#key-form input').fill(key);
      await page.getByRole('button', { name: 'Use this key' }).click();
    }

    it('says so and asks visitors for no key; one can be used all the same, and is kept in the tab', LONG, async () => {
      const page = await openWithoutKey(`#at=${AUGUSTA.latitude},${AUGUSTA.longitude}`);
      expect(await page.locator('#key-form input').isVisible()).toBe(false);
      expect(await violations(page)).toEqual([]);
      await page.getByText('Use another API key').click();
      await enterKey(page, 'bg_mistyped');
      await page.getByText('The server did not take this key.').waitFor();
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('key');
      expect(await page.locator('#map-notice').innerText()).toBe('');
      const others = browser.complaints.splice(0).filter((each) => !/status of 401/.test(each));
      expect(others).toEqual([]);
      await enterKey(page, service.key('full'));
      await page.locator('.ladder').waitFor();
      await page.locator('#gl-map canvas').waitFor();
      expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, document.cookie]))).not.toContain('bg_');
    });

    it('keeps a question that was typed, and answers it with another key', LONG, async () => {
      const page = await openWithoutKey();
      await page.locator('#q').fill('Kennebec County, ME');
      await page.keyboard.press('Enter');
      await page.getByText('This page has not been set up.').waitFor();
      expect(await page.locator('#q').inputValue()).toBe('Kennebec County, ME');
      await page.getByText('Use another API key').click();
      await enterKey(page, service.key('full'));
      await page.getByRole('heading', { level: 1, name: /Kennebec County/ }).waitFor();
    });
  });

  it('has the map of the states, and says nothing about the browser, with a key without boundaries', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await page.addInitScript((key) => sessionStorage.setItem('ballotgraph-key', key), service.key('lookup'));
    await Promise.all([page.waitForResponse((each) => each.status() === 403), page.goto(site.address)]);
    await expect.poll(() => page.locator('#gl-map').isHidden()).toBe(true);
    expect(await page.locator('#map-notice').innerText()).toBe('');
    const others = browser.complaints.splice(0).filter((each) => !/status of 403/.test(each));
    expect(others).toEqual([]);
  });

  it(`names the districts of the API at ${POINTS} points that are clicked`, {
    timeout: 20_000 + POINTS * 4_000,
  }, async () => {
    const page = await browser.open({ ...SMALL_WINDOW, reducedMotion: 'reduce' });
    await page.goto(site.address);
    await page.locator('#gl-map canvas').waitFor();
    for (let index = 0; index < POINTS; index++) {
      const point = spreadPoint(index, { west: -120, south: 30, east: -80, north: 47 });
      const { at, names, pixelsOff } = await clickPoint(page, point, sharesOf(index));
      expect(pixelsOff).toBeLessThan(1);
      expect(names).toEqual(await namesInApi(site, at));
    }
  });

  it('is used by keyboard: skip link, sections, stamps and Escape', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await page.goto(site.address);
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        const style = element && getComputedStyle(element);
        return {
          name: element?.getAttribute('aria-label') ?? element?.textContent?.trim().slice(0, 40) ?? '',
          inList: element?.closest('.read') !== null,
          // The parts of a date field have rings of their own.
          hasRing: style?.outlineStyle !== 'none' || element?.closest('.field, input[type="date"]') !== null,
        };
      });
    await page.keyboard.press('Tab');
    expect((await focused()).name).toBe('Skip to the answer');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('answer');
    await openPlace(page, AUGUSTA);
    await page.locator('.race').first().waitFor();
    await page.locator('.top nav a').last().focus();
    const stops: Awaited<ReturnType<typeof focused>>[] = [];
    for (let press = 0; press < 150; press++) {
      await page.keyboard.press('Tab');
      const stop = await focused();
      if (stop.inList) stops.push(stop);
      else if (stops.length > 0) break;
    }
    expect(stops.filter(({ hasRing }) => !hasRing)).toEqual([]);
    const names = stops.map(({ name }) => name);
    const order = ['Find', 'Today', 'Who represents you', 'Show United States on the map', 'Show Maine on the map'];
    const places = order.map((name) => names.indexOf(name));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(names.indexOf('Print this ballot')).toBeGreaterThan(places.at(-1) ?? 0);
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
    await page.keyboard.press('Escape');
    expect(await page.locator('#q').inputValue()).toBe('');
  });

  describe.each(['light', 'dark'] as const)('in %s colors', (colorScheme) => {
    const viewport = (width: number) => ({ width, height: 900 });
    it.each([
      [1440, 768],
      [390, 320],
    ])('has no violations of axe-core, %d and %d pixels wide', LONG, async (...widths) => {
      const page = await browser.open({ viewport: viewport(widths[0]), colorScheme, isMobile: widths[0] < 500 });
      const check = async () => {
        for (const width of widths) {
          await page.setViewportSize(viewport(width));
          expect(await violations(page), `${width} pixels`).toEqual([]);
          expect(await overflow(page), `${width} pixels`).toBeLessThanOrEqual(0);
        }
      };
      await page.goto(site.address);
      await page.waitForTimeout(500);
      await check();
      await openPlace(page, JUNEAU, '&ballot=2022-08-16');
      await page.locator('.rounds').waitFor();
      await check();
      await page.goto(`${site.address}/#at=44.3106,-69.7795&on=2026-01-01&vs=2026-09-15`);
      await page.locator('.same').waitFor();
      await check();
    });
  });
});
