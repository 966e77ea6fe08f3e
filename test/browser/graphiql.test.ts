import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { examples } from '../../src/gateway/graphql/graphiql/graphiql-examples.ts';
import { hasChromium, IN_CHROMIUM, overflow, SMALL_WINDOW, useSite, violations } from './support.ts';

const NAMES = examples.map((example) => /query (\w+)/.exec(example)?.[1] ?? '');
const LONG = { timeout: 120_000 };
/** Rules of axe-core that the markup of GraphiQL itself violates (docs/graphql.md lists them). */
const OF_THE_EDITOR = ['color-contrast', 'link-in-text-block', 'nested-interactive', 'target-size'];

describe.skipIf(!hasChromium)(`GraphiQL ${IN_CHROMIUM}`, () => {
  const site = useSite({ environment: { GRAPHIQL: 'true' } });
  const { browser, service } = site;

  const tabs = (page: Page) => page.getByRole('tab');
  const titles = (page: Page) => tabs(page).allInnerTexts();
  const activeTitle = (page: Page) => page.locator('.graphiql-tab-active').innerText();
  const editor = (page: Page) => page.locator('.graphiql-query-editor .view-lines');
  const queryParameter = (page: Page) => new URL(page.url()).searchParams.get('query');

  async function load(page: Page, search = ''): Promise<void> {
    await page.goto(`${site.address}/graphql${search}`);
    await ready(page);
  }

  /** Waits until the schema is loaded and the initial requests of the page are complete. */
  async function ready(page: Page): Promise<void> {
    await editor(page).locator('.view-line').first().waitFor();
    await page.locator('button[aria-label^="Execute query"]').waitFor();
    await page.locator('.graphiql-spinner').waitFor({ state: 'detached' });
  }

  /** Runs the operation of the tab and returns the response. */
  async function run(page: Page, name: string) {
    const completed = page.waitForResponse((response) => {
      const sent = response.request().postData() ?? '';
      return response.url() === `${site.address}/graphql` && sent.includes(name) && !sent.includes('__schema');
    });
    await page.locator('button[aria-label^="Execute query"]').click();
    const response = await completed;
    expect(response.status()).toBe(200);
    return response.json();
  }

  /** Adds a comment at the start of the operation, as a person would type it. */
  async function type(page: Page, text: string): Promise<void> {
    await editor(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type(text);
    await expect.poll(() => queryParameter(page)).toContain(text);
    // GraphiQL stores its tabs half a second after the last change.
    await page.waitForTimeout(1_000);
  }

  /** Replaces the variables or headers, whichever are shown. */
  async function replaceEditor(page: Page, text: string): Promise<void> {
    await page.locator('.graphiql-editor:not(.hidden) .view-lines').last().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
    // The editor adds closing brackets and quotes.
    await page.keyboard.press('Control+Shift+End');
    await page.keyboard.press('Delete');
  }

  it.each([1280, 1920])(
    'on a first visit, %d pixels wide, each tab opens at the first click and runs',
    LONG,
    async (width) => {
      const page = await browser.open({ viewport: { width, height: 900 } });
      await load(page);
      expect(await titles(page)).toEqual(NAMES);
      for (const name of [...NAMES.slice(1), NAMES[0] ?? '']) {
        const box = await tabs(page).getByText(name, { exact: true }).boundingBox();
        if (!box) throw new Error(`no tab ${name}`);
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        expect(await activeTitle(page)).toBe(name);
        const { data, errors } = await run(page, name);
        expect(errors).toBeUndefined();
        expect(Object.values(data)).not.toContain(null);
        await page.locator('.graphiql-response', { hasText: `"${Object.keys(data)[0]}"` }).waitFor();
      }
      expect(await titles(page)).toEqual(NAMES);
    },
  );

  it('a plain reload changes nothing, however often', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await load(page);
    const query = await editor(page).innerText();
    for (let n = 0; n < 3; n++) {
      await page.reload();
      await ready(page);
      expect(await titles(page)).toEqual(NAMES);
      expect(await activeTitle(page)).toBe(NAMES[0]);
      expect(await editor(page).innerText()).toBe(query);
    }
  });

  it('edits survive a reload, leaving and going back, and a switch of tabs', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await load(page);
    await type(page, '# first ');
    await page.reload();
    await ready(page);
    expect(await titles(page)).toEqual(NAMES);
    expect(await editor(page).innerText()).toContain('first');

    await tabs(page).getByText('Ballot', { exact: true }).click();
    await expect.poll(() => queryParameter(page)).toContain('query Ballot');
    await page.waitForTimeout(1_000);
    await page.reload();
    await ready(page);
    expect([await activeTitle(page), await titles(page)]).toEqual(['Ballot', NAMES]);

    await type(page, '# second ');
    await page.goto(`${site.address}/docs`);
    await page.goBack();
    await ready(page);
    expect([await activeTitle(page), await titles(page)]).toEqual(['Ballot', NAMES]);
    expect(await editor(page).innerText()).toContain('second');
    expect((await run(page, 'Ballot')).errors).toBeUndefined();
    await load(page);
    expect([await activeTitle(page), await titles(page)]).toEqual(['Ballot', NAMES]);
  });

  it('a shared link opens its operation, here and in a fresh profile', LONG, async () => {
    const query = 'query Shared($name: String!) { people(name: $name) { totalCount } }';
    const search = `?query=${encodeURIComponent(query)}&variables=${encodeURIComponent('{"name":"qqqq"}')}`;
    const visited = await browser.open(SMALL_WINDOW);
    await load(visited);
    await type(visited, '# mine ');
    for (const page of [visited, await browser.open(SMALL_WINDOW)]) {
      await load(page, search);
      expect(await activeTitle(page)).toBe('Shared');
      expect([...(await titles(page))].sort()).toEqual([...NAMES, 'Shared'].sort());
      expect(await run(page, 'Shared')).toEqual({ data: { people: { totalCount: 0 } } });
      await page.reload();
      await ready(page);
      expect(await activeTitle(page)).toBe('Shared');
      expect(await titles(page)).toHaveLength(NAMES.length + 1);
    }
  });

  it('the address carries the variables in its fragment, and another browser opens both', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    const query = '\nquery Named($name: String!) { people(name: $name) { totalCount } }';
    await load(page, `?query=${encodeURIComponent(query)}#variables=${encodeURIComponent('{"name":"qqqq"}')}`);
    await type(page, '# edited ');
    await page.getByRole('button', { name: 'Variables' }).click();
    await replaceEditor(page, '{"name":"zzzz"}');
    await expect.poll(() => decodeURIComponent(new URL(page.url()).hash)).toBe('#variables={"name":"zzzz"}');
    const other = await browser.open(SMALL_WINDOW);
    await other.goto(page.url());
    await ready(other);
    expect(await run(other, 'zzzz')).toEqual({ data: { people: { totalCount: 0 } } });

    // The same operation in a link with other variables has those of the link.
    const link = `?query=${encodeURIComponent(queryParameter(page) ?? '')}#variables=${encodeURIComponent('{"name":"xxxx"}')}`;
    await page.goto('about:blank');
    await load(page, link);
    expect(await run(page, 'xxxx')).toEqual({ data: { people: { totalCount: 0 } } });
  });

  it('a link of the map keeps the point in the fragment, also after an edit', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    const query = '\nquery Here($y: Latitude!, $x: Longitude!) { location(latitude: $y, longitude: $x) { latitude } }';
    const variables = JSON.stringify({ y: 44.3106, x: -69.7795 });
    await load(page, `#${new URLSearchParams({ query, variables })}`);
    await type(page, '# edited ');
    const { search, hash } = new URL(page.url());
    expect(search).not.toContain('44.3106');
    expect(new URLSearchParams(hash.slice(1)).get('variables')).toBe(variables);
    expect(await run(page, 'Here')).toEqual({ data: { location: { latitude: 44.3106 } } });
  });

  it("a visitor's own key is kept in this tab only, for the other pages too", LONG, async () => {
    const key = service.key('full');
    const page = await browser.open(SMALL_WINDOW);
    await load(page);
    await page.getByRole('button', { name: 'Headers' }).click();
    await replaceEditor(page, JSON.stringify({ 'x-api-key': key }));
    await run(page, NAMES[0] ?? '');
    await page.waitForTimeout(1_000);
    const stored = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    expect(await stored()).toContain(NAMES[0]);
    expect(await stored()).not.toContain(key);
    expect(await page.evaluate(() => sessionStorage.getItem('ballotgraph-key'))).toBe(key);

    const sent = () => page.waitForRequest((request) => (request.postData() ?? '').includes(NAMES[1] ?? ''));
    await page.reload();
    await ready(page);
    await tabs(page)
      .getByText(NAMES[1] ?? '', { exact: true })
      .click();
    const [request] = await Promise.all([sent(), run(page, NAMES[1] ?? '')]);
    expect(request.headers()['x-api-key']).toBe(key);
    expect(await stored()).not.toContain(key);
  });

  it('has no violation of axe-core but those of the editor', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await load(page);
    const found = (await violations(page)).map((violation) => violation.replace(/:.*/s, ''));
    expect(found.filter((rule) => !OF_THE_EDITOR.includes(rule))).toEqual([]);
  });

  it('an operation that is too long for a URL survives a reload, too', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await load(page);
    await type(page, '# short ');
    await editor(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText(`# ${'long '.repeat(2_000)}\n`);
    await expect.poll(() => queryParameter(page)).toBe(null);
    await page.waitForTimeout(1_000);
    await page.reload();
    await ready(page);
    expect(await editor(page).innerText()).toContain('long');
    expect(await titles(page)).toEqual(NAMES);
  });

  it('lists executed operations in its history', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await load(page);
    await run(page, 'WhoRepresentsMe');
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.locator('.graphiql-history', { hasText: 'WhoRepresentsMe' }).waitFor();
    await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click();
    await page.locator('.graphiql-plugin', { hasText: 'location' }).waitFor();
  });

  it('can be used on a phone', LONG, async () => {
    const page = await browser.open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await load(page);
    expect(await page.evaluate(() => window.innerWidth)).toBe(390);
    expect(await overflow(page)).toBe(0);
    for (const part of ['.graphiql-query-editor', '.graphiql-response', '.graphiql-toolbar']) {
      const box = await page.locator(part).boundingBox();
      if (!box) throw new Error(`no ${part}`);
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(390);
      expect(box.height).toBeGreaterThan(150);
      if (part !== '.graphiql-toolbar') expect(box.width).toBeGreaterThan(280);
    }
    expect((await run(page, 'WhoRepresentsMe')).errors).toBeUndefined();
    await page.locator('.graphiql-response', { hasText: '"location"' }).waitFor();
    await tabs(page).getByText('Ballot', { exact: true }).tap();
    expect(await activeTitle(page)).toBe('Ballot');
    await type(page, '# phone ');
    expect((await run(page, 'Ballot')).errors).toBeUndefined();
    for (const name of ['Show Documentation Explorer', 'Show History']) {
      await page.getByRole('button', { name }).tap();
      const box = await page.locator('.graphiql-plugin').boundingBox();
      expect(box?.width).toBeGreaterThan(250);
      expect(await overflow(page)).toBe(0);
    }
  });
});
