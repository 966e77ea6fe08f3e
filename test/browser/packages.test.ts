import { describe, expect, it } from 'vitest';
import { createApiKey, setPackage } from '../../src/gateway/access/access.store.ts';
import { GRANTS, isGrant } from '../../src/graph/builder/grants.ts';
import type { TestDatabase } from '../support/database.ts';
import { hasChromium, IN_CHROMIUM, SMALL_WINDOW, useSite } from './support.ts';

/** Sentences that are false of data that only the package excludes. */
const UNTRUE = /in the data|is known here|not loaded|are not known|No election/;

/** What each surface says with a key that lacks grants. */
const CASES = [
  {
    lacks: ['elections', 'election_dates'],
    page: ['Elections', 'Ballots'],
    compare: [],
    widget: ['Elections', 'Ballots'],
    mcp: 'elections',
  },
  { lacks: ['results'], page: ['Results'], compare: [], widget: ['Results'], mcp: 'results' },
  { lacks: ['officeholders'], page: ['Officeholders'], compare: [], widget: ['Officeholders'], mcp: undefined },
  {
    lacks: ['voting'],
    page: ['Places to vote and deadlines'],
    compare: [],
    widget: ['Places to vote and deadlines'],
    mcp: undefined,
  },
  { lacks: ['boundaries'], page: ['Outlines'], compare: ['Outlines'], widget: [], mcp: undefined },
  {
    lacks: ['districts', 'officeholders'],
    page: ['Districts'],
    compare: ['Districts'],
    widget: ['Districts'],
    mcp: undefined,
  },
] as const;
const nameOf = (lacks: readonly string[]) => `without-${lacks.join('-').replaceAll('_', '-')}`;

describe.skipIf(!hasChromium)(`what the package of a key does not include ${IN_CHROMIUM}`, () => {
  const keys = new Map<string, string>();
  const site = useSite({
    addData: async ({ db }: TestDatabase) => {
      for (const { lacks } of CASES) {
        const name = nameOf(lacks);
        const grants = Object.keys(GRANTS)
          .filter(isGrant)
          .filter((grant) => !(lacks as readonly string[]).includes(grant));
        await setPackage(db, { name, grants });
        keys.set(name, await createApiKey(db, name));
      }
    },
  });

  it.each(CASES)(
    'is said as that without $lacks',
    { timeout: 180_000 },
    async ({ lacks, page: onPage, compare, widget, mcp }) => {
      const key = keys.get(nameOf(lacks)) ?? '';
      const page = await site.browser.open(SMALL_WINDOW);
      await page.addInitScript((value) => sessionStorage.setItem('ballotgraph-key', value), key);
      await page.goto(`${site.address}/#at=44.3106,-69.7795&ballot=2022-11-08`);
      for (const what of onPage) await page.getByText(`${what} are not included in this key.`).first().waitFor();
      if (lacks[0] === 'boundaries') {
        expect(await page.locator('#legend').isVisible()).toBe(false);
        expect(await page.locator('.stamp').count()).toBe(0);
      }
      await page.goto(`${site.address}/#at=44.3106,-69.7795&vs=2022-01-01`);
      await page.getByRole('heading', { name: 'Two maps compared' }).waitFor();
      for (const what of compare) await page.getByText(`${what} are not included in this key.`).first().waitFor();
      if (compare.length > 0) expect(await page.locator('#pair').isVisible()).toBe(false);
      if (compare.includes('Districts' as never))
        expect(await page.locator('.where').innerText()).not.toMatch(/No map changed|loaded/);
      if (onPage.includes('Elections' as never)) {
        await page.goto(`${site.address}/#at=44.3106,-69.7795&ballot=2022-11-08`);
        await page.getByText('Ballots are not included in this key.').first().waitFor();
        for (const id of ['#days', '#ballot']) expect(await page.locator(id).innerText()).not.toMatch(UNTRUE);
      }

      const host = await site.browser.open(SMALL_WINDOW);
      await host.goto(`${site.address}/widget`);
      const lookup = host.locator('ballot-lookup');
      await lookup.evaluate((element, value) => element.setAttribute('key', value), key);
      await lookup.evaluate((element) => element.setAttribute('since', '2022-01-01'));
      await lookup.locator('#q').fill('44.3106, -69.7795');
      await lookup.locator('#q').press('Enter');
      await lookup
        .getByText(/Next election|Districts are not included/)
        .first()
        .waitFor();
      const said = await lookup.locator('#answer').innerText();
      for (const what of widget) expect(said).toContain(`${what} are not included in this key.`);
      if (widget.includes('Districts' as never)) expect(said).not.toMatch(/No districts here|No move to another/);
      if (mcp === 'elections') expect(said.split('Next election in the data')[1]).not.toMatch(UNTRUE);

      if (mcp === undefined) return;
      const response = await fetch(`${site.address}/mcp`, {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'results', arguments: { state: 'ME', date: '2022-11-08' } },
        }),
      });
      const text = await response.text();
      expect(text).toContain(`${onPage[0]} are not included in this key.`);
      expect(text).not.toMatch(UNTRUE);
    },
  );
});
