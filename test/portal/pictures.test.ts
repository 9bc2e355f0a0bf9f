/** The views and states as they are kept in pictures, `PICTURES=write TEST_EXTENT=portal npm test -- pictures` writes them again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { end, type Started, start } from '../builders/started-service.ts';
import { describeInBrowser, FIRST_LOAD_BYTES, textOf, type Visitor, weighed } from './browser.ts';
import { hasSameFonts, pictureFault } from './picture.ts';
import { FIRST_START, type Look, STATES, VIEWS, type View } from './views.ts';

/** A telephone and a desk. */
const HEIGHTS: Readonly<Record<string, number>> = { 360: 740, 1280: 800 };

/** The view once it is drawn, with its part of the page at the top. */
async function opened(
  { open }: Visitor,
  { path, ready, at, prepare, settings }: View,
  look: Look,
): Promise<Page> {
  const [width = '', theme] = look.split('-');
  const page = await open(path, {
    viewport: { width: Number(width), height: HEIGHTS[width] ?? 0 },
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    ...(prepare && { prepare }),
    ...(settings && { settings }),
  });
  await page.locator(ready).first().waitFor();
  if (at !== undefined) await page.locator(at).evaluate((node) => node.scrollIntoView({ block: 'start' }));
  return page;
}

async function compared(visitor: Visitor, view: View): Promise<void> {
  const faults: string[] = [];
  for (const look of view.looks) {
    const page = await opened(visitor, view, look);
    const canvas = await page.context().newPage();
    if (!(await hasSameFonts(page))) {
      console.warn('the pictures were made with other fonts: nothing is compared');
      return;
    }
    faults.push(...[(await pictureFault(page, canvas, `${view.name}-${look}`)) ?? []].flat());
  }
  expect(faults).toEqual([]);
}

describeInBrowser('the pictures', (visitor) => {
  it.each([...VIEWS, ...STATES])('of $name are as they are kept', (view) => compared(visitor, view));
});

describeInBrowser('the first start', (visitor) => {
  const sampleUrl = process.env.PORTAL_URL;
  let dataDir = '';
  let started: Started;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'first-start-'));
    started = start('--data-dir', dataDir);
    [, process.env.PORTAL_URL = ''] = await started.until(/^ready (\S+)$/m);
  }, 240_000);
  afterAll(async () => {
    process.env.PORTAL_URL = sampleUrl;
    await end(started);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('tells what happened at a real port', async () => {
    const page = await visitor.open('/', { settings: 'own' });
    expect(await textOf(page.locator('.lead'))).toMatch(
      /^Kaohsiung stopped five times in 2025\. On 23 September no vessel berthed; \d\d is usual\. On 4 October: /,
    );
  });

  it('loads little, and leads from one season to the other', async () => {
    const load = weighed();
    const page = await visitor.open('/', { settings: 'own', prepare: load.prepare });
    await page.locator('.flow .berthed').waitFor();
    await page.locator('.port-mark .unheld').first().waitFor();
    expect(await load.bytes()).toBeLessThan(FIRST_LOAD_BYTES);
    const seasons = page.getByRole('navigation', { name: 'Two seasons' }).getByRole('link');
    expect(await seasons.allInnerTexts()).toEqual([
      expect.stringMatching(/^Kaohsiung, Taiwan\s+Jan to Oct 2025\s+Berthings stopped five times$/),
      expect.stringMatching(/^Tarragona, Spain\s+2019\s+Slowest week: 4 to 10 November, 21 h to the berth$/),
    ]);
    const shown = () => seasons.and(page.locator('[aria-current]')).innerText();
    expect(await shown()).toContain('Kaohsiung');
    await seasons.nth(1).press('Enter');
    await page.locator('#port-title', { hasText: 'ESTAR' }).waitFor();
    await page
      .locator('.story', { hasText: 'Tarragona: vessels berthed a day' })
      .locator('.berthed')
      .waitFor();
    expect(await shown()).toContain('Tarragona');
    const slider = page.getByRole('slider', { name: 'Day' });
    expect(await slider.getAttribute('aria-valuetext')).toBe('Last figures, of 30 December 2019');
    await slider.press('Home');
    await page.locator('.port-sentence', { hasText: 'As known at the end of 3 January 2019' }).waitFor();
    // Kaohsiung has no such day.
    expect(await seasons.nth(0).getAttribute('href')).toBe('/?port=TWKHH');
  });

  it.each(FIRST_START)('has pictures of $name as they are kept', (view) => compared(visitor, view));
});
