import type { Page, Route } from 'playwright-core';
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
const AUGUSTA = '#at=44.3106,-69.7795&name=Augusta,+ME';
/** In the middle of a large county. */
const CARIBOU = '#at=46.6,-68.9';
/** In a state whose Congress districts before 2023 the sample does not have. */
const DENVER = '#at=39.7392,-104.9903&name=Denver,+CO';
/** A vertex of the outline of Kennebec County. */
const KENNEBEC_LINE = '#at=44.5774,-69.7923';
const LONDON = '#at=51.5,-0.12';

describe.skipIf(!hasChromium)(`the states of the map page ${IN_CHROMIUM}`, () => {
  const site = useSite();
  const { service, browser } = site;

  /** Removes the messages with which the browser reports responses that a test has made to fail. */
  function forgetFailedRequests(): void {
    const others = browser.complaints.splice(0).filter((each) => !/Failed to load resource/.test(each));
    expect(others).toEqual([]);
  }

  const onDocument = (page: Page, name: string, handle: (route: Route) => Promise<void>) =>
    handleDocument(site, page, name, handle);
  const changeData = (page: Page, name: string, change: (data: never) => void) =>
    changeResponses(site, page, name, change);

  /** Opens a page with a key of its own: the tests together exceed the rate limit of the key of the sample. */
  async function open(): Promise<Page> {
    const page = await browser.open(SMALL_WINDOW);
    await page.addInitScript((key) => sessionStorage.setItem('ballotgraph-key', key), service.key('full'));
    return page;
  }

  async function openPlace(page: Page, hash: string): Promise<void> {
    await page.goto(`${site.address}/${hash}`);
    await page.locator('#ballot h2').waitFor();
  }

  /** Returns the texts of the notices on the page. */
  const notices = async (page: Page, within = '') =>
    (await page.locator(`${within} .notice`).allInnerTexts()).map((text) =>
      text.replace(/\s+/g, ' ').replace(/\.(?=[A-Z][a-z])/g, '. '),
    );

  it('says that it looks up a point, and dims the old answer when only the day changes', LONG, async () => {
    const page = await open();
    let release = () => {};
    await onDocument(page, 'Place', async (route) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await route.fallback();
    });
    await page.goto(`${site.address}/${AUGUSTA}`);
    await page.getByText('Looking up the districts of this point…').waitFor();
    expect(await page.locator('#answer .sk').count()).toBeGreaterThan(3);
    release();
    await page.locator('.ladder').waitFor();
    await page.locator('#day').fill('2022-11-08');
    await page.locator('#answer.waiting').waitFor();
    expect(await page.locator('.ladder').count()).toBe(1);
    release();
    await page.getByText('Showing November 8, 2022.').waitFor();
    expect(await page.locator('#answer.waiting').count()).toBe(0);
  });

  it('shows one uncertain match as such, and takes it only when asked', LONG, async () => {
    const page = await open();
    await changeData(page, 'Geocode', (data: { geocode: object }) => {
      data.geocode = {
        ambiguous: true,
        missing: [],
        matches: [
          {
            label: '149 Robinhood Cir, Montpelier, VT 05602',
            kind: 'ADDRESS',
            confidence: 0.6,
            point: { latitude: 44.26, longitude: -72.57 },
            district: null,
          },
        ],
      };
    });
    await page.goto(site.address);
    await page.locator('#q').fill('149 Robinhood Ln');
    await page.keyboard.press('Enter');
    await page.getByText('We are not sure this is the right place.').waitFor();
    expect(await notices(page)).toEqual([
      'We are not sure this is the right place. “149 Robinhood Ln” is not known. The nearest match is 149 Robinhood Cir, Montpelier, VT 05602. Use 149 Robinhood Cir',
    ]);
    expect(new URL(page.url()).hash).toBe('');
    await page.getByRole('button', { name: 'Use 149 Robinhood Cir' }).click();
    await page.locator('.ladder').waitFor();
  });

  it('says that addresses are not loaded', LONG, async () => {
    const page = await open();
    await page.goto(site.address);
    await page.locator('#q').fill('16 Cony St, Augusta');
    await page.keyboard.press('Enter');
    await page.locator('.notice').waitFor();
    const [sentence] = await notices(page);
    expect(sentence).toMatch(
      /^No place found for “16 Cony St, Augusta”\. \d+ towns of this name are known, but their addresses are not loaded on this server\./,
    );
    expect(sentence).toContain('Type the name of the place, or click the map.');
  });

  it('says that there are no elections and no ballot, as in a district that reaches into the sea', LONG, async () => {
    const page = await open();
    await changeData(page, 'Place', (data: { location: { elections: object[] } }) => {
      data.location.elections = [];
    });
    await changeData(page, 'BallotSizes', (data: { location: { ballots: object[] } }) => {
      data.location.ballots = [];
    });
    await openPlace(page, AUGUSTA);
    await page.locator('#ballot', { hasText: 'No ballots here are in the data.' }).waitFor();
    expect(await page.locator('#ballot h2').innerText()).toBe('Ballot');
    expect(await page.locator('#days').innerText()).toContain('No elections here are in the data.');
  });

  it.each([['at sea', '#at=38,-60'] as const, ['abroad', LONDON] as const])(
    'has a notice instead of the sections for a point %s',
    LONG,
    async (_, hash) => {
      const page = await open();
      await page.goto(`${site.address}/${hash}`);
      await page.locator('.notice').waitFor();
      expect(await notices(page)).toEqual([
        'No districts here. This point is at sea or outside the United States. Click somewhere on land.',
      ]);
      expect(await page.locator('.section').count()).toBe(0);
    },
  );

  it('says which districts are missing, and shows the coverage of the state', LONG, async () => {
    const page = await open();
    await openPlace(page, AUGUSTA);
    const missing = page.locator('#missing .notice');
    await missing.waitFor();
    expect(await missing.innerText()).toMatch(
      /^Not every district of Augusta is loaded\.\s+\S.* of Maine are missing\./,
    );
    await page.getByRole('link', { name: 'What we have' }).click();
    await page.locator('#coverage table').waitFor();
    expect(await page.locator('#coverage tbody tr').allInnerTexts()).toContainEqual(
      expect.stringMatching(/^Districts, counties\s+16 of 16/),
    );
    expect(new URL(page.url()).hash).toBe(AUGUSTA);
  });

  it('says that a point is close to the line of a simplified outline, and nothing elsewhere', LONG, async () => {
    const page = await open();
    await openPlace(page, CARIBOU);
    await page.locator('#missing .notice').waitFor();
    expect(await notices(page, '#close')).toEqual([]);
    await openPlace(page, KENNEBEC_LINE);
    await page.locator('#close .notice').waitFor();
    expect((await notices(page, '#close')).join()).toMatch(
      /^This point is close to a line\. The .*county.* here (is|are) simplified, so the point may be on the other side\. Check with your county\.$/,
    );
  });

  it('names the nearest days with a ballot for a day without an election', LONG, async () => {
    const page = await open();
    await openPlace(page, `${AUGUSTA}&ballot=2022-07-04`);
    expect(await notices(page, '#ballot')).toEqual([
      'No election is known here on July 4, 2022. The nearest days with a ballot are November 6, 2018 and November 8, 2022. November 6, 2018 November 8, 2022',
    ]);
    await page.getByRole('button', { name: 'November 8, 2022', exact: true }).click();
    await page.getByRole('heading', { name: 'Ballot of November 8, 2022' }).waitFor();
    await page.locator('.race').first().waitFor();
  });

  /** Controls after which the page renders what they stand in, by how they are reached: what has the focus then, and the status. */
  const CONTROLS: readonly {
    readonly control: string;
    readonly hash: string;
    readonly act: (page: Page) => Promise<unknown>;
    readonly focus: string;
    readonly status: RegExp;
  }[] = [
    {
      control: 'a ballot of the list',
      hash: `${AUGUSTA}&ballot=2022-11-08`,
      act: (page) => page.locator('.days button').first().press('Enter'),
      focus: 'Ballot of November 6, 2018',
      status: /, \d+ races on November 6, 2018\.$/,
    },
    {
      control: 'a mark of the time line',
      hash: `${AUGUSTA}&ballot=2022-11-08`,
      act: (page) => page.locator('.el[data-day="2018-11-06"]').press('Enter'),
      focus: 'Ballot of November 6, 2018',
      status: /, \d+ races on November 6, 2018\.$/,
    },
    {
      control: 'a day near one without an election',
      hash: `${AUGUSTA}&ballot=2022-07-04`,
      act: (page) => page.locator('#ballot button', { hasText: 'November 8, 2022' }).press('Enter'),
      focus: 'Ballot of November 8, 2022',
      status: /, \d+ races on November 8, 2022\.$/,
    },
    {
      control: 'more days',
      hash: AUGUSTA,
      act: (page) => page.locator('[data-action="more-days"]').press('Enter'),
      focus: 'days',
      status: /^All \d+ days of elections are listed\.$/,
    },
    {
      control: 'a day of the districts',
      hash: AUGUSTA,
      act: async (page) => {
        await page.locator('#day').focus();
        await page.locator('#day').fill('2024-11-08');
      },
      focus: 'day',
      status: /districts of November 8, 2024, \d+ races on November 8, 2022\.$/,
    },
    {
      control: 'today',
      hash: `${AUGUSTA}&on=2024-11-08`,
      act: (page) => page.getByRole('button', { name: 'Today', exact: true }).press('Enter'),
      focus: 'Today',
      status: /districts, \d+ races on November 8, 2022\.$/,
    },
    {
      control: 'the comparison of two days',
      hash: AUGUSTA,
      act: (page) => page.locator('[data-action="compare"]').first().press('Enter'),
      focus: 'h1',
      status: /\S/,
    },
    {
      control: 'the map of a district',
      hash: AUGUSTA,
      act: (page) => page.getByRole('button', { name: 'Show Maine on the map' }).press('Enter'),
      focus: 'Show Maine on the map',
      status: /districts, \d+ races on November 8, 2022\.$/,
    },
  ];

  it.each(CONTROLS)(
    'keeps the focus and says what is shown after $control',
    LONG,
    async ({ hash, act, focus, status }) => {
      const page = await open();
      await openPlace(page, hash);
      await page.locator('#days .days').waitFor();
      await act(page);
      const focused = () =>
        page.evaluate(() => {
          const { activeElement: at } = document;
          return [at?.localName, at?.id, at?.className, at?.getAttribute('aria-label'), at?.textContent?.trim()];
        });
      await expect.poll(focused, { timeout: 15_000 }).toContain(focus);
      await expect.poll(() => page.locator('#status').innerText(), { timeout: 15_000 }).toMatch(status);
    },
  );

  it('has the focus on what took the place of a control that is gone', LONG, async () => {
    const page = await open();
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await openPlace(page, AUGUSTA);
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.localName);
    await page.locator('[data-action="close-notice"]').press('Enter');
    expect(await focused()).toBe('svg-map');
    let isDown = true;
    await page.route(`${site.address}/graphql`, (route) => (isDown ? route.abort() : route.fallback()));
    await page.locator('#day').fill('2022-11-08');
    await page.locator('[data-action="again"]').waitFor();
    isDown = false;
    await page.locator('[data-action="again"]').press('Enter');
    await page.getByText('Showing November 8, 2022.').waitFor();
    expect(await focused()).toBe('h1');
    forgetFailedRequests();
  });

  it.each([SMALL_WINDOW.viewport.width, 720])(
    'shows its field at once in a low window, %d pixels wide',
    LONG,
    async (width) => {
      const page = await browser.open({ viewport: { width, height: 450 } });
      for (const hash of ['', AUGUSTA]) {
        await page.goto(`${site.address}/${hash}`);
        if (hash) await page.locator('.ladder').waitFor();
        const box = await page.locator('.field').boundingBox();
        expect(box && box.y + box.height, hash).toBeLessThanOrEqual(450);
      }
    },
  );

  it('says that the candidates of a coming election are not known', LONG, async () => {
    const page = await open();
    await openPlace(page, `${AUGUSTA}&ballot=2026-11-03`);
    expect(await notices(page, '#ballot')).toEqual([
      'The election is known, its candidates are not. November 3, 2026. The ballot will show here once candidates are loaded.',
    ]);
  });

  it('says that the key does not include officeholders', LONG, async () => {
    const page = await open();
    await changeData(page, 'Place', (data: { location: { districtsWithBoundary: { district: object }[] } }) => {
      for (const { district } of data.location.districtsWithBoundary) Object.assign(district, { offices: null });
    });
    await openPlace(page, AUGUSTA);
    expect(new Set(await page.locator('.rung .none').allInnerTexts())).toEqual(
      new Set(['Officeholders are not included in this key.']),
    );
  });

  /** The parts of a ballot that the tests change. */
  interface Ballot {
    readonly location: {
      readonly ballot: { readonly districts: { readonly district: object; readonly races: ChangedRace[] }[] };
    };
  }
  interface ComparedDistrict {
    readonly district: object;
    readonly boundary: object;
  }
  interface ComparedLayer {
    readonly type: string;
    onFirstDay: ComparedDistrict[];
    readonly onLastDay: ComparedDistrict[];
    changes: object[];
  }
  interface Comparison {
    readonly location: { readonly changes: ComparedLayer[] };
  }
  function congressOf({ location }: Comparison): ComparedLayer {
    const layer = location.changes.find(({ type }) => type === 'CONGRESS');
    if (!layer) throw new Error('no district of Congress');
    return Object.assign(layer, { isCovered: true });
  }
  interface Place {
    readonly location: {
      readonly districtsWithBoundary: {
        readonly district: { readonly offices: { readonly officeholders: ChangedHolder[] }[] };
      }[];
    };
  }
  interface LongPlace {
    readonly location: {
      readonly districtsWithBoundary: {
        readonly district: {
          readonly type: string;
          name: string;
          readonly offices: { readonly officeholders: { person: object }[] }[];
        };
      }[];
    };
  }
  interface ChangedHolder {
    contacts: object[];
    sources: object[];
  }
  interface ChangedRace {
    readonly isRankedChoice: boolean;
    totalVotes: number;
    resultsCertified: boolean;
    readonly boundary: { readonly boundary: object };
    candidates: { isWinner: boolean | null; votes: number; parties: object[]; person?: object }[];
  }
  const racesOf = ({ location }: Ballot) => location.ballot.districts.flatMap(({ races }) => races);

  it.each([true, false])('says where results are from, unless they are certified: %s', LONG, async (isCertified) => {
    const page = await open();
    await changeData(page, 'Ballot', (data: Ballot) => {
      for (const race of racesOf(data)) race.resultsCertified = isCertified;
    });
    await openPlace(page, `${AUGUSTA}&ballot=2022-11-08`);
    const note = page.locator('#ballot > .small', { hasText: 'sums of precincts, not the certified totals.' });
    expect(await note.count()).toBe(isCertified ? 0 : 1);
    if (!isCertified) expect(await note.innerText()).toMatch(/^Results: \S.*, sums of precincts/);
  });

  it('says that the party of a candidate is not known', LONG, async () => {
    const page = await open();
    await changeData(page, 'Ballot', (data: Ballot) => {
      for (const { candidates } of racesOf(data)) for (const candidate of candidates.slice(1)) candidate.parties = [];
    });
    await openPlace(page, `${AUGUSTA}&ballot=2022-11-08`);
    const parties = await page.locator('.cand .party').allInnerTexts();
    expect(parties.map((party) => party.trim())).toContain('Party not known');
    expect(parties.some((party) => /Democratic/.test(party))).toBe(true);
    expect(await page.locator('.cand .p-oth i').first().innerText()).toBe('');
  });

  it('says first when the point moved, and what became of its district', LONG, async () => {
    const page = await open();
    await changeData(page, 'Compare', (data: Comparison) => {
      const layer = congressOf(data);
      const [newer] = layer.onLastDay as [ComparedDistrict];
      const older = { databaseId: 1, startDate: '2013-01-03', endDate: '2023-01-03' };
      const district = { ...newer.district, databaseId: 1, name: 'Maine District 7' };
      layer.onFirstDay = [{ district, boundary: { ...newer.boundary, ...older } }];
      Object.assign(newer.boundary, { databaseId: 2, startDate: '2023-01-03', endDate: null });
      const firstRace = { election: { date: '2022-11-08' } };
      const [left, entered] = [[{ district }], [{ district: newer.district }]];
      layer.changes = [{ kind: 'MOVED', day: '2023-01-03', left, entered, before: left, firstRace }];
    });
    await changeData(page, 'MapShares', (data: object) => {
      const part = { isSliver: false, addressShare: null };
      const parts = [
        { ...part, areaShare: 0.7, district: { databaseId: 2, name: 'Maine District 2' } },
        { ...part, areaShare: 0.29, district: { databaseId: 1, name: 'Maine District 7' } },
        { ...part, areaShare: 0.0005, isSliver: true, district: { databaseId: 3, name: 'Maine District 3' } },
        { ...part, areaShare: 0.0095, district: null },
      ];
      Object.assign(data, { district: { successors: { kind: 'REDRAWN', parts } } });
    });
    await page.goto(`${site.address}/${AUGUSTA}&on=2022-06-01&vs=2026-09-15`);
    await expect
      .poll(() => page.locator('.sentence').innerText())
      .toBe(
        'On January 3, 2023 this point moved from Maine District 7 to Maine District 2; the election of November 8, 2022 was already held in Maine District 2.',
      );
    await page.locator('.parts').waitFor();
    expect(await page.locator('#shares h2').innerText()).toBe('What became of Maine District 7 on January 3, 2023');
    const items = await page.locator('.parts li').allInnerTexts();
    expect(items.map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      'Maine District 2 moved 70.0%',
      'Maine District 7 stayed 29.0%',
      'No district of the newer map 0.9%',
    ]);
    expect(await page.getByText('Not shown: narrow strips').count()).toBe(1);
  });

  it('draws the counties and the districts around a comparison, with their names', LONG, async () => {
    const page = await open();
    await page.goto(`${site.address}/${AUGUSTA}&on=2024-11-08&vs=2026-09-15`);
    await expect.poll(() => page.locator('#side-1 .m-county').count()).toBeGreaterThan(5);
    for (const side of ['#side-0', '#side-1']) {
      await expect
        .poll(() => page.locator(`${side} g text`).allTextContents())
        .toEqual(expect.arrayContaining(['Maine District 2', 'Maine District 1', 'Kennebec', 'Franklin']));
      const boxes = await page.locator(`${side} g g text`).evaluateAll((texts) =>
        texts.map((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect();
          return { left, right, top, bottom };
        }),
      );
      for (const [index, one] of boxes.entries()) {
        const hidden = boxes
          .slice(index + 1)
          .filter((other) => one.left < other.right - 4 && other.left < one.right - 4)
          .filter((other) => one.top < other.bottom - 4 && other.top < one.bottom - 4);
        expect(hidden).toEqual([]);
      }
    }
    await page.locator('#side-0').focus();
    const places = () =>
      page.locator('#side-1 g g text').evaluateAll((texts) => texts.map((text) => text.getAttribute('x')).join());
    const before = await places();
    for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight');
    await expect.poll(places).not.toBe(before);
  });

  it('says which districts are missing on one of two days', LONG, async () => {
    const page = await open();
    await page.goto(`${site.address}/${DENVER}&on=2022-06-01&vs=2026-09-15`);
    await page.locator('.same').first().waitFor();
    expect(await notices(page)).toEqual([
      'Not all maps of these days can be compared. No U.S. House district map of June 1, 2022 is loaded. Choose other days to compare.',
    ]);
    const row = page.locator('.same tr', { hasText: 'U.S. House district' });
    expect(await row.locator('td').allInnerTexts()).toEqual(['No map loaded', 'Colorado District 1']);
  });

  it('lists all sources with their licenses', LONG, async () => {
    const page = await open();
    await openPlace(page, AUGUSTA);
    const sources = page.locator('#sources');
    await sources.getByText('All sources and licenses').click();
    await sources.locator('table').waitFor();
    const rows = await sources.locator('tbody tr').allInnerTexts();
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.map((row) => row.split('\t').map((cell) => cell.trim()))).toContainEqual([
      'us-atlas',
      'npmjs.com/package/us-atlas',
      expect.stringContaining('ISC'),
      'Not known',
    ]);
    expect(await violations(page)).toEqual([]);
  });

  it('marks the section that is read, at the end of the page the last one', LONG, async () => {
    const page = await open();
    await openPlace(page, `${AUGUSTA}&ballot=2022-07-04`);
    await page.locator('#missing .notice').waitFor();
    const current = () => page.locator('.jump [aria-current]').allInnerTexts();
    await expect.poll(current).toEqual(['Who represents you']);
    for (const section of ['Elections', 'Ballot', 'Who represents you']) {
      await page.locator('.jump').getByText(section).click();
      await expect.poll(current).toEqual([section]);
    }
  });

  it('says below a comparison which map counts in a race', LONG, async () => {
    const page = await open();
    const maps = [
      { databaseId: 1, startDate: '2013-01-03', endDate: '2023-01-03' },
      { databaseId: 2, startDate: '2023-01-03', endDate: null },
    ];
    await changeData(page, 'Compare', (data: Comparison) => {
      const layer = congressOf(data);
      const [newer] = layer.onLastDay as [ComparedDistrict];
      layer.onFirstDay = [{ ...newer, boundary: { ...newer.boundary, ...maps[0] } }];
      Object.assign(newer.boundary, maps[1]);
      const before = [{ district: newer.district }];
      layer.changes = [{ kind: 'STAYED', day: '2023-01-03', left: [], entered: [], before, firstRace: null }];
    });
    await changeData(page, 'Ballot', (data: Ballot) => {
      for (const { district, races } of data.location.ballot.districts) {
        Object.assign(district, { boundaries: maps });
        for (const { boundary } of races) {
          Object.assign(boundary, { reason: 'SWEARING_IN_DATE_NOT_KNOWN', referenceDay: '2023-01-31' });
          Object.assign(boundary.boundary, maps[1]);
        }
      }
    });
    await page.goto(`${site.address}/${AUGUSTA}&on=2022-06-01&vs=2026-09-15`);
    await page.locator('#rules h2', { hasText: 'Which map counts in which race' }).waitFor();
    expect(await page.locator('#rules summary').first().innerText()).toBe(
      'U.S. House, November 8, 2022: The new map counts. The day the winner was sworn in is not in the data. January 31, 2023 stands in for it, and on that day the new map was in effect.',
    );
    expect(await page.locator('#rules details').first().getAttribute('open')).not.toBeNull();
  });

  it('says that shares of first choices do not decide, also where the winner is known', LONG, async () => {
    const page = await open();
    await openPlace(page, `${AUGUSTA}&ballot=2022-11-08`);
    const race = page.locator('.race', { hasText: 'Ranked choice' });
    expect(await race.getByText('Elected').count()).toBe(1);
    expect(await race.locator('.cav').innerText()).toBe(
      'First choices only. No candidate has more than half of them, and the later rounds of this count are not in the data.',
    );
  });

  it('shows one telephone number and website at once, and as of which day each source is', LONG, async () => {
    const page = await open();
    await changeData(page, 'Place', (data: Place) => {
      const holders = data.location.districtsWithBoundary
        .flatMap(({ district }) => district.offices)
        .flatMap(({ officeholders }) => officeholders);
      for (const [index, holder] of holders.entries()) {
        holder.contacts = [
          { typeCode: 'WEBSITE', type: 'Website', value: 'https://www.example.org/' },
          { typeCode: 'PHONE', type: 'Phone', value: '202-555-0100' },
          { typeCode: 'WEBSITE', type: 'Website', value: 'https://www.example.org/office/' },
          { typeCode: 'PHONE', type: 'Phone', value: '202-555-0101' },
        ];
        holder.sources = [
          { name: index === 0 ? 'one' : 'two', license: null, asOf: index === 0 ? '2026-06-15' : '2026-08-05' },
          { name: 'two', license: null, asOf: '2021-01-01' },
        ];
      }
    });
    await openPlace(page, AUGUSTA);
    const holder = page.locator('.holder').first();
    expect(await holder.locator('.reach a').allInnerTexts()).toEqual([
      '202-555-0100',
      expect.stringMatching(/^Website/),
    ]);
    await holder.getByText('More ways to reach').click();
    expect(await holder.locator('details p').allInnerTexts()).toEqual([
      'Website: example.org/office',
      'Phone: 202-555-0101',
    ]);
    expect(await page.locator('.end').innerText()).toContain(
      'Officeholders as of June 15, 2026 (one) and August 5, 2026 (two).',
    );
  });

  it('says when the newest of what it shows was updated, of the ballot apart', LONG, async () => {
    const page = await open();
    const setTimes = (value: unknown, time: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('updatedAt' in value) value.updatedAt = time;
      for (const each of Object.values(value)) setTimes(each, time);
    };
    await changeData(page, 'Place', (data: Place) => {
      setTimes(data, '2024-05-06T12:00:00Z');
      const [holder] = data.location.districtsWithBoundary
        .flatMap(({ district }) => district.offices)
        .flatMap(({ officeholders }) => officeholders);
      Object.assign(holder ?? {}, {
        updatedAt: '2026-11-12T12:00:00Z',
        sources: [{ name: 'one', license: null, asOf: null }],
      });
    });
    await changeData(page, 'Ballot', (data: object) => setTimes(data, '2025-01-02T12:00:00Z'));
    await openPlace(page, `${AUGUSTA}&ballot=2022-11-08`);
    expect(await page.locator('.end').innerText()).toContain(
      'The districts and people shown here were last updated on November 12, 2026 (one).',
    );
    await page
      .locator('#ballot')
      .getByText(/^The races and questions shown here were last updated on January 2, 2025( \(.*\))?\.$/)
      .waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it(
    'keeps long names and many candidates within the window, and names that are written from the right apart',
    LONG,
    async () => {
      const page = await open();
      const long = `Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch of the ${'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)}`;
      const arabic = 'سارة الأحمد';
      await changeData(page, 'Place', (data: LongPlace) => {
        for (const { district } of data.location.districtsWithBoundary) {
          if (district.type === 'COUNTY') district.name = long;
          for (const { officeholders } of district.offices) {
            for (const holder of officeholders) holder.person = { name: long };
          }
        }
      });
      await changeData(page, 'Ballot', (data: Ballot) => {
        for (const race of racesOf(data)) {
          const [first] = race.candidates;
          if (!first) throw new Error('no candidate');
          race.candidates = Array.from({ length: 30 }, (_, index) => ({
            ...first,
            ...{ isWinner: index === 0, runningMate: index === 1 ? 'Çelik Núñez' : null, parties: [{ name: long }] },
            name: index === 1 ? arabic : long,
          }));
        }
      });
      await page.setViewportSize({ width: 320, height: 256 });
      await openPlace(page, `${AUGUSTA}&ballot=2022-11-08`);
      await page.locator('#missing .notice').waitFor();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await page.locator('.race').first().locator('ol').first().locator('> .cand').count()).toBe(6);
      const rest = page.locator('.race details.rest summary').first();
      expect(await rest.innerText()).toBe('Show 24 more candidates');
      await rest.click();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await page.locator('.who bdi', { hasText: arabic }).first().innerText()).toBe(arabic);
      for (const width of [640, 720, 1110]) {
        await page.setViewportSize({ width, height: 450 });
        expect(await overflow(page), String(width)).toBeLessThanOrEqual(0);
      }
      expect(await violations(page)).toEqual([]);
    },
  );

  it('is printed with all candidates and the map in its size on paper', LONG, async () => {
    const page = await open();
    await changeData(page, 'Ballot', (data: Ballot) => {
      for (const race of racesOf(data)) race.candidates = Array(8).fill(race.candidates[0]);
    });
    await openPlace(page, `${AUGUSTA}&ballot=2022-11-08`);
    const rest = page.locator('.race > details.rest').first();
    const height = () => page.locator('.stage').evaluate((stage) => stage.getBoundingClientRect().height);
    const onScreen = await height();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await rest.getAttribute('open')).not.toBeNull();
    expect(Math.round(await height())).toBe(Math.round((80 / 25.4) * 96));
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await rest.getAttribute('open')).toBeNull();
    expect(await height()).toBe(onScreen);
    expect(await page.locator('.gl-copy').count()).toBe(0);
  });

  it('is printed with a light map, also while the map moves, which then moves on', LONG, async () => {
    const page = await open();
    await page.emulateMedia({ colorScheme: 'dark' });
    await openPlace(page, AUGUSTA);
    await page.locator('#gl-map canvas').waitFor();
    await expect.poll(() => page.locator('#gl-map').getAttribute('inert')).toBeNull();
    await page.waitForTimeout(1_000);
    const camera = () => new URLSearchParams(new URL(page.url()).hash).get('map');
    const zoomOut = page.getByRole('button', { name: 'Zoom out' });
    await zoomOut.click();
    await expect.poll(camera).not.toBeNull();
    const zoomOf = (text: string | null) => Number(text?.split('/')[0]);
    const before = zoomOf(camera());
    const lightness = await page.evaluate(() => {
      document.querySelector<HTMLElement>('[data-action="zoom-out"]')?.click();
      dispatchEvent(new Event('beforeprint'));
      const copy = document.querySelector<HTMLCanvasElement>('.gl-copy');
      const pixels = [...(copy?.getContext('2d')?.getImageData(0, 0, copy.width, copy.height).data ?? [])];
      dispatchEvent(new Event('afterprint'));
      return pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
    });
    expect(lightness).toBeGreaterThan(200);
    await zoomOut.click();
    await expect.poll(() => zoomOf(camera())).toBeCloseTo(before - 2 * Math.log2(1.5), 0);
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBeUndefined();
  });

  it('is printed with the point on its map before the outlines have been drawn', LONG, async () => {
    const page = await open();
    let release = () => {};
    await onDocument(page, 'BallotSizes', async (route) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await route.fallback();
    });
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
      new MutationObserver(() => {
        if (document.querySelector('.ladder') && !('printed' in window)) {
          dispatchEvent(new Event('beforeprint'));
          Object.assign(window, { printed: document.querySelectorAll('#svg-map .pin').length });
          dispatchEvent(new Event('afterprint'));
        }
      }).observe(document, { subtree: true, childList: true });
    });
    await page.goto(`${site.address}/${AUGUSTA}`);
    await page.locator('.ladder').waitFor();
    expect(await page.evaluate(() => (window as unknown as { printed: number }).printed)).toBe(1);
    release();
    await page.locator('#ballot h2').waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'has stronger lines where more contrast is preferred, in %s',
    async (colorScheme) => {
      const page = await open();
      await page.emulateMedia({ colorScheme, contrast: 'more' });
      await page.goto(site.address);
      const [line, strong] = await page.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        return ['--line', '--line-strong'].map((token) => style.getPropertyValue(token));
      });
      expect(line).toBe(strong);
    },
  );

  it('waits as long as the server says after too many lookups, and keeps what is there', LONG, async () => {
    const page = await open();
    await openPlace(page, AUGUSTA);
    let isBusy = true;
    await onDocument(page, 'Place', (route) =>
      isBusy ? route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: {} }) : route.fallback(),
    );
    await page.locator('#day').fill('2022-11-08');
    await page.locator('#problem .notice').waitFor();
    expect(await notices(page, '#problem')).toEqual([
      'That was too many lookups in a short time. We will try again in 2 seconds. Your place and day are kept.',
    ]);
    expect(await page.locator('.ladder').count()).toBe(1);
    isBusy = false;
    await page.getByText('Showing November 8, 2022.').waitFor();
    expect(await notices(page, '#problem')).toEqual([]);
    forgetFailedRequests();
  });

  it('says that the server did not answer, and tries again', LONG, async () => {
    const page = await open();
    await openPlace(page, AUGUSTA);
    let isDown = true;
    await page.route(`${site.address}/graphql`, (route) => (isDown ? route.abort() : route.fallback()));
    await page.locator('#day').fill('2022-11-08');
    await page.locator('#problem .notice').waitFor();
    expect(await notices(page, '#problem')).toEqual([
      'The server did not answer. What you see is from before. Nothing is lost; the page tries again by itself. Try again now',
    ]);
    expect(await page.locator('#problem .notice').getAttribute('role')).toBe('alert');
    expect(await page.locator('.ladder').count()).toBe(1);
    isDown = false;
    await page.getByRole('button', { name: 'Try again now' }).click();
    await page.getByText('Showing November 8, 2022.').waitFor();
    forgetFailedRequests();
  });

  it('shows a cross on the map while the keyboard has the focus there', LONG, async () => {
    const page = await open();
    await openPlace(page, AUGUSTA);
    await page.locator('#gl-map canvas').waitFor();
    await expect.poll(() => page.locator('#gl-map').getAttribute('inert')).toBeNull();
    const cross = page.locator('.cross');
    expect(await cross.isVisible()).toBe(false);
    await page.locator('.links a').last().focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.stage') !== null)).toBe(true);
    await expect.poll(() => cross.isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    await expect.poll(() => cross.isVisible()).toBe(false);
  });

  it.each([undefined, 'light', 'dark'])(
    'is printed in dark ink on white paper, with dark colors and the theme %s',
    async (theme) => {
      const page = await open();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.goto(site.address);
      const colors = await page.evaluate((name) => {
        const { documentElement } = document;
        if (name) documentElement.dataset.theme = name;
        const style = getComputedStyle(documentElement);
        return ['--ink', '--page', '--panel'].map((token) => style.getPropertyValue(token));
      }, theme);
      expect(colors).toEqual(['#000', '#fff', '#fff']);
    },
  );
});
