import type { Page } from 'playwright-core';
import { type Point, readPoint } from '../../web/place-address.ts';
import { type BoundingBox, project, unproject, WORLD } from '../../web/projection.ts';

/** A point without districts: the page shows it before each click. */
const SEA = { latitude: 38, longitude: -60 };
const SEA_TEXT = '38 north, 60 west';
const ZOOM = 8;
/** The number of pixels in a unit of the projection. */
const PIXELS = (512 * 2 ** ZOOM) / WORLD;

/** What the page shows after a click on its map. */
export interface Click {
  /** The point that the page has put into its fragment. */
  readonly at: Point;
  /** The distance of that point from the intended one, in pixels of the map. */
  readonly pixelsOff: number;
  /** The names of the districts, from the country down. */
  readonly names: readonly string[];
}

/**
 * Moves the map so that a point is in its visible part, clicks the pixel of the point, and waits for the answer.
 * The page must have been opened with `reducedMotion`, so that the map moves at once.
 * @param shares where the point is on the map, in shares of its width and height.
 * @param restMs how long the moved map rests before the click: the time of a click counts the drawing of what the map
 *   was moved to otherwise, which is another interaction.
 */
export async function clickPoint(
  page: Page,
  point: Point,
  shares: readonly [number, number],
  restMs = 0,
): Promise<Click> {
  const box = await page.locator('#svg-map').boundingBox();
  if (!box) throw new Error('The page has no map');
  // Browsers report clicks in whole pixels.
  const [pixelX, pixelY] = [Math.round(box.x + box.width * shares[0]), Math.round(box.y + box.height * shares[1])];
  const [across, down] = project([point.longitude, point.latitude]);
  const center = unproject(
    across + (box.x + box.width / 2 - pixelX) / PIXELS,
    down + (box.y + box.height / 2 - pixelY) / PIXELS,
  );
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#at=${SEA.latitude},${SEA.longitude}&map=${ZOOM}/${center.latitude}/${center.longitude}`);
  await page.locator('.coords', { hasText: SEA_TEXT }).waitFor();
  await page.locator('h1', { hasText: 'No districts here' }).waitFor();
  await page.waitForTimeout(restMs);
  await page.mouse.click(pixelX, pixelY);
  await page.locator('.coords', { hasNotText: SEA_TEXT }).waitFor();
  await page.locator('#ballot h2, .notice').first().waitFor();
  const at = readPoint(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('at') ?? '');
  if (!at) throw new Error(`no point in ${page.url()}`);
  const [one, other] = [project([point.longitude, point.latitude]), project([at.longitude, at.latitude])];
  const pixelsOff = Math.hypot(one[0] - other[0], one[1] - other[1]) * PIXELS;
  return { at, pixelsOff, names: await page.locator('.rung h3').allInnerTexts() };
}

/** Returns one of the points that are evenly spread over a rectangle, rounded as in fragments of the page. */
export function spreadPoint(index: number, { west, south, east, north }: BoundingBox): Point {
  // The fractions of multiples of two irrational numbers are evenly spread.
  const [up, across] = [(index * 0.7548776662) % 1, (index * 0.569840291) % 1];
  return {
    latitude: Number((south + (north - south) * up).toFixed(4)),
    longitude: Number((west + (east - west) * across).toFixed(4)),
  };
}

/** Returns where a point is on the map for the click of a number, as shares: not always in the same place. */
export function sharesOf(index: number): readonly [number, number] {
  return [0.2 + ((index * 7) % 60) / 100, 0.3];
}

/** Times from a click until its answer is on the screen, in milliseconds; undefined for what it does not have. */
export interface ClickTimes {
  readonly districts?: number;
  readonly ballot?: number;
}

/** Makes a page measure its clicks, from the next document on. */
export async function measureClicks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const state = window as unknown as { clickTimes: Record<string, number> };
    let start = 0;
    state.clickTimes = {};
    addEventListener(
      'click',
      ({ timeStamp }) => {
        start = timeStamp;
        state.clickTimes = {};
      },
      { capture: true },
    );
    const selectors = { districts: '.ladder', ballot: '#ballot h2' };
    new MutationObserver(() => {
      const { clickTimes } = state;
      for (const [name, selector] of Object.entries(selectors)) {
        if (start === 0 || name in clickTimes || !document.querySelector(selector)) continue;
        clickTimes[name] = Number.NaN;
        // The task after the next frame begins when that frame has been drawn.
        requestAnimationFrame(() =>
          setTimeout(() => {
            clickTimes[name] = performance.now() - start;
          }),
        );
      }
    }).observe(document, { subtree: true, childList: true });
  });
}

/** Returns the times of the last click. */
export async function takeTimes(page: Page): Promise<ClickTimes> {
  await page.waitForFunction(() =>
    Object.values((window as unknown as { clickTimes: Record<string, number> }).clickTimes).every((time) => time > 0),
  );
  return page.evaluate(() => (window as unknown as { clickTimes: ClickTimes }).clickTimes);
}
