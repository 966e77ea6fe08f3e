import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Route,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { readPageDocuments } from '../../src/gateway/pages/page-documents.ts';
import { type TestApp, useApp } from '../support/app.ts';
import { type TestDatabase, useDatabase } from '../support/database.ts';
import { knowDocuments } from '../support/responses/check.ts';
import { loadTestSample } from '../support/sample.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);
/** Part of the titles of browser tests, which are skipped if Chromium is not installed. */
export const IN_CHROMIUM = `in Chromium (${CHROMIUM}, or where CHROMIUM says)`;

const AXE = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The tests reach no other host.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

export interface TestBrowser {
  /** Opens a page in a new profile, without history or storage. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Uncaught errors, error messages on the console, and requests to other hosts: no page may cause any. */
  readonly complaints: string[];
}

/** A headless Chromium that reaches one service and no other host. Its pages are closed after each test. */
export function useBrowser(addressOf: () => string): TestBrowser {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  });
  // Chromium goes on drawing the pages of earlier tests.
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())));
  afterAll(() => browser?.close());
  return {
    complaints,
    async open(options) {
      const context = await browser?.newContext(options);
      if (!context) throw new Error('The browser is available from beforeAll on');
      contexts.push(context);
      // Requests are watched, not intercepted: interception would turn the cache of the browser off.
      context.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(addressOf()) && !/^(blob|data):/.test(url)) complaints.push(`request to ${url}`);
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

/** Returns the rules of axe-core that a page violates. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: AxeViolation[] }> } };
    // The rule of WCAG 2.2 (AA) that axe-core leaves out by default.
    const { violations: found } = await axe.run({ rules: { 'target-size': { enabled: true } } });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
}

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Settings of a service that rejects no request of a page because the machine is busy. */
const PATIENT = { MAX_EVENT_LOOP_DELAY_MS: '0' };

/** A window in the layout for wide screens that is quickly drawn, for tests of anything but the layout. */
export const SMALL_WINDOW = { viewport: { width: 1110, height: 500 } };

export interface SiteOptions {
  /** Settings of the service. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Adds data to those of the sample. */
  readonly addData?: (database: TestDatabase) => Promise<unknown>;
  /** The beginning of all addresses that pages may request; that of the service by default. */
  readonly allowed?: string;
}

/** A service with the sample, and a browser. */
export interface Site {
  readonly service: TestApp;
  readonly address: string;
  readonly browser: TestBrowser;
}

/** Starts a service with the sample and a browser for it. After each test, its pages must not have complained. */
export function useSite({ environment, addData, allowed }: SiteOptions = {}): Site {
  knowDocuments([...readPageDocuments().values()].map(({ text }) => text));
  const database = useDatabase();
  beforeAll(async () => {
    await loadTestSample(database.db);
    await addData?.(database);
  }, 300_000);
  const service = useApp(database, { ...PATIENT, TODAY: '2026-09-15', ...environment }, 'embedded');
  let address: string | undefined;
  beforeAll(async () => {
    address = await service.app.listen({ port: 0, host: '127.0.0.1' });
  });
  const addressOf = () => {
    if (address === undefined) throw new Error('The address is available from beforeAll on');
    return address;
  };
  const browser = useBrowser(() => allowed ?? addressOf());
  afterEach(() => {
    expect(browser.complaints.splice(0)).toEqual([]);
  });
  return {
    service,
    browser,
    get address() {
      return addressOf();
    },
  };
}

/** Returns the names of the districts that the page shows. */
export function districtNames(page: Page): Promise<string[]> {
  return page.locator('.rung h3').allInnerTexts();
}

/** Returns the names of the districts of a point that the API has. */
export async function namesInApi(
  { address, service }: Site,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
): Promise<string[]> {
  const query = `{ location(latitude: ${latitude}, longitude: ${longitude}) { districts { name } } }`;
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': service.key('full'), 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as { data: { location: { districts: { name: string }[] } } };
  return data.location.districts.map(({ name }) => name);
}

/** Handles the requests of a page for one of its documents. */
export async function handleDocument(
  { address }: Pick<Site, 'address'>,
  page: Page,
  name: string,
  handle: (route: Route) => Promise<void>,
): Promise<void> {
  const id = readPageDocuments().get(name)?.id;
  if (!id) throw new Error(`no document ${name}`);
  await page.route(`${address}/graphql`, (route) =>
    route.request().postDataJSON()?.documentId === id ? handle(route) : route.fallback(),
  );
}

/** Replaces a part of the data in the responses to one document of a page. */
export function changeResponses(
  site: Pick<Site, 'address'>,
  page: Page,
  name: string,
  change: (data: never) => void,
): Promise<void> {
  return handleDocument(site, page, name, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    change(body.data as never);
    await route.fulfill({ response, json: body });
  });
}
