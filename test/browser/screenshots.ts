import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/**
 * Writes a screenshot of each state of the map page in light, dark and on a phone:
 *
 *     npm run node -- test/browser/screenshots.ts http://localhost:4000 FOLDER [KEY]
 *
 * The gateway needs the data of the sample. KEY is needed if it does not serve the sample itself.
 */
const [address = '', folder = '', key = ''] = process.argv.slice(2);
if (!address || !folder) throw new Error('Usage: screenshots.ts ADDRESS FOLDER [KEY]');

const AUGUSTA = '#at=44.3106,-69.7795&name=Augusta,+ME';

interface Shot {
  readonly name: string;
  readonly hash: string;
  /** Element that the page has when the state is reached. */
  readonly until: string;
  /** Element that is scrolled to the top. */
  readonly show?: string;
  /** Whether requests of the page remain unanswered. */
  readonly isUnanswered?: boolean;
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly act?: (page: Page) => Promise<void>;
}

const answer =
  (status: number, headers = {}) =>
  (page: Page) =>
    page.route('**/graphql', (route) => route.fulfill({ status, headers, json: {} }));

const find = (text: string) => async (page: Page) => {
  await page.locator('#q').fill(text);
  await page.keyboard.press('Enter');
};

const SHOTS: readonly Shot[] = [
  { name: 'start', hash: '', until: '.hello' },
  { name: 'place', hash: AUGUSTA, until: '#ballot h2' },
  { name: 'missing', hash: AUGUSTA, until: '#missing .notice', show: '#missing' },
  { name: 'elections', hash: AUGUSTA, until: '#ballot h2', show: '#elections' },
  { name: 'ballot', hash: `${AUGUSTA}&ballot=2022-11-08`, until: '.race', show: '#ballot' },
  { name: 'ranked-choice', hash: '#at=58.3019,-134.4197&ballot=2022-08-16', until: '.rounds', show: '#ballot' },
  { name: 'compare', hash: `${AUGUSTA}&on=2022-11-08&vs=2026-09-15`, until: '.same' },
  { name: 'other-day', hash: `${AUGUSTA}&on=2025-06-01`, until: '#ballot h2' },
  { name: 'close-to-a-line', hash: '#at=44.5774,-69.7923', until: '#close .notice', show: '#people' },
  { name: 'at-sea', hash: '#at=38,-60', until: '.notice' },
  { name: 'no-election', hash: `${AUGUSTA}&ballot=2022-07-04`, until: '#ballot .notice', show: '#ballot' },
  { name: 'coming', hash: `${AUGUSTA}&ballot=2026-11-03`, until: '#ballot .notice', show: '#ballot' },
  { name: 'no-addresses', hash: '', until: '.notice', act: find('16 Cony St, Augusta') },
  { name: 'no-match', hash: '', until: '.notice', act: find('zzzz qqqq') },
  { name: 'key', hash: AUGUSTA, until: '#key-form', prepare: answer(401) },
  { name: 'too-many', hash: AUGUSTA, until: '.notice', prepare: answer(429, { 'retry-after': '12' }) },
  {
    name: 'no-answer',
    hash: AUGUSTA,
    until: '.notice',
    prepare: (page) => page.route('**/graphql', (route) => route.abort()),
  },
  {
    name: 'waiting',
    hash: AUGUSTA,
    until: '.sk',
    isUnanswered: true,
    prepare: (page) => page.route('**/graphql', () => undefined),
  },
  {
    name: 'no-webgl',
    hash: AUGUSTA,
    until: '#map-notice .notice',
    prepare: (page) =>
      page.addInitScript(() => {
        HTMLCanvasElement.prototype.getContext = () => null;
      }),
  },
  { name: 'print', hash: AUGUSTA, until: '#missing .notice', act: (page) => page.emulateMedia({ media: 'print' }) },
];

const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ['contrast', { viewport: { width: 1440, height: 900 }, contrast: 'more' }],
  ['forced-colors', { viewport: { width: 1440, height: 900 }, forcedColors: 'active' }],
];

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
for (const [look, options] of LOOKS) {
  for (const { name, hash, until, show, isUnanswered, prepare, act } of SHOTS) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    if (key) await page.addInitScript((text) => sessionStorage.setItem('ballotgraph-key', text), key);
    await prepare?.(page);
    await page.goto(`${address}/${hash}`);
    await act?.(page);
    await page.locator(until).first().waitFor({ state: 'attached', timeout: 60_000 });
    if (!isUnanswered) await page.waitForLoadState('networkidle', { timeout: 60_000 });
    if (!isUnanswered && (await page.locator('.ladder').count()) > 0 && name !== 'no-webgl') {
      await page.locator('#gl-map [aria-description]').waitFor({ timeout: 60_000 });
    }
    await page.waitForTimeout(500);
    if (show) {
      await page.evaluate((selector) => {
        document.documentElement.style.scrollBehavior = 'auto';
        document.querySelector(selector)?.scrollIntoView();
      }, show);
      await page.waitForTimeout(200);
    }
    await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
    await context.close();
  }
}
await browser.close();
