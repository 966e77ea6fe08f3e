import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  changeResponses,
  handleDocument,
  hasChromium,
  IN_CHROMIUM,
  overflow,
  SMALL_WINDOW,
  useSite,
  violations,
} from './support.ts';

const LONG = { timeout: 120_000 };
const DAYS = '&on=2022-06-01&vs=2026-09-15';
const AUGUSTA = `#at=44.3106,-69.7795&name=Augusta,+ME${DAYS}`;
const PORTLAND = `#at=43.6615,-70.2553&name=Portland,+ME${DAYS}`;

interface Layer {
  type: string;
  isCovered: boolean;
  changes: { kind: string; before: object[] }[];
}

describe.skipIf(!hasChromium)(`two maps compared ${IN_CHROMIUM}`, () => {
  const site = useSite();

  async function open(hash: string, options: BrowserContextOptions = SMALL_WINDOW): Promise<Page> {
    const page = await site.browser.open(options);
    await page.addInitScript((key) => sessionStorage.setItem('ballotgraph-key', key), site.service.key('full'));
    await page.goto(`${site.address}/${hash}`);
    return page;
  }
  async function compared(hash: string, options?: BrowserContextOptions): Promise<Page> {
    const page = await open(hash, options);
    await page.locator('#side-1 path.m-gained').waitFor({ state: 'attached' });
    await page.locator('.parts').waitFor();
    return page;
  }
  const legends = (page: Page) =>
    page
      .locator('.pair figcaption')
      .evaluateAll((captions) =>
        captions.map((caption) => [...caption.querySelectorAll('li')].map((item) => item.textContent)),
      );
  const labels = (page: Page) =>
    page.locator('.pair svg.map').evaluateAll((maps) => maps.map((map) => map.getAttribute('aria-label')));
  /** Whether the area beside the point is hatched, on each map. */
  const isHatched = (page: Page) =>
    page.locator('.pair svg.map').evaluateAll((maps) =>
      maps.map((map) => {
        const { left, bottom, width } = map.querySelector('.pin')?.getBoundingClientRect() ?? new DOMRect();
        const found = document.elementsFromPoint(left + width / 2, bottom + 3);
        return found.some((element) => /m-(lost|gained)/.test(element.getAttribute('class') ?? ''));
      }),
    );

  it('hatches what a district lost and what the other one gained, with a legend and in words', LONG, async () => {
    const page = await compared(AUGUSTA);
    const sentence =
      'On January 3, 2023 this point moved from Maine District 1 to Maine District 2; the election of November 8, 2022 was already held in Maine District 2.';
    expect(await page.locator('.sentence').innerText()).toBe(sentence);
    expect(await page.locator('#status').innerText()).toBe(sentence);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(await legends(page)).toEqual([
      ['lost by Maine District 1', 'kept'],
      ['gained by Maine District 2', 'kept'],
    ]);
    expect(await labels(page)).toEqual([
      'Map of June 1, 2022: the point is in Maine District 1; hatched is what it lost',
      'Map of Today: the point is in Maine District 2; hatched is what it gained',
    ]);
    await expect.poll(() => isHatched(page)).toEqual([true, true]);
    const angles = page
      .locator('.pair pattern')
      .evaluateAll((patterns) =>
        patterns.map((pattern) => /rotate\((-?\d+)\)/.exec(pattern.getAttribute('patternTransform') ?? '')?.[1]),
      );
    expect(await angles).toEqual(['45', '-45']);
  });

  it('leaves plain what a district kept', LONG, async () => {
    const page = await compared(PORTLAND);
    expect(await page.locator('.sentence').innerText()).toMatch(
      /^This point stayed in Maine District 1 when its map changed on January 3, 2023/,
    );
    expect(await legends(page)).toEqual([
      ['lost by Maine District 1', 'kept'],
      ['gained by Maine District 1', 'kept'],
    ]);
    expect(await isHatched(page)).toEqual([false, false]);
    expect(await page.locator('#side-0 path.m-lost').count()).toBe(1);
  });

  it.each([
    [
      'each move of several maps',
      ['MOVED', 'MOVED', 'STAYED'],
      [
        'On January 3, 2015 this point moved from Maine District 1 to Maine District 7.',
        'On January 3, 2017 this point moved from Maine District 7 to Maine District 1.',
        'This point stayed in Maine District 1 when its map changed on January 3, 2019.',
      ],
    ],
    ['a gap between two maps as not known', ['NO_DATA', 'NO_DATA'], []],
  ] as const)('says %s', LONG, async (_, kinds, sentences) => {
    const page = await site.browser.open(SMALL_WINDOW);
    await page.addInitScript((key) => sessionStorage.setItem('ballotgraph-key', key), site.service.key('full'));
    await changeResponses(site, page, 'Compare', ({ location }: { location: { changes: Layer[] } }) => {
      const layer = location.changes.find(({ type }) => type === 'CONGRESS') as Layer;
      const [change] = layer.changes as [Layer['changes'][number]];
      layer.isCovered = sentences.length > 0;
      const side = (number: number) => [
        { district: { databaseId: number, name: `Maine Congressional District ${number}` } },
      ];
      layer.changes = kinds.map((kind, index) => ({
        ...{ kind, day: `${2015 + 2 * index}-01-03`, firstRace: null },
        left: kind === 'MOVED' ? side([1, 7][index] ?? 0) : [],
        entered: kind === 'MOVED' ? side([7, 1][index] ?? 0) : [],
        before: change.before,
      }));
    });
    await page.goto(`${site.address}/${AUGUSTA}`);
    await page.locator('.same').waitFor();
    expect(await page.locator('.sentence').allInnerTexts()).toEqual(sentences);
    expect(await page.locator('.verdict').count()).toBe(0);
    if (sentences.length > 0) expect(await page.locator('#status').innerText()).toBe(sentences.join(' '));
    else {
      const notice = await page.locator('.where .notice').innerText();
      expect(notice).toMatch(/Not all maps.*compared\.\s+Not known for the whole time: .*U\.S\. House district/);
      expect(await page.locator('#status').innerText()).toContain('Not all maps of these days can be compared.');
    }
  });

  it('is read by a screen reader: both maps, not the one below them, and what each bar says', LONG, async () => {
    const page = await compared(AUGUSTA);
    const tree = await page.locator('body').ariaSnapshot();
    const matches = (pattern: RegExp) => [...tree.matchAll(pattern)].map(([, name]) => name);
    expect(matches(/heading "([^"]+)"/g).slice(0, 3)).toEqual([
      'Two maps compared',
      'All districts of this point',
      'What became of Maine District 1 on January 3, 2023',
    ]);
    expect(matches(/((?:img|application) "Map of [^"]*)"/g)).toEqual([
      'img "Map of June 1, 2022: the point is in Maine District 1; hatched is what it lost',
      'img "Map of Today: the point is in Maine District 2; hatched is what it gained',
    ]);
    expect(tree).toMatch(/listitem: Maine District 1 stayed \d+\.\d%/);
    expect(tree).toMatch(/listitem: Maine District 2 moved \d+\.\d%/);
    expect(tree).not.toContain('stayed in the district');
  });

  it('is used by keyboard: back, link, days and both maps', LONG, async () => {
    const page = await compared(AUGUSTA);
    const viewBoxes = () =>
      page.locator('.pair svg.map').evaluateAll((maps) => maps.map((map) => map.getAttribute('viewBox')));
    const stops: string[] = [];
    for (let press = 0; press < 60 && stops.at(-1) !== 'side-1'; press++) {
      await page.keyboard.press('Tab');
      stops.push(
        await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim() || ''),
      );
    }
    const expected = ['first-day', 'second-day', 'Jan 3, 2023', 'side-0', 'side-1'];
    // A date field has a stop for each of its parts.
    expect([...new Set(stops)].filter((stop) => expected.includes(stop))).toEqual(expected);
    const before = await viewBoxes();
    await page.keyboard.press('ArrowRight');
    const after = await viewBoxes();
    expect(after[0]).not.toBe(before[0]);
    expect(after[0]?.split(' ')[0]).toBe(after[1]?.split(' ')[0]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#status').innerText()).toBe('Link copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    await page.getByRole('button', { name: /^Back to/ }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.ladder').waitFor();
  });

  it.each(['light', 'dark'] as const)('has no violations of axe-core in %s colors', LONG, async (colorScheme) => {
    for (const width of [1440, 390]) {
      const page = await compared(AUGUSTA, { viewport: { width, height: 844 }, colorScheme, isMobile: width < 500 });
      expect(await violations(page), `${width} pixels`).toEqual([]);
      expect(await overflow(page), `${width} pixels`).toBeLessThanOrEqual(0);
    }
  });

  it.each([
    ['a phone', { viewport: { width: 390, height: 844 }, isMobile: true }, 'screen'],
    ['paper', { viewport: { width: 1000, height: 900 } }, 'print'],
  ] as const)('has the legend beside the maps on %s, not on them', LONG, async (_, options, media) => {
    const page = await compared(AUGUSTA, options);
    await page.emulateMedia({ media });
    const figures = await page.locator('.pair figure').evaluateAll((all) =>
      all.map((figure) => {
        const [map, caption] = ['svg.map', 'figcaption'].map((part) =>
          figure.querySelector(part)?.getBoundingClientRect(),
        );
        return { below: (map?.top ?? 0) >= (caption?.bottom ?? Number.NaN) - 1, height: map?.height ?? 0 };
      }),
    );
    for (const { below, height } of figures) {
      expect(below).toBe(true);
      expect(height).toBeGreaterThan(120);
    }
    if (media === 'print') expect(await page.getByRole('button', { name: 'Copy link' }).isVisible()).toBe(false);
  });

  it('says that it looks up the point, and keeps the comparison if the next one is not answered', LONG, async () => {
    const page = await site.browser.open(SMALL_WINDOW);
    await page.addInitScript((key) => sessionStorage.setItem('ballotgraph-key', key), site.service.key('full'));
    let release: (() => void) | undefined;
    let isFailing = false;
    await handleDocument(site, page, 'Compare', async (route) => {
      if (isFailing) return route.fulfill({ status: 503, json: {} });
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return route.continue();
    });
    await page.goto(`${site.address}/${AUGUSTA}`);
    await page.getByText('Looking up the districts of this point').waitFor();
    // The text is shown while the place is read, too.
    await expect.poll(() => release).toBeDefined();
    release?.();
    await page.locator('.parts').waitFor();
    isFailing = true;
    await page.locator('#first-day').fill('2021-06-01');
    await page.locator('#first-day').blur();
    await page.locator('#problem .notice').waitFor();
    expect(await page.locator('.sentence').count()).toBe(1);
    site.browser.complaints.splice(0);
  });

  it('draws the states, and no empty maps, where nothing can be compared', LONG, async () => {
    const page = await open(AUGUSTA.replace('2022-06-01', '1950-01-01').replace('2026-09-15', '1951-01-01'));
    await page.locator('.same').waitFor();
    expect(await page.locator('.notice').innerText()).toContain('Not all maps of these days can be compared.');
    await expect.poll(() => page.locator('#pair').isVisible()).toBe(false);
    await page.locator('#second-day').fill('2026-09-15');
    await page.locator('#second-day').blur();
    await page.locator('.sentence').waitFor();
    expect(await page.locator('.where').innerText()).toMatch(
      /this point moved from Maine District 1 to Maine District 2.*\s+Not known for the whole time: .*U\.S\. House district/,
    );
    expect(await page.locator('.verdict').count()).toBe(0);
  });
});
