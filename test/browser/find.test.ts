import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { box } from '../import/folders.ts';
import { useFiles } from '../places/files.ts';
import { hasChromium, IN_CHROMIUM, SMALL_WINDOW, useSite, violations } from './support.ts';

const LONG = { timeout: 60_000 };
const ADDRESSES = [
  '16,Cony St,Augusta,ME,04330,-69.7701,44.3151',
  '12,Main St,Augusta,ME,04330,-69.78,44.31',
  '12,Main St,Waterville,ME,04901,-69.6317,44.552',
];

describe.skipIf(!hasChromium)(`the field of the map page ${IN_CHROMIUM}`, () => {
  const write = useFiles();
  const site = useSite({
    async addData({ db }) {
      const csv = ['NUMBER,STREET,CITY,REGION,POSTCODE,LON,LAT', ...ADDRESSES].join('\n');
      await runImport(db, 'address-points', [write('a.csv', csv)], { preset: 'openaddresses' });
      const zip = {
        type: 'Feature',
        properties: { ZCTA5CE20: '04330' },
        geometry: { type: 'Polygon', coordinates: [box(-70, 44, -69.5, 44.5)] },
      };
      await runImport(db, 'zcta', [write('z.geojson', JSON.stringify(zip))], { name: 'Areas' });
    },
  });
  const { browser } = site;

  async function open(options: BrowserContextOptions = SMALL_WINDOW) {
    const page = await browser.open(options);
    await page.goto(site.address);
    const field = page.locator('#q');
    return { page, field, options: page.getByRole('option') };
  }

  it('suggests addresses while one types, and takes the one that is chosen by keys', LONG, async () => {
    const { page, field, options } = await open();
    await field.pressSequentially('16 Con');
    await options.first().waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await options.first().locator('.kind').innerText()).toBe('Address');
    await field.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe('q-option-0');
    await field.press('Enter');
    await page.locator('.ladder').waitFor();
    expect(await page.locator('h1').innerText()).toMatch(/^16 Cony St, Augusta/);
    expect(await page.locator('#q').inputValue()).toMatch(/^16 Cony St, Augusta, ME/);
    const url = new URL(page.url());
    expect([url.pathname, url.search]).toEqual(['/', '']);
    expect(url.hash).toMatch(/^#at=44\.3151,-69\.7701&name=16/);
  });

  it(
    'says that the location is not known where the browser may not give it, and takes it where it may',
    LONG,
    async () => {
      const denied = await open();
      await denied.page.locator('[data-action=locate]').first().click();
      await denied.page.getByText('The browser was not allowed to give it. Type a place, or click the map.').waitFor();

      const geolocation = { latitude: 44.3151, longitude: -69.7701 };
      const allowed = await open({ ...SMALL_WINDOW, geolocation, permissions: ['geolocation'] });
      await allowed.page.locator('[data-action=locate]').first().click();
      await allowed.page.locator('.ladder').waitFor();
      expect(new URL(allowed.page.url()).hash).toMatch(/^#at=44\.3151,-69\.7701/);
    },
  );

  it('opens the list if several places match, and chooses none', LONG, async () => {
    const { page, field, options } = await open();
    await field.fill('12 Main St');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText('Several places match “12 Main St”. Choose one.').waitFor();
    expect(await options.count()).toBe(2);
    expect(new URL(page.url()).hash).toBe('');
    await options.nth(1).click();
    await page.locator('.ladder').waitFor();
  });

  it('moves the field up to the bar on a phone, where a keyboard covers half of the page', LONG, async () => {
    const { page, field } = await open({ viewport: { width: 390, height: 844 } });
    const top = async () => (await page.locator('form.find').boundingBox())?.y ?? Number.NaN;
    expect(await top()).toBeGreaterThan(500);
    await field.focus();
    await expect.poll(top).toBeLessThan(140);
    expect(await top()).toBeGreaterThan(50);
  });

  it('names what can be typed here', LONG, async () => {
    const { page } = await open();
    await page.getByText('Address, town, ZIP code, county or state', { exact: true }).waitFor();
    expect(await page.locator('#q').getAttribute('placeholder')).toBe('Addison, VT');
  });

  it('closes the list at Escape, and clears the field at the next', LONG, async () => {
    const { field, options } = await open();
    await field.pressSequentially('16 Con');
    await options.first().waitFor();
    await field.press('Escape');
    expect(await options.count()).toBe(0);
    expect(await field.inputValue()).toBe('16 Con');
    await field.press('Escape');
    expect(await field.inputValue()).toBe('');
  });

  it('says that nothing was found', LONG, async () => {
    const { page, field } = await open();
    await field.fill('zzzz qqqq');
    await field.press('Enter');
    await page.getByText('No place found for “zzzz qqqq”.').waitFor();
  });

  it.each([
    ['04330', '04330 lies in 2 U.S. House districts.', /^#zip=04330&/, ['Jared F. Golden', 'Chellie Pingree']],
    [
      'Maine',
      'Maine lies in 2 U.S. House districts.',
      /^#area=\d+&name=Maine$/,
      ['Jared F. Golden', 'Chellie Pingree'],
    ],
    ['Los Angeles County, CA', /^Los Angeles County lies in \d+ U\.S\. House districts\.$/, /^#area=/, ['Judy Chu']],
  ])(
    'answers %s by all its districts with their shares, and not by a point',
    LONG,
    async (text, sentence, hash, people) => {
      const { page, field } = await open();
      await field.fill(text);
      await field.press('Enter');
      await page.locator('.notice').getByText(sentence).waitFor();
      expect(new URL(page.url()).hash).toMatch(hash);
      const shares = page.locator('.rung', { hasText: 'U.S. House district' }).first().locator('.shares');
      const shown = await shares.innerText();
      for (const person of people) expect(shown).toContain(person);
      expect(shown).toMatch(/\d\.\d%/);
      expect(await page.locator('h1').innerText()).not.toContain('north');
      expect(await page.locator('.coords').innerText()).toContain('The whole area');
      expect(await violations(page)).toEqual([]);
      await page.reload();
      await page.locator('.notice').getByText(sentence).waitFor();
    },
  );

  it('names the district of an area that lies in one', LONG, async () => {
    const { page, field } = await open();
    await field.fill('Vermont');
    await field.press('Enter');
    await page.locator('h1', { hasText: 'Vermont' }).waitFor();
    expect(await page.locator('.rung', { hasText: 'U.S. House district' }).first().innerText()).toContain(
      'Becca Balint',
    );
    expect(await page.locator('.notice', { hasText: 'lies in' }).count()).toBe(0);
  });

  it('asks whether a name without its state is meant, and leaves the answer to another text', LONG, async () => {
    const { page, field } = await open();
    await page.goto(`${site.address}/#at=44.3106,-69.7795`);
    await page.locator('.ladder').waitFor();
    await field.fill('Kennebec, ME');
    await field.press('Enter');
    await page.getByText('Kennebec County, Maine?').waitFor();
    expect([new URL(page.url()).hash, await page.locator('.ladder').count()]).toEqual(['', 0]);
    expect(await page.locator('#q').inputValue()).toBe('Kennebec, ME');
    await page.getByRole('button', { name: 'Yes, Kennebec County' }).click();
    await page.locator('h1', { hasText: 'Kennebec County, Maine' }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.locator('.ladder .stamp').first().waitFor();
  });

  it.each([
    ['Augusta, Maine', 'Augusta, Maine is on the map. Type a street address, or click your place on the map.'],
    ['05602', 'ZIP code 05602 is on the map. Type a street address, or click your place on the map.'],
    ['05602', 'Census Bureau: internal points of ZIP Code Tabulation Areas (public domain)'],
    ['99999', 'This ZIP code is not loaded on this server.'],
    ['1 Elm St, Nowhere, VT', 'Neither the addresses nor the outline of this town are loaded on this server.'],
    ['Portland', '9 places have this name. Name the state, or choose one.'],
    ['-69.7795, 44.3106', 'Latitude and longitude look exchanged. Type 44.3106, -69.7795.'],
    ['-106.65, 35.08', 'Latitude and longitude look exchanged. Type 35.08, -106.65.'],
  ])('says of %s which data it would need', LONG, async (text, sentence) => {
    const { page, field } = await open();
    await field.fill(text);
    await field.press('Enter');
    await page.getByText(sentence).waitFor();
  });
});
