import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { hasChromium, IN_CHROMIUM, overflow, useBrowser } from './support.ts';

/** WCAG 2.2, 1.4.3 (AA), for text of any size. */
const LEAST_CONTRAST = 4.5;

/** Returns the lowest contrast of text on the canvas of the page, for each kind of element. */
function contrasts(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const probe = document.body.appendChild(document.createElement('div'));
    probe.style.background = 'Canvas';
    const background = getComputedStyle(probe).backgroundColor;
    probe.remove();
    const channels = (...layers: string[]): number[] => {
      if (!canvas) throw new Error('no canvas');
      for (const layer of layers) {
        canvas.fillStyle = layer;
        canvas.fillRect(0, 0, 1, 1);
      }
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (rgb: number[]) => {
      const [r = 0, g = 0, b = 0] = rgb.map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const least: Record<string, number> = {};
    for (const element of document.querySelectorAll('h1,h2,h3,p,li,a,code,pre,th,td,summary')) {
      const layers = [background];
      const around: Element[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) around.unshift(at);
      for (const each of around) layers.push(getComputedStyle(each).backgroundColor);
      const [dark = 0, light = 0] = [
        luminance(channels(...layers)),
        luminance(channels(...layers, getComputedStyle(element).color)),
      ].sort((a, b) => a - b);
      const name = element.tagName.toLowerCase();
      least[name] = Math.min(least[name] ?? 99, (light + 0.05) / (dark + 0.05));
    }
    return least;
  });
}

const isDark = (page: Page) => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);

describe.skipIf(!hasChromium)(`the pages ${IN_CHROMIUM}`, () => {
  const database = useDatabase();
  const service = useApp(database, {}, 'embedded');
  let address: string;
  beforeAll(async () => {
    address = await service.app.listen({ port: 0, host: '127.0.0.1' });
  });
  const browser = useBrowser(() => address);
  afterEach(() => {
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  describe.each(['/', '/widget', '/docs', '/docs/data/elections_by_point', '/docs/graphql'])('%s', (path) => {
    it.each(['light', 'dark'] as const)('can be read in %s colors', async (colorScheme) => {
      const page = await browser.open({ colorScheme });
      await page.goto(address + path);
      expect(await isDark(page)).toBe(colorScheme === 'dark');
      const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
      expect(scheme).toBe('light dark');
      const shot = await page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } });
      const [, corner] = await page.evaluate(
        async (data) => {
          const image = await createImageBitmap(new Blob([new Uint8Array(data)], { type: 'image/png' }));
          const canvas = document.createElement('canvas').getContext('2d');
          canvas?.drawImage(image, 0, 0);
          return [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])];
        },
        [...shot],
      );
      if (colorScheme === 'dark') expect(corner).toBeLessThan(64);
      else expect(corner).toBeGreaterThan(192);
      for (const [element, contrast] of Object.entries(await contrasts(page))) {
        expect(contrast, element).toBeGreaterThanOrEqual(LEAST_CONTRAST);
      }
    });

    it.each([320, 390, 1280])('is not wider than a window of %d pixels', async (width) => {
      const page = await browser.open({ viewport: { width, height: 800 }, isMobile: width < 500 });
      await page.goto(address + path);
      expect(await page.evaluate(() => window.innerWidth)).toBe(width);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      // Any wider element has a scroll bar of its own.
      const hidden = await page.evaluate(() =>
        [...document.querySelectorAll('table, pre, code, p, li')]
          .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
          .filter((element) => {
            for (let at: Element | null = element; at; at = at.parentElement) {
              if (getComputedStyle(at).overflowX === 'auto') return false;
            }
            return true;
          })
          .map((element) => element.textContent?.slice(0, 80)),
      );
      expect(hidden).toEqual([]);
    });
  });
});
