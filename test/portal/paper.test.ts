/** The pages on paper: light, without controls, and nothing cut off. */
import { expect, it } from '@jest/globals';
import { describeInBrowser, panel } from './browser.ts';

/** CSS pixels of a sheet of A4 between its margins. */
const SHEET = { width: 720, height: 1000 };

describeInBrowser('on paper', ({ open }) => {
  it.each(['/', '/docs/limits.html', '/docs/coverage.html?country=FI', '/try-it.html'])(
    '%s is light in the dark theme too, has no controls, and fits',
    async (path) => {
      const page = await open(path, { colorScheme: 'dark', viewport: SHEET });
      await page.emulateMedia({ media: 'print' });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      );
      for (const control of ['.frame-head nav', '.theme-button', '.button', 'input', '.key-menu'])
        expect(await page.locator(control).locator('visible=true').count()).toBe(0);
      expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBe(SHEET.width);
    },
  );

  it('a port is alone on its page, with its charts in light colours and every alert', async () => {
    const page = await open('/?port=USLAX', { colorScheme: 'dark', viewport: SHEET });
    await panel(page, 'Trend').locator('canvas').waitFor();
    await page.emulateMedia({ media: 'print' });
    // The charts are drawn again: their colours are in the canvas, and in the markers of the legend. The page's policy forbids
    // Playwright to wait for an expression, so that it is asked for until it holds.
    const marker = page.locator('.pair .u-legend .u-marker').nth(1);
    const colour = () => marker.evaluate((drawn) => getComputedStyle(drawn).borderColor);
    while ((await colour()) !== 'rgb(10, 90, 120)') await page.waitForTimeout(50);
    expect(
      await page.locator('.alerts-scroll').evaluate((list) => list.scrollHeight <= list.clientHeight),
    ).toBe(true);
    expect(await page.locator('.map-side, .all-ports').locator('visible=true').count()).toBe(0);
  });
});
