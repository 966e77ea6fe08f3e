import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { calendarOf } from '../../web/calendar.ts';
import { type Change, mapSince, measureName, moveSentences, unknownLayers, updatedText } from '../../web/words.ts';
import { hasChromium, IN_CHROMIUM, overflow, SMALL_WINDOW, useSite, violations } from './support.ts';

const LONG = { timeout: 60_000 };

describe('the words of the page', () => {
  it.each([
    ['BM#1 CONSTITUTIONAL CONVENTION', 'Ballot Measure 1: Constitutional convention'],
    ['BALLOT MEASURE NO. 1 - 17FSH2', 'Ballot Measure 1: 17FSH2'],
    ['Ballot Measure No. 2', 'Ballot Measure 2'],
    ['Question 1: Home Care', 'Question 1: Home Care'],
    ['Bond Question 2', 'Bond Question 2'],
  ])('of the measure %s are %s', (name, shown) => {
    expect(measureName(name)).toBe(shown);
  });

  it.each([
    ['2023-01-03', '2024-10-15', 'New map since Jan 3, 2023'],
    ['2013-01-03', '2022-10-15', 'Map since Jan 3, 2013'],
  ])('of a map of %s on %s are %s', (start, day, shown) => {
    expect(mapSince(start, day)).toBe(shown);
  });
});

describe('when records were updated', () => {
  const record = (updatedAt: string | null, ...names: string[]) => ({
    updatedAt,
    sources: names.map((name) => ({ name })),
  });

  it.each([
    [
      'is the day of the newest',
      [record('2026-11-12T12:00:00.5Z', 'one'), record('2026-11-12T12:00:00Z', 'two')],
      'The races shown here were last updated on November 12, 2026 (one).',
    ],
    [
      'names no data set among several',
      [record('2026-11-12T12:00:00Z', 'one', 'two')],
      'The races shown here were last updated on November 12, 2026.',
    ],
    [
      'needs no data set',
      [record(null, 'one'), { updatedAt: '2026-11-12T12:00:00Z' }],
      'The races shown here were last updated on November 12, 2026.',
    ],
    ['is not said of nothing', [record(null, 'one')], ''],
  ])('%s', (_, records, expected) => {
    expect(updatedText('races', records)).toBe(expected);
  });
});

describe('the sentences of a point that moved', () => {
  const side = (...names: string[]) => names.map((name) => ({ district: { name } }));
  const change = (day: string, kind: string, left: string[], entered: string[], election?: string): Change => ({
    ...{ day, kind, left: side(...left), entered: side(...entered) },
    firstRace: election === undefined ? null : { election: { date: election } },
  });
  const layer = (type: string, isCovered: boolean, ...changes: Change[]) => ({
    type,
    isCovered,
    newerMap: null,
    changes,
  });
  /** Returns what is rendered where no value needs to be escaped; '' for tags if they are left out. */
  const markupOf = (part: unknown): string => {
    if (Array.isArray(part)) return part.map(markupOf).join('');
    if (typeof part !== 'object' || part === null) return String(part ?? '');
    const { strings, values } = part as { strings: readonly string[]; values: readonly unknown[] };
    return strings.map((text, index) => text + markupOf(values[index])).join('');
  };
  const textOf = (part: unknown) => markupOf(part).replaceAll(/<[^>]*>/g, '');

  it.each([
    ['a move', change('2023-01-03', 'MOVED', ['A'], ['B']), ['On January 3, 2023 this point moved from A to B.']],
    [
      'an election before it',
      change('2023-01-03', 'MOVED', ['A'], ['B'], '2022-11-08'),
      ['On January 3, 2023 this point moved from A to B; the election of November 8, 2022 was already held in B.'],
    ],
    [
      'an election after it',
      change('2023-01-03', 'MOVED', ['A'], ['B'], '2024-11-05'),
      ['On January 3, 2023 this point moved from A to B.'],
    ],
    [
      'a point on edges',
      change('2023-01-03', 'MOVED', ['A', 'B'], ['C', 'D']),
      ['On January 3, 2023 this point moved from A and B to C and D.'],
    ],
    [
      'a district in addition',
      change('2023-01-03', 'ENTERED', [], ['B']),
      ['From January 3, 2023 this point is in B.'],
    ],
    [
      'a district that was left',
      change('2023-01-03', 'LEFT', ['A'], []),
      ['From January 3, 2023 this point is no longer in A.'],
    ],
    ['a new boundary', change('2023-01-03', 'STAYED', [], []), []],
    ['a map that is not known', change('2023-01-03', 'NO_DATA', ['A'], []), []],
  ])('name %s', (_, found, expected) => {
    const sentences = moveSentences([layer('CONGRESS', true, found)]);
    expect(sentences.map(textOf)).toEqual(expected);
  });

  it('are in order of time, and have names in elements of their own', () => {
    const later = layer('CONGRESS', true, change('2023-01-03', 'MOVED', ['A'], ['B']));
    const earlier = layer('COUNTY', true, change('2019-01-03', 'MOVED', ['C'], ['D']));
    expect(moveSentences([later, earlier]).map(markupOf)).toEqual([
      'On January 3, 2019 this point moved from <bdi>C</bdi> to <bdi>D</bdi>.',
      'On January 3, 2023 this point moved from <bdi>A</bdi> to <bdi>B</bdi>.',
    ]);
  });

  it('say of which layers not every day is known: not of a city that a point is known to have entered', () => {
    const layers = [
      layer('CONGRESS', false, change('2019-01-03', 'NO_DATA', [], ['A'])),
      layer('CITY_TOWN', false, change('2019-01-03', 'ENTERED', [], ['B'])),
      layer('COUNTY', false),
      layer('STATE', true),
    ];
    expect(unknownLayers(layers)).toBe('Not known for the whole time: U.S. House district, County.');
    expect(unknownLayers([layer('STATE', true)])).toBe('');
    const outdated = { ...layer('CONGRESS', false), newerMap: { sentence: 'The map is out of date.' } };
    expect(unknownLayers([outdated])).toBe(
      'Not known for the whole time: U.S. House district. The map is out of date.',
    );
  });
});

describe('the calendar file of an election', () => {
  it('is an event of one whole day (RFC 5545)', () => {
    const entry = {
      day: '2028-12-31',
      summary: 'General election',
      url: 'https://ballots.example/',
      today: '2026-09-15',
    };
    expect(calendarOf([entry]).split('\r\n')).toEqual([
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Ballotgraph//Elections//EN', 'BEGIN:VEVENT'],
      'UID:2028-12-31-general-election@ballots.example',
      ...['DTSTAMP:20260915T000000Z', 'DTSTART;VALUE=DATE:20281231', 'DTEND;VALUE=DATE:20290101'],
      ...[
        'SUMMARY:General election',
        'URL:https://ballots.example/',
        'TRANSP:TRANSPARENT',
        'END:VEVENT',
        'END:VCALENDAR',
      ],
      '',
    ]);
  });

  it('escapes text, and has no line of more than 75 bytes', () => {
    const summary = `Recall, of A; B\\C ${'é'.repeat(60)}`;
    const file = calendarOf([
      { day: '2028-11-07', summary, description: 'One\nTwo', url: 'https://ballots.example/', today: '2026-09-15' },
    ]);
    for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(file.replaceAll('\r\n ', '')).toContain('\r\nDESCRIPTION:One\\nTwo\r\n');
    expect(file.replaceAll('\r\n ', '')).toContain(`SUMMARY:Recall\\, of A\\; B\\\\C ${'é'.repeat(60)}\r\n`);
  });
});

describe.skipIf(!hasChromium)(`a place on the map page ${IN_CHROMIUM}`, () => {
  const site = useSite();
  const { browser } = site;

  async function open(hash: string) {
    const page = await browser.open(SMALL_WINDOW);
    await page.goto(`${site.address}/${hash}`);
    await page.locator('h1', { hasNotText: /^Find|^Looking/ }).waitFor();
    return page;
  }

  it.each([
    ['#at=38.9,-77.03', 'District of Columbia', 'Federal district'],
    ['#at=13.45,144.75', 'Guam', 'Territory'],
  ])('has its name once, and its kind: %s', LONG, async (hash, name, kind) => {
    const page = await open(hash);
    await page.locator('.ladder').waitFor();
    expect((await page.locator('h1').innerText()).trim()).toBe(name);
    const kinds = await page.locator('.rung-head .kind').allInnerTexts();
    expect(kinds).toContain(kind);
    expect(kinds).not.toContain('State');
  });

  it('has only the lines in its legend that it draws, and no remark where maps do not differ', LONG, async () => {
    const page = await open('#at=58.3019,-134.4197&ballot=2022-11-08');
    await page.getByText('Ballot Measure 1: Constitutional convention').waitFor();
    expect(await page.locator('#legend li:visible').allInnerTexts()).toEqual(['Chosen district', 'County']);
    expect(await page.locator('#ballot').innerText()).not.toContain('One map of this district is known');
    expect(await page.locator('#people header').innerText()).toContain('as of June 15, 2026');
    // Screen readers hear the answer, not the names of all states.
    expect(await page.locator('#states').getAttribute('aria-hidden')).toBe('true');
    expect(await violations(page)).toEqual([]);
  });

  it('says whom to ask how to vote, and has a calendar file of the coming election', LONG, async () => {
    const page = await open('#at=44.3106,-69.7795');
    const link = page.getByRole('link', { name: /^Add to calendar/ }).first();
    await link.waitFor();
    expect(
      await page.locator('#voting').getByRole('link', { name: 'Maine Secretary of State' }).getAttribute('href'),
    ).toBe('https://www.maine.gov/sos/');
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/^election-20\d\d-\d\d-\d\d\.ics$/);
    const file = await readFile(await download.path(), 'utf8');
    expect(file).toContain('BEGIN:VEVENT\r\n');
    expect(file).toMatch(/^SUMMARY:\w+ election in Maine\r$/m);
    expect(file).not.toMatch(/44\.31|Augusta/);
    expect(await violations(page)).toEqual([]);
  });

  it('has all of its header and of the buttons of the map on a phone', LONG, async () => {
    const page = await browser.open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await page.goto(`${site.address}/#at=44.3106,-69.7795`);
    await page.locator('.ladder').waitFor();
    for (const name of ['Map', 'Docs', 'Widget']) {
      expect(await page.locator('.top').getByRole('link', { name, exact: true }).isVisible(), name).toBe(true);
    }
    for (const name of ['Light or dark', 'Zoom in', 'Zoom out', 'Show the whole district', 'Use my location']) {
      expect(await page.getByRole('button', { name, exact: true }).first().isVisible(), name).toBe(true);
    }
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
    // Districts but the chosen one say who represents them, and show the rest on demand.
    const maine = page.locator('.rung', { has: page.getByRole('heading', { name: 'Maine', exact: true }) });
    expect(await maine.locator('summary').first().innerText()).toBe('Angus S. King, Jr. and Susan M. Collins');
    expect(await maine.locator('.holder').first().isVisible()).toBe(false);
    await maine.locator('summary').first().click();
    expect(await maine.locator('.holder').first().isVisible()).toBe(true);
    expect(await page.locator('.rung.on .holder').first().isVisible()).toBe(true);
  });

  it('has no names of states under the buttons of the map', LONG, async () => {
    const page = await browser.open({ viewport: { width: 390, height: 844 } });
    await page.addInitScript(() => {
      // Without WebGL, the page draws its map as SVG.
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.goto(site.address);
    const covered = () =>
      page.evaluate(() => {
        const tools = document.querySelector('.tools')?.getBoundingClientRect() ?? new DOMRect();
        const texts = [...document.querySelectorAll<SVGElement>('#states text')].filter(
          (text) => text.textContent !== '',
        );
        const under = texts.filter((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect();
          return left < tools.right && right > tools.left && top < tools.bottom && bottom > tools.top;
        });
        return { under: under.length, shown: under.filter(({ style }) => style.visibility !== 'hidden').length };
      });
    for (let press = 0; press < 4; press++) await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(async () => (await covered()).shown).toBe(0);
  });

  it('far from the districts of the data has its marker and ways to the regions', LONG, async () => {
    const page = await open('#at=51.88,179.1');
    await page.getByText('This point is at sea or outside the United States.').waitFor();
    await page.getByRole('button', { name: 'Alaska', exact: true }).waitFor();
    // The moving map replaces the first one as soon as it has loaded, before or after the answer.
    const pin = page.locator('#svg-map .pin, #gl-map .gl-pin').filter({ visible: true }).first();
    const [box, stage] = [await pin.boundingBox(), await page.locator('#stage').boundingBox()];
    expect(box && stage && box.x > stage.x && box.x < stage.x + stage.width).toBe(true);
  });

  it('prints its ballot alone with the button of the ballot', LONG, async () => {
    const page = await open('#at=58.3019,-134.4197&ballot=2022-08-16');
    const button = page.getByRole('button', { name: 'Print this ballot' });
    await button.waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => {
      window.print = () => {
        const isShown = (id: string) => getComputedStyle(document.getElementById(id) as Element).display !== 'none';
        document.body.dataset.printed = ['people', 'elections', 'stage', 'ballot'].filter(isShown).join();
      };
    });
    await page.emulateMedia({ media: 'screen' });
    await button.evaluate((element) => element.scrollIntoView());
    await page.evaluate(() => {
      const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
      for (const rule of rules)
        if (rule instanceof CSSMediaRule && rule.media.mediaText === 'print') rule.media.mediaText = 'all';
      (document.querySelector('[data-action=print]') as HTMLElement).click();
    });
    expect(await page.evaluate(() => document.body.dataset.printed)).toBe('ballot');
  });
});
