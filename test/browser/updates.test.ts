import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium, IN_CHROMIUM, SMALL_WINDOW, useSite, violations } from './support.ts';

const LONG = { timeout: 120_000 };
const AUGUSTA = '#at=44.3106,-69.7795';

interface Update {
  readonly what: string;
  /** A control that is operated by the keyboard, or another action. */
  readonly act: string | ((page: Page) => Promise<unknown>);
  /** Where the focus is afterwards, as the beginning of the HTML of the element. */
  readonly focus: RegExp;
  /** What screen readers have been told last. */
  readonly status: RegExp;
  /** Whether the place is the same, with what was opened in its list. */
  readonly keeps: boolean;
  /** Whether the page stays where it was scrolled to. */
  readonly stays: boolean;
}

const SHOWN = /^Kennebec County, Maine\. 4 districts, \d races? on November 8, 2022\.$/;

/** What changes the page, with the keyboard if it can be. */
const UPDATES: readonly Update[] = [
  {
    what: 'a ballot of another day',
    act: '.day [data-action=ballot]',
    focus: /^<h2 tabindex="-1">Ballot of <!--.*November 6, 2018/,
    status: /races? on November 6, 2018\.$/,
    ...{ keeps: true, stays: false },
  },
  {
    what: 'all days of elections',
    act: '[data-action=more-days]',
    focus: /^<ol class="days"/,
    status: /^All \d+ days of elections are listed\.$/,
    ...{ keeps: true, stays: true },
  },
  {
    what: 'a district that is chosen',
    act: '.rung:not(.on) .stamp',
    focus: /^<button class="stamp".* aria-pressed="true"/s,
    status: SHOWN,
    ...{ keeps: true, stays: true },
  },
  {
    what: 'a list that is opened',
    act: '#coverage summary',
    focus: /^<summary>Coverage by state/,
    status: SHOWN,
    ...{ keeps: true, stays: true },
  },
  {
    what: 'the theme',
    act: '[data-action=theme]',
    focus: /^<button class="icon-btn"/,
    status: SHOWN,
    ...{ keeps: true, stays: true },
  },
  {
    what: 'another day',
    act: async (page) => {
      await page.locator('#day').focus();
      await page.locator('#day').fill('2023-06-01');
    },
    focus: /^<input type="date" id="day"/,
    status: /districts of June 1, 2023, /,
    ...{ keeps: true, stays: false },
  },
  {
    what: 'a comparison',
    act: '[data-action=compare]',
    focus: /^<h1 tabindex="-1">Two maps compared/,
    status: /^No map changed here between these days\.|this point (moved|stayed)/,
    ...{ keeps: false, stays: false },
  },
  {
    what: 'another place that is typed',
    act: async (page) => {
      await page.locator('#q').fill('58.3019, -134.4197');
      await page.locator('#q').press('Enter');
    },
    focus: /^<h1 tabindex="-1">.*Juneau/,
    status: /^Juneau .*races? on /,
    ...{ keeps: false, stays: false },
  },
  {
    what: 'a click on the map',
    act: (page) => page.locator('#stage').click({ position: { x: 200, y: 60 } }),
    focus: /^<h1 tabindex="-1">/,
    status: /\d+ districts?/,
    ...{ keeps: false, stays: false },
  },
  {
    what: 'a step back and one forward',
    act: async (page) => {
      await page.locator('.day [data-action=ballot]').first().click();
      await page.locator('#ballot h2', { hasText: '2018' }).waitFor();
      await page.goBack();
      await page.locator('#ballot h2', { hasText: '2022' }).waitFor();
      await page.goForward();
    },
    focus: /^<h2 tabindex="-1">Ballot of <!--.*November 6, 2018/,
    status: /races? on November 6, 2018\.$/,
    ...{ keeps: true, stays: false },
  },
];

describe.skipIf(!hasChromium)(`what changes on the map page ${IN_CHROMIUM}`, () => {
  const site = useSite();

  it.each(UPDATES)('leaves focus, status, scroll and open lists right: $what', LONG, async (update) => {
    const page = await site.browser.open({ ...SMALL_WINDOW, reducedMotion: 'reduce' });
    await page.goto(`${site.address}/${AUGUSTA}`);
    await page.locator('.race').first().waitFor();
    await page.locator('#missing .notice').waitFor();
    await page.locator('.stamp path').first().waitFor({ state: 'attached' });
    const opened = page.locator('#sources');
    await opened.locator('summary').click();
    await opened.locator('table').waitFor();
    const heading = await page.locator('.rung h3').first().elementHandle();
    const focused = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300) ?? '');
    const { act } = update;
    if (typeof act === 'string') await page.locator(act).first().focus();
    const before = await page.evaluate(() => scrollY);
    await (typeof act === 'string' ? page.keyboard.press('Enter') : act(page));
    await expect.poll(() => page.locator('#status').innerText(), { timeout: 20_000 }).toMatch(update.status);
    await expect.poll(focused).toMatch(update.focus);
    expect(await opened.evaluate((details: HTMLDetailsElement) => details.open).catch(() => false)).toBe(update.keeps);
    expect(await heading?.evaluate((element) => element.isConnected)).toBe(update.keeps);
    if (update.stays) expect(await page.evaluate(() => scrollY)).toBe(before);
    // lit-html shows false, null in objects and functions as text.
    expect(await page.locator('body').innerText()).not.toMatch(/\bfalse\b|undefined|\[object|=>/);
    expect(await violations(page)).toEqual([]);
  });
});
