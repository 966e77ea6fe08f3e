import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { boundary, insert } from '../support/world.ts';
import { changeResponses, hasChromium, IN_CHROMIUM, overflow, SMALL_WINDOW, useSite, violations } from './support.ts';

const LONG = { timeout: 120_000 };
const AUGUSTA = '#at=44.3106,-69.7795';
const MONTPELIER = '#at=44.2601,-72.5754';
const MAINE = { id: 123, election: 2026110323 };
const PRECINCT = 990_001;

const SPANISH = { label: 'Registrarse en línea', phrase: '21 días antes del día de las elecciones' };
const ARABIC = { label: 'التسجيل عبر الإنترنت', phrase: '21 يومًا قبل يوم الانتخابات' };

describe.skipIf(!hasChromium)(`how to vote on the map page and in the widget ${IN_CHROMIUM}`, () => {
  const site = useSite({
    async addData({ db }) {
      await db.deleteFrom('deadlines').execute();
      await insert(db, 'districts', [{ id: PRECINCT, type: 'Precinct', name: 'Ward 1', state: 'ME' }]);
      await boundary(db, PRECINCT, ['2000-01-01', null], [-69.79, 44.3, -69.77, 44.32]);
      const here = { election_id: MAINE.election, state: 'ME', district_ids: [PRECINCT] };
      await insert(db, 'voting_places', [
        {
          ...{ ...here, id: 1, kind: 'Election day', name: 'City Hall', address: '16 Cony Street' },
          ...{ longitude: -69.77, latitude: 44.32, hours: '7 a.m. to 8 p.m.', time_zone: 'America/New_York' },
          ...{ notes: 'Side door', url: 'https://hall.example/' },
        },
        { ...here, id: 2, kind: 'Election day', name: 'Old School', address: '1 School Street', status: 'Closed' },
        {
          ...{ ...here, id: 3, kind: 'Early voting', name: 'Library', address: '2 Book Street' },
          ...{ open_intervals: ['2026-10-20T09:00/2026-10-20T16:00'], time_zone: 'America/New_York' },
        },
        { ...here, id: 4, kind: 'Drop box', name: 'Box', status: 'Moved', moved_to: 'The bakery' },
      ]);
      const rule = { district_id: MAINE.id, language: 'en', as_of: '2024-07-25', day_kind: 'Calendar' };
      await insert(db, 'deadlines', [
        {
          ...{ ...rule, id: 1, kind: 'Register online', phrase: '21 days before Election Day', days_before: 21 },
          translations: JSON.stringify({ ar: ARABIC, es: SPANISH }),
        },
        { ...rule, id: 2, kind: 'Early voting to', phrase: 'During early voting', day_kind: null },
        {
          ...{ district_id: MAINE.id, election_id: MAINE.election, id: 3, kind: 'Request ballot', as_of: '2026-09-01' },
          ...{ day: '2026-09-14', time: '17:00', time_zone: 'America/New_York' },
        },
      ]);
    },
  });
  const { browser } = site;

  async function open(hash: string, options: Parameters<typeof browser.open>[0] = SMALL_WINDOW): Promise<Page> {
    const page = await browser.open(options);
    await page.goto(`${site.address}/${hash}`);
    await page.locator('#voting h3, #voting .none').first().waitFor();
    return page;
  }
  const card = async (page: Page) => (await page.locator('#voting').innerText()).replace(/\s+/g, ' ');

  it(
    'has the precinct, the places of each kind apart, and the deadlines with what is known of each',
    LONG,
    async () => {
      const page = await open(AUGUSTA);
      const text = await card(page);
      for (const part of [
        'General election in Maine, November 3, 2026 Your precinct: Ward 1',
        'On election day City Hall 16 Cony Street Hours: 7 a.m. to 8 p.m. (Eastern Time) Side door 0.8 miles away in a straight line Route of City Hall (OpenStreetMap) Website of City Hall Old School Closed for this election. 1 School Street Its hours are not in the data.',
        'Before election day: early voting Library 2 Book Street Hours: Oct 20, 2026, 9:00 AM – 4:00 PM (Eastern Time)',
        'Drop boxes for ballots that came by mail Box Moved. Its voters go to: The bakery Its address is not in the data.',
        'Request ballot Monday, September 14, 2026 at 5:00 PM (Eastern Time) Stated for this election Passed',
        'Register online Tuesday, October 13, 2026 21 days before Election Day Computed from a rule In 28 days',
        'Early voting to During early voting No day is computed from this rule Add the deadlines to a calendar',
        'Rules of Maine as of July 25, 2024, before this election: they may have changed since.',
        'How to register, where and when to vote: Maine Secretary of State',
      ])
        expect(text).toContain(part);
      expect(await page.locator('.spot', { hasText: 'Old School' }).getByRole('link').count()).toBe(0);
      // Where the visitor lives is not in the address of the route, and no page loads it.
      expect(await page.getByRole('link', { name: 'Route' }).getAttribute('href')).toBe(
        'https://www.openstreetmap.org/directions?to=44.32%2C-69.77',
      );
      expect(await page.locator('.rung h3').allInnerTexts()).not.toContain('Ward 1');
      expect(await violations(page)).toEqual([]);
    },
  );

  it('draws the precinct, and shows it on the map', LONG, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.goto(`${site.address}/${AUGUSTA}`);
    await page.locator('#svg-map .m-d.precinct').waitFor({ state: 'attached' });
    expect(await page.locator('#legend li:visible').allInnerTexts()).toContain('Precinct');
    const view = () => page.locator('#svg-map').getAttribute('viewBox');
    const before = await view();
    await page.getByRole('button', { name: 'Show on the map' }).press('Enter');
    await expect.poll(view).not.toBe(before);
  });

  it.each([
    ['es', 'ltr', SPANISH, 'martes, 13 de octubre de 2026'],
    ['ar', 'rtl', ARABIC, '13 أكتوبر 2026'],
  ])('has deadlines in the language %s with its direction, and keeps the focus', LONG, async (tag, dir, text, day) => {
    const page = await open(AUGUSTA, { viewport: { width: 360, height: 740 }, isMobile: true });
    await page.getByLabel('Language of the deadlines').focus();
    await page.getByLabel('Language of the deadlines').selectOption(tag);
    const translated = page.locator(`.spot [lang="${tag}"]`);
    await translated.first().waitFor();
    const [label, shownDay, phrase] = await translated.allInnerTexts();
    expect([label, phrase]).toEqual([text.label, text.phrase]);
    expect(shownDay).toContain(day);
    expect(new Set(await translated.evaluateAll((all) => all.map((each) => each.getAttribute('dir'))))).toEqual(
      new Set([dir]),
    );
    // What is not translated is marked as English, and names are as the source writes them.
    const other = page.locator('.spot', { hasText: 'Request ballot' }).locator('[dir]').first();
    expect(await other.evaluate(({ lang, dir }: HTMLElement) => [lang, dir])).toEqual(['en', 'ltr']);
    expect(await card(page)).toContain('What the source does not have in this language is in English.');
    expect(await card(page)).toContain('City Hall');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('lang');
    expect(new URL(page.url()).hash).toContain(`&lang=${tag}`);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
  });

  it('is in the language of the browser until another one is chosen, which its address keeps', LONG, async () => {
    const page = await open(AUGUSTA, { ...SMALL_WINDOW, locale: 'es-MX' });
    expect(await page.getByLabel('Language of the deadlines').inputValue()).toBe('es');
    await page.getByLabel('Language of the deadlines').selectOption('en');
    await page.locator('.spot', { hasText: 'Register online' }).waitFor();
    await page.reload();
    await page.locator('.spot', { hasText: 'Register online' }).waitFor();
    expect(await page.getByLabel('Language of the deadlines').inputValue()).toBe('en');
  });

  it('has a calendar file of the deadlines that have a day', LONG, async () => {
    const page = await open(`${AUGUSTA}&lang=es`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Add the deadlines to a calendar' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('deadlines-2026-11-03.ics');
    const file = await readFile(await download.path(), 'utf8');
    expect(file.match(/^DTSTART;VALUE=DATE:\d+\r$/gm)).toEqual([
      'DTSTART;VALUE=DATE:20260914\r',
      'DTSTART;VALUE=DATE:20261013\r',
    ]);
    expect(file.match(/^UID:.*\r$/gm)).toEqual([
      'UID:2026-11-03-request-ballot-maine@127.0.0.1\r',
      'UID:2026-11-03-register-online-maine@127.0.0.1\r',
    ]);
    expect(file.replaceAll('\r\n ', '')).toContain('SUMMARY:Registrarse en línea: General election in Maine\r\n');
    for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(file).not.toMatch(/44\.31|Ward 1/);
  });

  it('says in the words of the API what is not known, and links to the office', LONG, async () => {
    const page = await open(MONTPELIER);
    const notice = page.locator('#voting .notice');
    const query = '{ location(latitude: 44.2601, longitude: -72.5754) { voting { notKnown office { website } } } }';
    const response = await fetch(`${site.address}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': site.service.key('full'), 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { voting } = (await response.json()).data.location;
    expect(voting.notKnown).toMatch(/^The places to vote of this election are not in the data\. Ask /);
    expect((await notice.innerText()).trim()).toBe(voting.notKnown);
    expect(await notice.getByRole('link').getAttribute('href')).toBe(voting.office.website);
    expect(await card(page)).toContain('No deadlines of this election are in the data.');
    expect(await violations(page)).toEqual([]);
  });

  it.each(['The places to vote of this election are not published yet.', 'This election is held by mail.'])(
    'says without an office: %s',
    LONG,
    async (sentence) => {
      const page = await browser.open(SMALL_WINDOW);
      await changeResponses(site, page, 'Voting', ({ location }: { location: { voting: object } }) => {
        Object.assign(location.voting, { notKnown: sentence, office: null, places: [] });
      });
      await page.goto(`${site.address}/${AUGUSTA}`);
      await page.locator('#voting .notice').waitFor();
      expect((await page.locator('#voting .notice').innerText()).trim()).toBe(sentence);
    },
  );

  it('is that of the ballot that is chosen, and says that there is no election on another day', LONG, async () => {
    const page = await open(`${AUGUSTA}&ballot=2022-11-08`);
    expect(await card(page)).toMatch(
      /November 8, 2022 Your precinct: Ward 1 Show on the map The places to vote of this election are not in the data\./,
    );
    await page.goto(`${site.address}/${AUGUSTA}&ballot=2022-07-04`);
    await page.getByText('No election is known here on July 4, 2022.').first().waitFor();
    expect(await card(page)).toContain('No election is known here on July 4, 2022.');
  });

  it('fits at 200 percent zoom and on a small phone', LONG, async () => {
    for (const width of [640, 320]) {
      const page = await open(`${AUGUSTA}&lang=ar`, { viewport: { width, height: 700 } });
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    }
  });

  it.each([
    ['44.3106, -69.7795', 'es', /Precinct Ward 1 City Hall 16 Cony Street 7 a\.m\. to 8 p\.m\. \(Eastern Time\)/],
    ['44.3106, -69.7795', 'es', /Old School Closed for this election\..* 2 more places to vote on the full page\./],
    [
      '44.3106, -69.7795',
      'es',
      /Registrarse en línea martes, 13 de octubre de 2026 \(in 28 days\), computed from a rule/,
    ],
    ['44.3106, -69.7795', 'en', /Register online Tuesday, October 13, 2026 \(in 28 days\)/],
    ['44.2601, -72.5754', 'en', /How to vote The places to vote of this election are not in the data\. Ask /],
  ])('says in the widget at %s in the language %s where one votes and until when', LONG, async (at, lang, text) => {
    const page = await browser.open({ viewport: { width: 320, height: 700 } });
    await page.goto(`${site.address}/widget`);
    await page.locator('ballot-lookup').evaluate((widget, value) => widget.setAttribute('lang', value), lang);
    await page.locator('ballot-lookup input').fill(at);
    await page.locator('ballot-lookup input').press('Enter');
    await page.getByRole('heading', { name: 'How to vote' }).waitFor();
    const shown = (await page.locator('ballot-lookup #answer').innerText()).replace(/\s+/g, ' ');
    expect(shown).toMatch(text);
    expect(shown).not.toMatch(/false|null|undefined/);
    expect(await violations(page)).toEqual([]);
  });
});
