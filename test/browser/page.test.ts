import { describe, expect, it } from 'vitest';
import { districtNames, hasChromium, IN_CHROMIUM, namesInApi, SMALL_WINDOW, useSite } from './support.ts';

// The one test of a page that every run has; the other files of this folder have all others.

const AUGUSTA = { latitude: 44.3106, longitude: -69.7795 };

describe.skipIf(!hasChromium)(`the map page ${IN_CHROMIUM}`, () => {
  const site = useSite();
  const { browser } = site;

  it('leads from a typed point to districts, officeholders and the ballot, and back', {
    timeout: 120_000,
  }, async () => {
    const page = await browser.open(SMALL_WINDOW);
    await page.goto(site.address);
    expect(await page.locator('#states path').count()).toBe(56);
    await page.keyboard.press('/');
    await page.keyboard.type('44.3106, -69.7795');
    await page.keyboard.press('Enter');
    await page.locator('.holder').first().waitFor();
    expect(await page.locator('h1').innerText()).toBe('Kennebec County, Maine');
    expect(await districtNames(page)).toEqual(await namesInApi(site, AUGUSTA));
    expect(await page.locator('.holder .name').allInnerTexts()).toContain('Susan M. Collins');
    await page.locator('.race').first().waitFor();
    expect(await page.locator('#ballot h2').innerText()).toBe('Ballot of November 8, 2022');
    expect(await page.locator('.cand .who').first().innerText()).toContain('Golden');
    expect(await page.locator('.cand .votes').first().innerText()).toMatch(/^[\d,]+ votes$/);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(new URL(page.url()).hash).toBe('#at=44.3106,-69.7795');
    await page.goBack();
    await page.locator('.hello').waitFor();
    expect(await page.locator('.race').count()).toBe(0);
  });
});
