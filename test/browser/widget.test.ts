import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeResponses, hasChromium, IN_CHROMIUM, overflow, useSite, violations } from './support.ts';

const LONG = { timeout: 60_000 };

describe.skipIf(!hasChromium)(`the widget ${IN_CHROMIUM}`, () => {
  const site = useSite({ allowed: 'http://127.0.0.1:' });
  const { browser } = site;
  let host: Server;
  let hostAddress: string;
  beforeAll(async () => {
    host = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(`<!doctype html><html lang="en"><title>Site</title><main>
        <script src="${site.address}/web/ballot-lookup.js"></script>
        <ballot-lookup endpoint="${site.address}" key="${site.service.key('full')}" levels="federal" theme="dark"></ballot-lookup></main>`);
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    hostAddress = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });
  afterAll(() => host?.close());

  async function find(page: Page, text: string): Promise<void> {
    await page.locator('ballot-lookup input').fill(text);
    await page.locator('ballot-lookup input').press('Enter');
  }

  it('shows officeholders, the next election and the ballot on its own page', LONG, async () => {
    const page = await browser.open({ viewport: { width: 1280, height: 900 } });
    await page.clock.setFixedTime('2026-09-15T12:00:00Z');
    await page.goto(`${site.address}/widget`);
    await find(page, '44.3106, -69.7795');
    await page.locator('ballot-lookup .holder').first().waitFor();
    const text = await page.locator('ballot-lookup .widget').innerText();
    expect(text).toContain('Susan M. Collins');
    expect(text).toMatch(/Tuesday, November 3, 2026\s+General election in Maine, in 49 days/);
    expect(text).toContain('As of June 15, 2026');
    expect(text).toContain('Ballot of November 8, 2022');
    expect(await page.locator('ballot-lookup .votes').first().innerText()).toMatch(/votes/);
    expect(await page.locator('ballot-lookup #page').getAttribute('href')).toMatch(/^\/#at=44\.3106,-69\.7795/);
    expect(await violations(page)).toEqual([]);
  });

  it('says with `since` when the address moved to another district, and what is not known', LONG, async () => {
    const page = await browser.open();
    await changeResponses(site, page, 'WidgetChanges', ({ location }: { location: { changes: object[] } }) => {
      const side = (name: string) => [{ district: { name } }];
      const move = {
        kind: 'MOVED',
        day: '2023-01-03',
        left: side('Maine District 7'),
        entered: side('Maine District 2'),
      };
      const changes = [{ ...move, firstRace: { election: { date: '2022-11-08' } } }];
      location.changes = [
        { type: 'CONGRESS', isCovered: true, changes },
        { type: 'COUNTY', isCovered: false, changes: [] },
        {
          type: 'CITY_TOWN',
          isCovered: false,
          changes: [{ kind: 'ENTERED', day: '2024-07-01', left: [], entered: side('Augusta'), firstRace: null }],
        },
      ];
    });
    await page.goto(`${site.address}/widget`);
    await page.locator('ballot-lookup').evaluate((widget) => widget.setAttribute('since', '2022-06-01'));
    await find(page, '44.3106, -69.7795');
    await page.locator('ballot-lookup .holder').first().waitFor();
    const text = (await page.locator('ballot-lookup .widget').innerText()).replace(/\s+/g, ' ');
    expect(text).toContain(
      'Districts since June 1, 2022 On January 3, 2023 this point moved from Maine District 7 to Maine District 2; the election of November 8, 2022 was already held in Maine District 2. From July 1, 2024 this point is in Augusta. Not known for the whole time: County.',
    );
    expect(await violations(page)).toEqual([]);
  });

  it('says with `since` what the data have, if no move is known', LONG, async () => {
    const page = await browser.open();
    await page.goto(`${site.address}/widget`);
    await page.locator('ballot-lookup').evaluate((widget) => widget.setAttribute('since', '2026-01-01'));
    await find(page, '44.3106, -69.7795');
    await page.locator('ballot-lookup .holder').first().waitFor();
    expect(await page.locator('ballot-lookup .widget').innerText()).toContain(
      'No move to another district is known here.',
    );
  });

  it.each([
    ['2026-11-03', ['2026-11-03'], /Tuesday, November 3, 2026\s+General election in Maine, today/],
    ['2026-11-25', ['2028-11-07'], /Tuesday, November 7, 2028\s+General election in Maine, in 713 days/],
    ['2030-01-01', [], /No coming election here is in the data\./],
  ])('counts the days until the next election from the day of the place: %s', LONG, async (today, dates, sentence) => {
    const page = await browser.open();
    await changeResponses(site, page, 'WidgetPlace', ({ location }: { location: { nextElections: object } }) => {
      const elections = dates.map((date) => ({ date, name: 'General election in Maine' }));
      location.nextElections = { today, elections };
    });
    await page.goto(`${site.address}/widget`);
    await find(page, '44.3106, -69.7795');
    await page.locator('ballot-lookup .holder').first().waitFor();
    expect(await page.locator('ballot-lookup .widget').innerText()).toMatch(sentence);
  });

  it('answers an area by all its districts, and asks which place is meant', LONG, async () => {
    const page = await browser.open();
    await page.goto(`${site.address}/widget`);
    await find(page, 'Maine');
    await page.getByText('Maine lies in 2 U.S. House districts.').waitFor();
    const text = await page.locator('ballot-lookup .widget').innerText();
    for (const name of ['Jared F. Golden', 'Chellie Pingree', 'Susan M. Collins']) expect(text).toContain(name);
    expect(await page.locator('ballot-lookup #page').getAttribute('href')).toMatch(/^\/#area=\d+&name=Maine$/);
    expect(await violations(page)).toEqual([]);
    await find(page, 'Washington County');
    await page.getByText('Several places match “Washington County”. Choose one.').waitFor();
    expect(await page.locator('ballot-lookup .holder').count()).toBe(0);
    expect(text).toContain('Choose your place on the map of the full page to see which one is yours.');
    expect(text).not.toContain('street address');
    expect(await page.locator('ballot-lookup input').getAttribute('placeholder')).toBe(
      'Town, ZIP code, county or state',
    );
  });

  it.each([
    ['05602', 'is known only by a point on the map, so its districts are not known.'],
    ['Augusta, ME', 'GeoNames: populated places of the United States (CC BY 4.0)'],
    ['1600 Pennsylvania Ave NW, Washington DC', 'Washington, DC is known, but its addresses are not loaded'],
    ['Augusta, ME', 'Choose your place on the map of the full page.'],
    ['-69.7795, 44.3106', 'Latitude and longitude look exchanged. Type 44.3106, -69.7795.'],
    ['-106.65, 35.08', 'Latitude and longitude look exchanged. Type 35.08, -106.65.'],
    ['-10, 0', 'This point is at sea or outside the United States.'],
  ])('says of %s what is missing or wrong', LONG, async (text, sentence) => {
    const page = await browser.open();
    await page.goto(`${site.address}/widget`);
    await find(page, text);
    await page.getByText(sentence).waitFor();
  });

  it('has the theme of its own page', LONG, async () => {
    const page = await browser.open({ colorScheme: 'light' });
    await page.goto(`${site.address}/widget`);
    const background = () =>
      page.locator('ballot-lookup .widget').evaluate((widget) => getComputedStyle(widget).backgroundColor);
    const light = await background();
    const button = page.getByRole('button', { name: 'Light or dark' });
    await button.click();
    expect(await background()).toBe(light);
    await button.click();
    expect(await background()).not.toBe(light);
    await page.reload();
    await expect.poll(background).not.toBe(light);
  });

  it('works in a page of another origin, without cookies and storage, in 280 pixels', LONG, async () => {
    const page = await browser.open({ viewport: { width: 300, height: 700 } });
    await page.goto(hostAddress);
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

  it('says why a page of another origin may get no answer', LONG, async () => {
    const page = await browser.open();
    await page.goto(hostAddress);
    await page.route(`${site.address}/graphql`, (route) => route.abort());
    await find(page, '44.3106, -69.7795');
    const alert = page.locator('ballot-lookup [role="alert"]');
    await alert.waitFor();
    expect(await alert.innerText()).toBe(
      `The server did not answer. It is out of reach, or does not allow ${hostAddress}.`,
    );
    browser.complaints.splice(0);
  });

  it.each([
    [401, 'The API key of this page is not valid.'],
    [429, 'That was too many lookups in a short time. Try again in a few seconds.'],
    [500, 'The server did not answer.'],
  ])('says what a response of %d means, and finds the next time', LONG, async (status, text) => {
    const page = await browser.open();
    await page.goto(`${site.address}/widget`);
    let isFailing = true;
    await page.route(`${site.address}/graphql`, (route) =>
      isFailing ? route.fulfill({ status, body: '' }) : route.fallback(),
    );
    await find(page, '44.3106, -69.7795');
    await page.locator('ballot-lookup [role="alert"]').waitFor();
    expect((await page.locator('ballot-lookup [role="alert"]').innerText()).trim()).toBe(text);
    isFailing = false;
    await find(page, '44.3106, -69.7795');
    await page.locator('ballot-lookup .holder').first().waitFor();
    browser.complaints.splice(0);
  });

  it('says that it finds nothing at sea, and no such place', LONG, async () => {
    const page = await browser.open();
    await page.goto(`${site.address}/widget`);
    await find(page, '38, -60');
    await page.getByText('No districts here.').waitFor();
    await find(page, 'zzzz qqqq');
    await page.getByText('No place found for “zzzz qqqq”.').waitFor();
  });
});
