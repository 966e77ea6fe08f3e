import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);
/** Part of the titles of browser tests, which are skipped if Chromium is not installed. */
export const IN_CHROMIUM = `in Chromium (${CHROMIUM}, or where CHROMIUM says)`;

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface TestBrowser {
  /** Opens a page in a new profile, without history or storage. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Uncaught errors, error messages on the console, and requests to other hosts: no page may cause any. */
  readonly complaints: string[];
}

/** A headless Chromium that reaches one service and no other host. */
export function useBrowser(addressOf: () => string): TestBrowser {
  let browser: Browser | undefined;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  });
  afterAll(() => browser?.close());
  return {
    complaints,
    async open(options) {
      const context = await browser?.newContext(options);
      if (!context) throw new Error('The browser is available from beforeAll on');
      await context.route('**/*', (route) => {
        const url = route.request().url();
        if (url.startsWith(addressOf()) || /^(blob|data):/.test(url)) return route.continue();
        complaints.push(`request to ${url}`);
        return route.abort();
      });
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
      });
      page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
      return page;
    },
  };
}

/** Returns by how many pixels a page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** Settings of a service that rejects no request of a page because the machine is busy. */
export const PATIENT = { MAX_QUEUE_MS: '0', MAX_EVENT_LOOP_DELAY_MS: '0' };
